// What is evaluated on trained models, and what the papers report of theirs, as data.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace attest::experiment {

/// Evaluations of every trained model beside its scores. They look at the first `examples` of the test part (of the
/// validation part where there is no test part), once, after training.
struct EvaluationSpec {
  std::int64_t examples = 256;
  std::vector<double> fgsm;  ///< radii of the sign attack, in 255ths of a pixel's range, l-infinity; images
  std::vector<double> pgd;   ///< of projected gradient descent
  std::int64_t pgd_steps = 20;
  double pgd_step = 0.15;    ///< length of a step, in radii
  std::vector<double> spsa;  ///< of simultaneous perturbation stochastic approximation
  std::int64_t spsa_steps = 20;
  std::int64_t spsa_samples = 32;             ///< random directions of a step
  std::vector<std::string> corruptions = {};  ///< names of data::Corruption, each at five severities
  std::string corrupted_set = {};             ///< folder of published corrupted images; empty: they are made
  double swapped_words = 0;                   ///< share of a text's words replaced by "AAA"; 0: not attacked
  bool tokens = false;                        ///< mean cosine between tokens after every layer
  bool heads = false;                         ///< mean distance between a layer's heads
  bool cost = false;                          ///< counted flops, measured time and memory
  std::int64_t maps = 0;                      ///< images whose attention is drawn

  /// Whether anything beside the scores is asked for.
  bool any() const {
    return attacks() || !corruptions.empty() || swapped_words > 0 || tokens || heads || cost || maps > 0;
  }
  /// Whether pixels are attacked.
  bool attacks() const { return !fgsm.empty() || !pgd.empty() || !spsa.empty(); }
};

/// A paper's numbers, shown beside ours.
struct PaperSpec {
  std::string source;                    ///< paper and table, by title
  std::string note;                      ///< what differs from this experiment, a sentence
  std::map<std::string, double> values;  ///< by variant, in the paper's units
  /// By variant: the baseline's number in that variant's own paper, where `values` has the baseline's of another one.
  std::map<std::string, double> baselines = {};
  std::map<std::string, std::string> claims;  ///< by variant: the label of the statement that its comparison bears on
};

}  // namespace attest::experiment
