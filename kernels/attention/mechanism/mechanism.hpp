// What an attention mechanism is to those who run, list, cost or train it: a declarative piece around the primitives.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/attention/attend/attend.hpp"
#include "kernels/attention/cost/cost.hpp"
#include "kernels/attention/tensor.hpp"

namespace attest::attention {

template <typename T>
using Arrays = std::map<std::string, Tensor<T>, std::less<>>;

/// Options by name as the user wrote them ("causal" -> "true", "factors" -> "1,1,2,4").
using Settings = std::map<std::string, std::string, std::less<>>;

/// One array that a mechanism takes.
struct InputSpec {
  std::string name;  ///< "q", "qp", "wq", ...
  /// One pair of brackets an axis, a letter in each: B sequences, H heads, N tokens (N_q queries and N_k keys where
  /// they may differ), D features of queries and keys, D_v of values, s extent of a kernel, r projected tokens, C
  /// channels of a token. Equal letters are equal extents: `evaluate` checks them. "[B][H][N_q][D]"
  std::string shape;
  std::string meaning;  ///< one clause
  bool required = true;
  std::string initialisation = {};  ///< for a learnable parameter: how training starts it; empty for data
  std::string also = {};            ///< another shape that is taken, written alike; "[]" is one number; empty: none
  bool positive = false;            ///< entries must be above zero
  bool shown = false;               ///< examples hold it although it is not required
};

/// One option of `--set`.
struct OptionSpec {
  std::string name;
  std::string fallback;  ///< the default as the user would write it
  std::string meaning;   ///< one clause, with the range
  std::string example =
      {};  ///< another valid value, for B = 2, H = 4, N = 12 = 3 x 4, D = 4, D_v = 3, s = 3, r = 5; shown and tested
};

/// A call: arrays, settings and what every mechanism shares.
template <typename T>
struct Call {
  Arrays<T> inputs;
  Settings settings;
  Mask mask;
  Dropout dropout;
  unsigned threads = 0;
  Device device = Device::cpu;
};

/// The result of a forward pass, which knows how to go back.
template <typename T>
struct Evaluation {
  Tensor<T> out;
  /// Gradients of sum(out * dout), by input name, for every array of `Call::inputs` the mechanism takes. May be called
  /// once; frees what the forward pass saved.
  std::function<Arrays<T>(const Tensor<T>& dout)> backward;
};

/// A mechanism as data. `forward_float` and `forward_double` are the same template.
struct Mechanism {
  std::string name = {};     ///< as in `attest apply NAME`
  std::string title = {};    ///< a few words
  std::string formula = {};  ///< TeX, without dollar signs
  std::string source = {};   ///< paper and equation
  std::vector<InputSpec> inputs = {};
  std::vector<OptionSpec> options = {};
  bool takes_mask = true;         ///< `Mask::visible`; `evaluate` refuses it otherwise
  bool takes_key_lengths = true;  ///< `Mask::key_lengths`; `evaluate` refuses them otherwise
  bool takes_dropout = true;      ///< `Call::dropout` (it forms attention weights); `evaluate` refuses it otherwise
  bool takes_cuda = true;         ///< it ends in `attend`, which runs there; `evaluate` refuses the device otherwise
  bool positional = false;        ///< the order of the tokens matters also without a causal mask
  std::function<Evaluation<float>(const Call<float>&)> forward_float = {};
  std::function<Evaluation<double>(const Call<double>&)> forward_double = {};
  std::function<Cost(const CostShape&, const Settings&)> cost = {};
};

/// All mechanisms, in a fixed order.
const std::vector<Mechanism>& mechanisms();

/// Errors: std::invalid_argument naming the mechanism and the nearest known names.
const Mechanism& find_mechanism(std::string_view name);

/// Runs a mechanism after checking that every required input is there, none is unknown, shapes agree letter for letter,
/// entries are finite, every setting is known, and the mask fits. A causal mask is asked for by `Mask::causal` or by
/// the setting causal=true; a mechanism without the option `causal` refuses both. Errors: std::invalid_argument with
/// one sentence naming the input or the setting.
template <typename T>
Evaluation<T> evaluate(const Mechanism& mechanism, const Call<T>& call);

}  // namespace attest::attention
