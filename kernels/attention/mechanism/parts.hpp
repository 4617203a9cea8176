// What the files of this folder share: the inputs and options most mechanisms have, and small steps on arrays.
#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/attention/mechanism/mechanism.hpp"
#include "kernels/attention/mechanism/option_reader.hpp"

namespace attest::attention::definitions {

/// q, k, v with N_q queries and N_k keys, and `more`.
std::vector<InputSpec> query_key_value(std::vector<InputSpec> more = {});
/// q, k, v of the same N tokens, and `more`: for mechanisms that need A square.
std::vector<InputSpec> tokens(std::vector<InputSpec> more = {});
/// As query_key_value, with keys and values of H_kv heads, each read by H / H_kv heads of queries.
std::vector<InputSpec> grouped_query_key_value(std::vector<InputSpec> more = {});
/// The optional term [H][N_q][N_k] that is added to the scaled logits.
InputSpec logit_bias(bool square = false);
/// The same, of [N_q][N_k], [B][1][N_q][N_k] or [B][H][N_q][N_k] too, where entries of -infinity hide keys.
InputSpec mask_bias();
/// The option `causal`.
OptionSpec causal_option();
/// The options `causal`, `scale`, `window` and `softcap`, which `attend_options` reads.
std::vector<OptionSpec> causal_and_logit_options();
/// These and the other options of one attention that `attend_options` reads: `alignment` and `empty_rows`.
std::vector<OptionSpec> attention_options();
/// `epsilon` of a mean and variance.
OptionSpec epsilon_option();

template <typename T>
const Tensor<T>& input(const Call<T>& call, std::string_view name) {
  return call.inputs.find(name)->second;
}
/// nullptr when it was not given.
template <typename T>
const Tensor<T>* optional_input(const Call<T>& call, std::string_view name) {
  const auto found = call.inputs.find(name);
  return found == call.inputs.end() ? nullptr : &found->second;
}

/// An array for as long as somebody may go back.
template <typename T>
using Kept = std::shared_ptr<const Tensor<T>>;
template <typename T>
Kept<T> kept(Tensor<T> x) {
  return std::make_shared<const Tensor<T>>(std::move(x));
}
template <typename T>
Kept<T> kept(Kept<T> x) {
  return x;
}
/// An input that is there: itself where inputs stay, else a copy.
template <typename T>
Kept<T> kept_input(const Call<T>& call, std::string_view name) {
  const Tensor<T>& x = input(call, name);
  return call.inputs_stay ? Kept<T>(Kept<T>(), &x) : kept(x);
}

/// What `attend` is called with: the call's mask, bias, dropout and threads; scale 1/sqrt(D); and what the options of
/// attention_options that the mechanism declares say instead. `causal` is asked for by the mask or by the option.
/// Errors: std::invalid_argument as OptionReader.
template <typename T>
AttendOptions<T> attend_options(const Call<T>& call, const OptionReader& read);

/// One number per head: the learnable input `name` ([H] or one number for all) where it was given, otherwise `value`.
template <typename T>
std::vector<T> per_head(const Call<T>& call, std::string_view name, Index heads, double value);
/// Adds the gradient of a learnable number, given a head at a time, in the shape of the input; nothing when it was not
/// given.
template <typename T>
void put_per_head(Arrays<T>& gradients, const Shape& shape, std::string_view name, const std::vector<T>& gradient);

/// sum over sequences, tokens and features of x y, for each head of [B][H][N][D]; in double.
template <typename T>
std::vector<T> sums_per_head(const Tensor<T>& x, const Tensor<T>& y);

/// a x + b y, entry by entry.
template <typename T>
Tensor<T> combination(T a, const Tensor<T>& x, T b, const Tensor<T>& y);
/// x + y into x.
template <typename T>
void add(Tensor<T>& x, const Tensor<T>& y);

/// The same entries in another shape of as many. Errors: std::invalid_argument when it has not as many.
template <typename T>
Tensor<T> reshaped(const Tensor<T>& x, Shape shape);

/// Every entry in another type, float or double.
template <typename To, typename From>
Tensor<To> converted(const Tensor<From>& x);

/// Errors: std::invalid_argument when the largest logit of a row is beyond T: the way back, which starts from it, would
/// give zeros.
template <typename T>
void require_representable(const Attended<T>& attended);

/// An attention that has run and can go back.
template <typename T>
struct SavedAttention {
  Kept<T> q, k, v;
  AttendOptions<T> options;
  Attended<T> attended;

  SavedAttention(Kept<T> queries, Kept<T> keys, Kept<T> values, AttendOptions<T> how)
      : q(std::move(queries)),
        k(std::move(keys)),
        v(std::move(values)),
        options(std::move(how)),
        attended(attend(*q, *k, *v, options)) {
    require_representable(attended);
  }
  AttendGradients<T> backward(const Tensor<T>& dout, const Tensor<T>* dlse = nullptr) const {
    return attend_backward(*q, *k, *v, options, attended, dout, dlse);
  }
};

/// The arrays are of type Kept<T>, or of type Tensor<T> where nobody else keeps them.
template <typename T, typename Q, typename K, typename V>
std::shared_ptr<const SavedAttention<T>> saved_attention(Q q, K k, V v, AttendOptions<T> options) {
  return std::make_shared<const SavedAttention<T>>(kept(std::move(q)), kept(std::move(k)), kept(std::move(v)),
                                                   std::move(options));
}

/// The evaluation of one attention whose gradients are named by `name(gradients)`, with its lse.
template <typename T, typename Name>
Evaluation<T> evaluation_of(std::shared_ptr<const SavedAttention<T>> saved, Name name) {
  Evaluation<T> evaluation{saved->attended.out, {}, log_sum_exp(saved->attended)};
  if (saved->options.empty_rows == EmptyRows::nan)
    for (const T normaliser : saved->attended.normaliser.values())
      evaluation.undefined_rows.push_back(normaliser == 0 ? 1 : 0);
  evaluation.backward = [saved, name](const Tensor<T>& dout) mutable {
    return name(std::exchange(saved, nullptr)->backward(dout));
  };
  evaluation.backward_with_lse = [saved, name](const Tensor<T>& dout, const Tensor<T>& dlse) mutable {
    return name(std::exchange(saved, nullptr)->backward(dout, &dlse));
  };
  return evaluation;
}

/// By input name: q, k, v, and bias where there was one.
template <typename T>
Arrays<T> named(AttendGradients<T> gradients) {
  Arrays<T> result;
  if (!gradients.bias.empty()) result.emplace("bias", std::move(gradients.bias));
  result.emplace("q", std::move(gradients.q));
  result.emplace("k", std::move(gradients.k));
  result.emplace("v", std::move(gradients.v));
  return result;
}

/// A call in float evaluated in double and rounded once, output and gradients: where float would lose digits that the
/// result depends on.
Evaluation<float> in_double(const Call<float>& call,
                            const std::function<Evaluation<double>(const Call<double>&)>& forward);

/// The shape with `causal` as the setting says.
CostShape with_causal(CostShape shape, const Settings& settings);

/// Number of real queries of each sequence: the key lengths where queries and keys are the same tokens, otherwise all.
std::vector<Index> query_lengths(const Mask& mask, Index batch, Index queries, Index keys);

}  // namespace attest::attention::definitions
