// What an attention mechanism is to those who run, list, cost or train it: a declarative piece around the primitives.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/attention/attend/attend.hpp"
#include "kernels/attention/cost/cost.hpp"
#include "kernels/attention/mechanism/initialisation.hpp"
#include "kernels/attention/tensor.hpp"

namespace attest::attention {

template <typename T>
using Arrays = std::map<std::string, Tensor<T>, std::less<>>;

/// Options by name as the user wrote them ("causal" -> "true", "factors" -> "1,1,2,4").
using Settings = std::map<std::string, std::string, std::less<>>;

/// Where a model takes an input of its attention layers from.
enum class Role {
  tokens,            ///< projected from the layer's tokens: q, k, v
  parameter,         ///< learned, started by `InputSpec::initialisation`, or given by the caller
  position_queries,  ///< positions, projected as the queries are
  position_keys,     ///< positions, projected as the keys are
  first_values,      ///< the values of the first layer
  previous_values    ///< the values of the layer before
};

/// One array that a mechanism takes.
struct InputSpec {
  std::string name;  ///< "q", "qp", "wq", ...
  /// One pair of brackets per axis, a letter in each: B sequences, H heads, N tokens (N_q queries and N_k keys where
  /// they may differ), D features of queries and keys, D_v of values, s extent of a kernel, r projected tokens, C
  /// channels of a token, H_kv heads of keys and values, a divisor of H; a number is that extent. Equal letters are
  /// equal extents: `evaluate` checks them. "[B][H][N_q][D]"
  std::string shape;
  std::string meaning;  ///< one clause
  bool required = true;
  Initialisation initialisation = {};  ///< for a learnable parameter: how training starts it
  std::vector<std::string> also = {};  ///< other shapes that are taken, written alike; "[]" is one number
  bool positive = false;               ///< entries must be above zero
  bool shown = false;                  ///< examples hold it although it is not required
  bool may_hide = false;               ///< entries may be -infinity, which hides a key from a query
  bool positional = false;             ///< with it the order of the tokens matters, also without a causal mask
  bool kernels_alone = false;          ///< models as LibTorch operations refuse it
  bool breaks_shift = false;           ///< with it `Mechanism::shift` does not hold
  Role role = Role::parameter;
};

/// The shapes that an input may have, as text, the usual one first.
std::vector<std::string> forms_of(const InputSpec& input);

/// The first form that an array of these extents can have (can_have), or none: empty.
std::string form_of(const InputSpec& input, const Shape& shape);

/// One option of `--set`.
struct OptionSpec {
  std::string name;
  std::string fallback;  ///< the default as the user would write it
  std::string meaning;   ///< one clause, with the range
  std::string example =
      {};  ///< another valid value, for B = 2, H = 4, N = 12 = 3 x 4, D = 4, D_v = 3, s = 3, r = 5; shown and tested
  bool positional = false;     ///< with it the order of the tokens matters, also without a causal mask
  bool kernels_alone = false;  ///< models as LibTorch operations refuse it
  bool breaks_shift = false;   ///< with it `Mechanism::shift` does not hold
  std::string joining = {};    ///< the value with which heads and sequences depend on each other; empty: none
};

/// The arrays to which one vector may be added, at every token, without changing the output.
enum class Shift { none, keys, queries_and_keys };

/// A call: arrays, settings and what every mechanism shares.
template <typename T>
struct Call {
  Arrays<T> inputs;
  Settings settings;
  Mask mask;
  Dropout dropout;
  unsigned threads = 0;
  Device device = Device::cpu;
  bool inputs_stay = false;  ///< `inputs` live and stay as they are until the way back has run: they are not copied
};

/// The result of a forward pass, which knows how to go back.
template <typename T>
struct Evaluation {
  Tensor<T> out;
  /// Gradients of sum(out * dout), by input name, for every array of `Call::inputs` the mechanism takes. May be called
  /// once; frees what the forward pass saved.
  std::function<Arrays<T>(const Tensor<T>& dout)> backward;
  /// log sum exp of the logits [B][H][N_q] (kernels/attention/attend/attend.hpp) where `Mechanism::gives_lse`, and then
  /// the gradients of sum(out * dout) + sum(lse * dlse); instead of `backward`.
  Tensor<T> lse = {};
  std::function<Arrays<T>(const Tensor<T>& dout, const Tensor<T>& dlse)> backward_with_lse = {};
  /// [B][H][N_q], 1 where the caller asked for NaN in the outputs of a row without keys; empty: nowhere.
  std::vector<std::uint8_t> undefined_rows = {};
};

/// The primitive that runs a mechanism on q, k and v in place, without other inputs or settings.
enum class Primitive { none, attend, twicing };

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
  /// `Mask::visible` and the input `bias` of [B or 1][H or 1][N_q][N_k]; `evaluate` refuses them otherwise
  bool takes_mask_per_head = false;
  bool takes_packing = false;  ///< `Mask::query_starts` and `key_starts`; `evaluate` refuses them otherwise
  bool gives_lse = false;      ///< `Evaluation::lse`
  /// A key and value that a query does not see are not read for its output. In those that no query sees `evaluate`
  /// takes NaN and infinity, unless the mechanism adds own values; otherwise all entries must be finite.
  bool ignores_hidden_tokens = false;
  bool adds_own_values = false;  ///< out_i has a term of v_i outside the attention, whatever query i sees
  /// out = M v with one N x N matrix M per head, which depends on queries, keys and parameters alone.
  bool is_matrix = true;
  bool is_softmax_polynomial = false;   ///< and M is a polynomial of the softmax matrix
  Shift shift = Shift::none;            ///< without the options and inputs that break it
  bool takes_joined_positions = false;  ///< queries and keys may be joined with projected positions, of 2 D features
  Primitive primitive = Primitive::none;
  std::function<Evaluation<float>(const Call<float>&)> forward_float = {};
  std::function<Evaluation<double>(const Call<double>&)> forward_double = {};
  std::function<Cost(const CostShape&, const Settings&)> cost = {};
};

/// All mechanisms, in a fixed order.
const std::vector<Mechanism>& mechanisms();

/// Errors: std::invalid_argument naming the mechanism and the nearest known names.
const Mechanism& find_mechanism(std::string_view name);

/// Whether the mechanism has an option of that name.
bool declares(const Mechanism& mechanism, std::string_view option);

/// Runs a mechanism after checking that every required input is there, none is unknown, shapes agree letter for letter,
/// entries are finite (those of tokens that no query sees aside, where they are not read), every setting is known, and
/// the mask fits. A causal mask is asked for by `Mask::causal` or by the setting causal=true; a mechanism without the
/// option `causal` refuses both. Windows and alignments are settings too, never given by `Mask`. Errors:
/// std::invalid_argument with one sentence naming the input or the setting; also when an output overflows T, which
/// would be NaN or infinity.
template <typename T>
Evaluation<T> evaluate(const Mechanism& mechanism, const Call<T>& call);

}  // namespace attest::attention
