// What a training experiment is, as data: variants of a model, trained alike and compared.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "simulations/experiment/evaluation_spec.hpp"
#include "simulations/models/model_spec.hpp"

namespace attest::experiment {

using attention::Index;
using models::ModelSpec;

/// Random changes of training images, drawn afresh for every epoch.
struct Augmentation {
  bool flip = false;  ///< mirrors left and right with probability 1/2
  Index shift = 0;    ///< moves by up to this many pixels both ways; what comes in is the mean colour

  bool operator==(const Augmentation&) const = default;
};

/// The data and their parts.
struct DataSpec {
  std::string name;  ///< of the catalogue, or a file's or folder's path
  Index train = 0;   ///< training examples, the first ones; 0: all that are left. Generated data: how many (10000)
  Index test = 0;    ///< test examples, the first ones; 0: all. Generated data: how many (1000)
  /// Held out of the training part where the data have no validation part: this many examples, class by class at
  /// random; below 1: this share of them. Generated data: how many (1000).
  double validation = 0;
  double train_share = 0.9;        ///< of a text that is one file; its beginning
  double validation_share = 0.05;  ///< of such a text, after the training part. The rest is the test part
  std::string unit = "character";  ///< of a text: character, byte or word
  Index words = 0;                 ///< largest vocabulary of words; 0: all
  Index longest = 0;  ///< sequence: tokens kept of an example (pairs: of each text), the first ones; 0: all.
                      ///< Passages that are generated have this many bytes (400)
  Index above = 500, below = 2000;     ///< listops-generated: every expression is longer and shorter than these
  Index deepest = 10, arguments = 10;  ///< listops-generated: depth of the tree, arguments of an operator
  /// pathfinder-generated, scenes-generated, folders of images with masks: pixels per side; 0: 32, 56, 56.
  Index side = 0;
  Index dashes = 14;  ///< pathfinder-generated: dashes of a long curve
  bool grey = false;  ///< colour images as grey ones
  Augmentation augmentation;
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
  /// Of passes through the model and of updates.
  enum class Device { cpu, cuda } device = Device::cpu;
  /// Of matrix products and attention. Weights, their gradients and updates, norms and residuals stay in float32.
  enum class Precision { float32, bfloat16 } precision = Precision::float32;
  /// Attention as LibTorch operations rather than by the library's kernels; cuda and bfloat16 have no other way.
  bool operations = false;
  /// On a CUDA device: a step of one batch in one shard is recorded as a CUDA graph where the model is_recordable.
  bool cuda_graph = true;
  Index patience = 0;  ///< evaluations without a better validation loss before stopping early; 0: never
  Index checkpoint_every = 200;
  std::string start;  ///< file of a trained model whose weights training begins with (start_weights); empty: none
  bool gates = true;  ///< what every variant must pass before the first step (training/gates.hpp)
};

struct VariantSpec {
  std::string name;
  ModelSpec model;
  /// Added to the experiment's seeds for this variant. 0 pairs it with the others by common starts and data order; two
  /// equal variants of which one has another offset are an A/A test.
  std::uint64_t seed_offset = 0;
};

/// Every variant against the baseline on one metric, paired by seeds.
struct ComparisonSpec {
  std::string baseline;                ///< a variant's name; empty: the first
  std::string metric;                  ///< empty: test accuracy for images, test loss for text
  std::vector<std::string> also = {};  ///< further metrics, such as fgsm_4_accuracy
  double level = 0.01;                 ///< of all comparisons together
  double smallest = 0;                 ///< the smallest difference of `metric` that matters; 0: none is declared
  double power = 0.8;
  double expected_deviation = 0;  ///< of a paired difference between seeds, from earlier runs; 0: not known
};

/// A key of [training] with the values that are tried.
struct Axis {
  std::string key;
  std::vector<double> values;
};

/// One combination of the axes' values, under which every variant is trained with every seed.
struct Setting {
  std::string name;            ///< "learning_rate=0.01,clip=1"
  std::vector<double> values;  ///< in the order of the axes
  TrainingSpec training;
};

struct Experiment {
  std::string name, title;
  std::string size = "quick";  ///< quick, standard or paper
  std::uint64_t seed = 1;      ///< the first; the others follow
  Index seeds = 1;
  DataSpec data;
  TrainingSpec training;
  ComparisonSpec comparison;
  EvaluationSpec evaluation;
  PaperSpec paper;
  std::vector<VariantSpec> variants;
  std::vector<Axis> axes;         ///< empty: training is as `training` says
  std::vector<Setting> settings;  ///< all combinations; a pair has each variant at its best by the validation part
  /// The file with every --set, without `seeds`, in one spelling: what a run directory belongs to, so that seeds may be
  /// added.
  std::string canonical;
  std::string data_place = {}, model_place = {};  ///< "FILE, line N" of [data] and [model], for what is found later
};

}  // namespace attest::experiment
