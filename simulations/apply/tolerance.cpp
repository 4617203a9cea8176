#include "simulations/apply/tolerance.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/random/stream.hpp"
#include "simulations/arrays/rounding.hpp"

namespace attest::apply {

using arrays::floating_array;
using arrays::floating_values;

namespace {

constexpr int draws = 8;
/// Smaller perturbations would drown in the evaluation's own rounding: the change is measured at this size, and scaled.
constexpr double least_measured = 0x1p-30;
constexpr double deviations = 6;
/// Of scale, exponential, normaliser and the like.
constexpr double other_roundings = 10;

std::int64_t largest_extent(const NamedArrays& arrays, std::size_t axis) {
  std::int64_t largest = 1;
  for (const char* name : {"q", "k", "v"})
    if (const auto array = arrays.find(name); array != arrays.end() && array->second.shape.size() > axis)
      largest = std::max(largest, array->second.shape[axis]);
  return largest;
}

double sign(random::Stream& stream) { return stream.uniform() < 0.5 ? 1 : -1; }

/// Adds to the entries of [rows][length][inner] random walks along the middle axis, each from its start or its end.
void add_walks(std::vector<double>& to, std::size_t length, std::size_t inner, double step, random::Stream& stream) {
  for (std::size_t start = 0; start < to.size(); start += length * inner)
    for (std::size_t column = 0; column < inner; ++column) {
      const bool from_end = stream.uniform() < 0.5;
      double walk = 0;
      for (std::size_t at = 0; at < length; ++at) {
        walk += step * sign(stream);
        to[start + (from_end ? length - 1 - at : at) * inner + column] += walk;
      }
    }
}

/// The relative perturbations of one array; of the model's random walks where it has tokens and features.
std::vector<double> relative_changes(const Array& array, const Perturbation& size, bool in_logits,
                                     random::Stream& stream) {
  const std::size_t entries = array.bytes.size() / size_of(array.type);
  const double other = std::hypot(std::sqrt(other_roundings) * size.unit, in_logits ? 0 : size.of_values);
  std::vector<double> changes(entries);
  for (double& change : changes) change = other * sign(stream);
  if (array.shape.size() != 4 || entries == 0) return changes;
  const auto tokens = static_cast<std::size_t>(array.shape[2]), features = static_cast<std::size_t>(array.shape[3]);
  add_walks(changes, tokens, features, size.unit, stream);
  add_walks(changes, features, 1, size.unit, stream);
  return changes;
}

/// Every finite floating entry x becomes x (1 + its perturbation).
NamedArrays perturbed(const NamedArrays& inputs, const Perturbation& size, std::uint64_t draw) {
  NamedArrays result = inputs;
  for (auto& [name, array] : result) {
    if (!is_floating(array.type)) continue;
    random::Stream stream(draw, random::stream_key(name), 1);
    const std::vector<double> changes = relative_changes(array, size, name == "q" || name == "k", stream);
    std::vector<double> values = floating_values<double>(array);
    for (std::size_t i = 0; i < values.size(); ++i)
      if (std::isfinite(values[i])) values[i] *= 1 + changes[i];
    array = floating_array<double>(array.shape, values);
  }
  return result;
}

/// The product of the largest |entry| of each input, none taken below 1; infinite entries aside.
double largest_product(const NamedArrays& inputs) {
  double product = 1;
  for (const auto& [name, array] : inputs) {
    if (!is_floating(array.type)) continue;
    double largest = 1;
    for (const double value : floating_values<double>(array))
      if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
    product *= largest;
  }
  return product;
}

/// Signs times `size` sum_d |R_id out_id| for every row: how the rounded mean of a row's gradients is off.
std::vector<double> moved_means(const Array& weights, const Array& out, double size, std::uint64_t draw) {
  const std::vector<double> r = floating_values<double>(weights), y = floating_values<double>(out);
  const auto features = static_cast<std::size_t>(out.shape.back());
  std::vector<double> rows(y.size() / features);
  random::Stream stream(draw, random::stream_key("R_lse"), 1);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t d = 0; d < features; ++d) rows[i] += std::abs(r[i * features + d] * y[i * features + d]);
    rows[i] *= size * sign(stream);
  }
  return rows;
}

