// Properties of mechanisms that are about which tokens matter: causality, order, padding, rows without keys.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tests/kernels/attention/mechanisms/mechanism_calls.hpp"

namespace attest::attention {
namespace {

/// Sums in another order: a few roundings of 2^-53 for each of a dozen terms.
constexpr double reordering_tolerance = 1e-12;

Index tokens_of(const Call<double>& call) { return call.inputs.at("q").extent(2); }

bool is_per_sequence(const InputSpec& input) { return input.shape.starts_with("[B]"); }

/// Every input's tokens from `after` on replaced by others.
Arrays<double> with_other_future(const Mechanism& mechanism, const Arrays<double>& inputs, Index after) {
  Arrays<double> changed = inputs;
  for (const InputSpec& input : present_inputs(mechanism, inputs))
    for (const Index axis : token_axes(input)) {
      const Tensor<double>& old = changed[input.name];
      Index inner = 1;
      for (Index a = axis + 1; a < old.rank(); ++a) inner *= old.extent(a);
      Tensor<double> other = old;
      for (Index i = 0; i < other.size(); ++i)
        if (i / inner % old.extent(axis) >= after) other.values()[static_cast<std::size_t>(i)] *= -3;
      changed[input.name] = std::move(other);
    }
  return changed;
}

Tensor<double> rows_up_to(const Tensor<double>& array, Index count) { return gather(array, 2, first(count)); }

bool is_zero(const Tensor<double>& array) {
  return std::all_of(array.values().begin(), array.values().end(), [](double entry) { return entry == 0; });
}

bool is_finite(const Tensor<double>& array) {
  return std::all_of(array.values().begin(), array.values().end(), [](double entry) { return std::isfinite(entry); });
}

/// One sequence of a batch, for inputs whose first letter is B.
Call<double> sequence_of(const Mechanism& mechanism, const Call<double>& call, Index b) {
  Call<double> one = call;
  for (const InputSpec& input : present_inputs(mechanism, call.inputs))
    if (is_per_sequence(input)) one.inputs[input.name] = gather(call.inputs.at(input.name), 0, {b});
  one.mask.key_lengths.clear();
  return one;
}

/// What a query without keys is left with: zero but for what is added outside the attention.
double row_without_keys(const Mechanism& mechanism, const Call<double>& call, Index b, Index h, Index i, Index d) {
  const double v = call.inputs.at("v").at(b, h, i, d);
  if (mechanism.name == "graph-diffusion") return -v;
  if (mechanism.name == "neutreno" && call.inputs.contains("v0")) {
    const auto learnt = call.inputs.find("lambda");
    const auto set = call.settings.find("lambda");
    double lambda = set == call.settings.end() ? 0.6 : std::stod(set->second);
    if (learnt != call.inputs.end())
      lambda = learnt->second.values()[learnt->second.size() == 1 ? 0 : static_cast<std::size_t>(h)];
    return lambda * (call.inputs.at("v0").at(b, h, i, d) - v);
  }
  return 0;
}

/// Queries (b, i) for which `is_empty` holds see no key.
template <typename IsEmpty>
void complain_of_empty_rows(Complaints& complaints, const Mechanism& mechanism, const Call<double>& call,
                            const std::string& reason, IsEmpty is_empty) {
  Evaluation<double> evaluation = evaluate(mechanism, call);
  const Tensor<double>& out = evaluation.out;
  Tensor<double> weights(out.shape());  // the loss looks at the rows without keys alone
  double error = 0;
  for (Index b = 0; b < out.extent(0); ++b)
    for (Index h = 0; h < out.extent(1); ++h)
      for (Index i = 0; i < out.extent(2); ++i)
        for (Index d = 0; d < out.extent(3) && is_empty(b, i); ++d) {
          weights.at(b, h, i, d) = 1;
          const double difference = std::abs(out.at(b, h, i, d) - row_without_keys(mechanism, call, b, h, i, d));
          error = std::max(error, std::isnan(difference) ? INFINITY : difference);
        }
  if (!(error <= reordering_tolerance))
    complaints.push_back(fmt::format("{}: the output of a query without keys is off by {:.3g}", reason, error));
  if (!is_finite(out)) complaints.push_back(reason + ": some output is not finite");
  for (const auto& [name, gradient] : evaluation.backward(weights)) {
    const bool outside =
        name == "v0" || name == "lambda" || (name == "v" && row_without_keys(mechanism, call, 0, 0, 0, 0) != 0);
    if (!(outside ? is_finite(gradient) : is_zero(gradient)))
      complaints.push_back(fmt::format("{}: a query without keys has a gradient for {}", reason, name));
  }
}

}  // namespace

Complaints leaks_from_the_future(const Mechanism& mechanism, const Variant& variant) {
  Complaints complaints;
  const Call<double> call = call_of<double>(mechanism, variant);
  const Tensor<double> out = evaluate(mechanism, call).out;
  for (Index seen = 1; seen < tokens_of(call); ++seen) {
    Call<double> changed = call;
    changed.inputs = with_other_future(mechanism, call.inputs, seen);
    Evaluation<double> evaluation = evaluate(mechanism, changed);
    if (rows_up_to(evaluation.out, seen) != rows_up_to(out, seen))
      complaints.push_back(fmt::format("an output before token {} depends on tokens from there on", seen));
    if (evaluation.out == out) complaints.push_back(fmt::format("tokens from {} on do not matter at all", seen));
    Tensor<double> weights = output_weights<double>(out.shape());
    for (Index i = 0; i < weights.size(); ++i)
      if (i / weights.extent(3) % weights.extent(2) >= seen) weights.values()[static_cast<std::size_t>(i)] = 0;
    const Arrays<double> gradients = evaluation.backward(weights);
    for (const InputSpec& input : present_inputs(mechanism, call.inputs))
      for (const Index axis : token_axes(input)) {
        std::vector<Index> future;
        for (Index token = seen; token < tokens_of(call); ++token) future.push_back(token);
        if (!is_zero(gather(gradients.at(input.name), axis, future)))
          complaints.push_back(fmt::format("outputs before token {} have a gradient for later {}", seen, input.name));
      }
  }
  return complaints;
}

Complaints wrong_equivariance(const Mechanism& mechanism, const Variant& variant) {
  const Call<double> call = call_of<double>(mechanism, variant);
  std::vector<Index> order = first(tokens_of(call));
  for (Index i = 0; i < tokens_of(call); ++i) order[static_cast<std::size_t>(i)] = i * 5 % tokens_of(call);
  Call<double> permuted = call;
  permuted.inputs = gather_tokens(mechanism, call.inputs, order);
  const double error =
      relative_error(evaluate(mechanism, permuted).out, gather(evaluate(mechanism, call).out, 2, order));
  const bool positional = is_positional(mechanism, variant);
  if (!positional && !(error <= reordering_tolerance))
    return {fmt::format("permuted tokens give outputs that are off by {:.3g}", error)};
  if (positional && !(error > 1e-6)) return {"is called positional, but the order of tokens does not matter"};
  return {};
}

Complaints errors_of_key_lengths(const Mechanism& mechanism, const Variant& variant) {
  Complaints complaints;
  Call<double> call = call_of<double>(mechanism, variant);
  for (const OptionSpec& option : mechanism.options)
    if (option.name == "stride") call.settings.emplace("stride", "3");
  call.mask.key_lengths = {7, tokens_of(call)};
  const Tensor<double> whole_weights = output_weights<double>(evaluate(mechanism, call).out.shape());
  Tensor<double> weights = whole_weights;
  // Queries that are padding see real keys, which the cut sequence has not: the loss leaves them out.
  for (Index h = 0; h < weights.extent(1); ++h)
    for (Index i = call.mask.key_lengths[0]; i < weights.extent(2); ++i)
      for (Index d = 0; d < weights.extent(3); ++d) weights.at(0, h, i, d) = 0;
  const Results<double> padded = results_of(mechanism, call, weights);
  for (const Index b : {0, 1}) {
    const Index length = call.mask.key_lengths[static_cast<std::size_t>(b)];
    Call<double> cut = sequence_of(mechanism, call, b);
    cut.inputs = gather_tokens(mechanism, cut.inputs, first(length));
    const Results<double> expected = results_of(mechanism, cut, rows_up_to(gather(weights, 0, {b}), length));
    compare(complaints, fmt::format("sequence {} of {} keys", b, length),
            rows_up_to(gather(padded.out, 0, {b}), length), expected.out, reordering_tolerance);
    for (const InputSpec& input : present_inputs(mechanism, call.inputs)) {
      if (!is_per_sequence(input)) continue;  // summed over the sequences
      Tensor<double> gradient = gather(padded.gradients.at(input.name), 0, {b});
      for (const Index axis : token_axes(input)) gradient = gather(gradient, axis, first(length));
      compare(complaints, fmt::format("gradient of {} of sequence {} of {} keys", input.name, b, length), gradient,
              expected.gradients.at(input.name), reordering_tolerance);
    }
  }
  return complaints;
}

Complaints bits_that_depend_on_hidden_tokens(const Mechanism& mechanism, const Variant& variant) {
  Complaints complaints;
  Call<double> call = call_of<double>(mechanism, variant);
  const Index keys = call.inputs.at("k").extent(2), length = keys - 3;
  call.mask.key_lengths = {length, keys};
  const Tensor<double> weights = output_weights<double>(evaluate(mechanism, call).out.shape());
  const Results<double> clean = results_of(mechanism, call, weights);
  for (const double poison : {std::nan(""), double(INFINITY), -double(INFINITY), 1e30})
    for (const char* name : {"k", "v"}) {
      Call<double> poisoned = call;
      Tensor<double>& array = poisoned.inputs.at(name);
      for (Index h = 0; h < array.extent(1); ++h)
        for (Index j = length; j < keys; ++j)
          for (Index d = 0; d < array.extent(3); ++d) array.at(0, h, j, d) = poison;
      const Results<double> results = results_of(mechanism, poisoned, weights);
      if (results.out != clean.out || results.gradients != clean.gradients)
        complaints.push_back(fmt::format("{} in padded {} changes a result", poison, name));
    }
  return complaints;
}

Complaints errors_of_rows_without_keys(const Mechanism& mechanism, const Variant& variant) {
  Complaints complaints;
  const Call<double> call = call_of<double>(mechanism, variant);
  if (mechanism.takes_mask) {
    constexpr Index hidden_query = 3;
    Call<double> masked = call;
    masked.mask.visible.assign(static_cast<std::size_t>(tokens_of(call) * call.inputs.at("k").extent(2)), 1);
    for (Index j = 0; j < call.inputs.at("k").extent(2); ++j)
      masked.mask.visible[static_cast<std::size_t>(hidden_query * call.inputs.at("k").extent(2) + j)] = 0;
    complain_of_empty_rows(complaints, mechanism, masked, "mask", [](Index, Index i) { return i == hidden_query; });
  }
  if (mechanism.takes_key_lengths) {
    Call<double> empty = call;
    empty.mask.key_lengths = {call.inputs.at("k").extent(2), 0};
    complain_of_empty_rows(complaints, mechanism, empty, "key_lengths", [](Index b, Index) { return b == 1; });
  }
  return complaints;
}

}  // namespace attest::attention
