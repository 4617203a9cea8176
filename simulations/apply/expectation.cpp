#include "simulations/apply/expectation.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "simulations/apply/tolerance.hpp"

namespace attest::apply {

using arrays::floating_values;
using arrays::quoted_name;
using arrays::shape_text;

namespace {

std::vector<std::int64_t> place_of(std::size_t entry, const std::vector<std::int64_t>& shape) {
  std::vector<std::int64_t> place(shape.size());
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    place[axis] = static_cast<std::int64_t>(entry) % shape[axis];
    entry /= static_cast<std::size_t>(shape[axis]);
  }
  return place;
}

/// Of two numbers, where equal infinities and NaN for NaN are not an error.
double error_of(double found, double exact) {
  if (found == exact || (std::isnan(found) && std::isnan(exact))) return 0;
  const double error = std::abs(found - exact);
  return std::isnan(error) ? HUGE_VAL : error;
}

Comparison compared(const std::string& name, const Array& array, const Array& exact,
                    const std::vector<double>& deviations, const Perturbation& perturbation) {
  const std::vector<double> found = floating_values<double>(array), ours = floating_values<double>(exact);
  Comparison result{.name = name, .type = array.type, .entries = static_cast<std::int64_t>(found.size())};
  std::size_t worst = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const double error = error_of(found[i], ours[i]);
    const double allowed = std::isfinite(ours[i]) ? tolerance(deviations[i], ours[i], array.type, perturbation) : 0;
    if (error > allowed) ++result.outside;
    if (error > 0) result.largest_ratio = std::max(result.largest_ratio, error / allowed);
    if (i > 0 && !(error > result.largest_error)) continue;
    result.largest_error = error;
    result.tolerance = allowed;
    worst = i;
  }
  if (!found.empty()) result.where = place_of(worst, array.shape);
  return result;
}

void require_comparable(const std::string& name, const Array& array, const NamedArrays& results,
                        const attention::Mechanism& mechanism) {
  const auto found = results.find(name);
  if (found == results.end()) {
    std::vector<std::string> names;
    for (const auto& [known, ours] : results) names.push_back(known);
    throw std::invalid_argument(fmt::format("--expect: {} is not a result of {} here, which gives {}",
                                            quoted_name(name), mechanism.name, fmt::join(names, ", ")));
  }
  if (!is_floating(array.type))
    throw std::invalid_argument(
        fmt::format("--expect: {} holds {}; save it as floating-point numbers", name, arrays::name(array.type)));
  if (array.shape != found->second.shape)
    throw std::invalid_argument(fmt::format("--expect: {} has the shape {} where ours has {}", name,
                                            shape_text(array.shape), shape_text(found->second.shape)));
}

}  // namespace

std::vector<Comparison> compare_with(const NamedArrays& expected, const attention::Mechanism& mechanism,
                                     const NamedArrays& inputs, const ApplyPlan& plan) {
  if (expected.empty()) throw std::invalid_argument("--expect: the file holds no array");
  const NamedArrays given = in_other_layout(mechanism, rounded_inputs(inputs, plan.type), plan.layout);
  ApplyPlan in_double = plan;
  in_double.type = ElementType::float64;
  in_double.layout = Layout::bhnd;
  const NamedArrays exact = apply_mechanism(mechanism, given, in_double);
  for (const auto& [name, array] : expected)
    require_comparable(name, array, in_other_layout(mechanism, exact, plan.layout), mechanism);
  std::map<ElementType, std::map<std::string, std::vector<double>>> deviations;
  std::vector<Comparison> comparisons;
  for (const auto& [name, array] : in_other_layout(mechanism, expected, plan.layout)) {
    const Perturbation perturbation = perturbation_of(given, array.type);
    if (!deviations.contains(array.type))
      deviations[array.type] = standard_deviations(mechanism, given, in_double, exact, perturbation);
    comparisons.push_back(compared(name, array, exact.at(name), deviations[array.type].at(name), perturbation));
    std::vector<std::int64_t>& where = comparisons.back().where;
    if (plan.layout == Layout::bnhd && where.size() == 4 && depends_on_layout(mechanism, name))
      std::swap(where[1], where[2]);
  }
  return comparisons;
}

}  // namespace attest::apply