/// The results at perturbed inputs: one draw.
NamedArrays moved_results(const attention::Mechanism& mechanism, const NamedArrays& inputs, ApplyPlan plan,
                          const NamedArrays& exact, const Perturbation& size, std::uint64_t draw) {
  NamedArrays moved = perturbed(inputs, size, draw);
  if (!plan.gradients || !mechanism.gives_lse) return apply_mechanism(mechanism, moved, plan);
  const Array& out = exact.at("out");
  const double of_means = std::hypot(std::sqrt(size.roundings) * size.unit, size.of_values);
  std::vector<double> means = moved_means(inputs.at("R"), out, of_means, draw);
  const std::vector<double> noise = means;
  if (const auto given = moved.find("R_lse"); plan.lse && given != moved.end()) {
    const std::vector<double> of_caller = floating_values<double>(given->second);
    for (std::size_t i = 0; i < means.size(); ++i) means[i] += of_caller[i];
  }
  moved["R_lse"] = floating_array<double>({out.shape.begin(), out.shape.end() - 1}, means);
  plan.lse = true;
  NamedArrays results = apply_mechanism(mechanism, moved, plan);
  // The loss of the caller has no such term.
  const std::vector<double> lse = floating_values<double>(results.at("lse"));
  double loss = floating_values<double>(results.at("loss")).front();
  for (std::size_t i = 0; i < lse.size(); ++i)
    if (std::isfinite(lse[i])) loss -= lse[i] * noise[i];
  results["loss"] = floating_array<double>({}, {&loss, 1});
  return results;
}

/// Each entry at least the root mean square over its last axis.
void pool_rows(std::vector<double>& sigmas, const std::vector<std::int64_t>& shape) {
  const std::size_t row = shape.empty() ? 1 : static_cast<std::size_t>(std::max<std::int64_t>(1, shape.back()));
  for (std::size_t start = 0; start + row <= sigmas.size(); start += row) {
    double all = 0;
    for (std::size_t i = start; i < start + row; ++i) all = std::hypot(all, sigmas[i]);
    for (std::size_t i = start; i < start + row; ++i)
      sigmas[i] = std::max(sigmas[i], all / std::sqrt(static_cast<double>(row)));
  }
}

}  // namespace

Perturbation perturbation_of(const NamedArrays& inputs, ElementType type) {
  const bool half = size_of(type) < size_of(ElementType::float32);
  const auto tokens = static_cast<double>(largest_extent(inputs, 2)),
             features = static_cast<double>(largest_extent(inputs, 3));
  return {.unit = unit_roundoff(half ? ElementType::float32 : type),
          .of_values = half ? 2 * unit_roundoff(type) : 0,
          .roundings = tokens + features + other_roundings,
          .tokens = tokens,
          .underflow = tokens * least_kept(type) * largest_product(inputs)};
}

std::map<std::string, std::vector<double>> standard_deviations(const attention::Mechanism& mechanism,
                                                               const NamedArrays& inputs, const ApplyPlan& plan,
                                                               const NamedArrays& exact,
                                                               const Perturbation& perturbation) {
  const double enlarged = std::max(1.0, least_measured / perturbation.unit);
  Perturbation measured = perturbation;
  measured.unit *= enlarged;
  measured.of_values *= enlarged;
  std::map<std::string, std::vector<double>> sigmas;
  for (int draw = 0; draw < draws; ++draw)
    for (const auto& [name, array] :
         moved_results(mechanism, inputs, plan, exact, measured, static_cast<std::uint64_t>(draw))) {
      if (!exact.contains(name)) continue;
      const std::vector<double> moved = floating_values<double>(array),
                                centre = floating_values<double>(exact.at(name));
      std::vector<double>& sigma = sigmas[name];
      sigma.resize(moved.size());
      for (std::size_t i = 0; i < moved.size(); ++i) {
        const double change = (moved[i] - centre[i]) / enlarged;
        // An entry that is infinite by definition (lse of an empty row) does not move.
        // By hypot, because the squares of small gradients would underflow.
        if (std::isfinite(centre[i])) sigma[i] = std::hypot(sigma[i], change / std::sqrt(double{draws}));
      }
    }
  for (auto& [name, sigma] : sigmas) pool_rows(sigma, exact.at(name).shape);
  if (const auto lse = sigmas.find("lse"); lse != sigmas.end())
    for (double& sigma : lse->second) sigma = std::hypot(sigma, std::sqrt(perturbation.tokens) * perturbation.unit);
  return sigmas;
}

double tolerance(double sigma, double exact, ElementType type, const Perturbation& perturbation) {
  return deviations * sigma + unit_roundoff(type) * std::abs(exact) + perturbation.underflow;
}

}  // namespace attest::apply
