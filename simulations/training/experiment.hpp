// What a training experiment is, as data: variants of a model, trained alike and compared.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "simulations/models/model_spec.hpp"

namespace attest::training {

/// The data and their parts. Images keep their own test part, and the last `validation` training images are held out;
/// a text is cut in three.
struct DataSpec {
  std::string name;                ///< of the catalogue, or a text file's path
  Index train = 0;                 ///< images trained on, the first ones; 0: all that are left
  Index validation = 5000;         ///< images held out
  Index test = 0;                  ///< images of the test part, the first ones; 0: all
  double train_share = 0.9;        ///< of a text; its beginning
  double validation_share = 0.05;  ///< of a text; behind that. The rest is the test part
};

struct TrainingSpec {
  enum class Optimiser { adamw, adam } optimiser = Optimiser::adamw;
  enum class Schedule { cosine, linear, constant } schedule = Schedule::cosine;
  Index steps = 1000;
  Index batch = 64;      ///< examples of a step (of each of the `accumulate` parts of one)
  Index accumulate = 1;  ///< batches whose gradients a step averages
  Index shards = 1;      ///< parts of a batch that threads share; divides `batch`. Changes bits, threads never do
  double learning_rate = 1e-3;
  double final_learning_rate = 0;
  Index warmup = 0;  ///< steps over which the rate rises linearly
  double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
  double weight_decay = 0;  ///< adamw: of matrices, decoupled; adam: of all, in the gradient
  double clip = 0;          ///< largest norm of the gradient; 0: any
  double label_smoothing = 0;
  Index evaluate_every = 0;  ///< steps between evaluations on the validation part; 0: at the end only
  Index patience = 0;        ///< evaluations without a better validation loss before stopping early; 0: never
  Index checkpoint_every = 200;
};

struct VariantSpec {
  std::string name;
  ModelSpec model;
};

/// Every variant against the baseline on one metric, paired by seeds.
struct ComparisonSpec {
  std::string baseline;  ///< a variant's name; empty: the first
  std::string metric;    ///< empty: test accuracy for images, test loss for text
  double level = 0.05;   ///< of all comparisons together
  double power = 0.8;
  double expected_deviation = 0;  ///< of a paired difference between seeds, from earlier runs; 0: not known
};

struct Experiment {
  std::string name, title;
  std::string size = "quick";  ///< quick, standard or paper
  std::uint64_t seed = 1;      ///< the first; the others follow
  Index seeds = 1;
  DataSpec data;
  TrainingSpec training;
  ComparisonSpec comparison;
  std::vector<VariantSpec> variants;
  std::string canonical;  ///< the file with every --set, in one spelling: what a run directory belongs to
};

}  // namespace attest::training
