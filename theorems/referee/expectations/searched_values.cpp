#include "theorems/referee/expectations/searched_values.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "theorems/referee/expectations/random_draws.hpp"
#include "theorems/referee/points/work.hpp"

namespace attest::referee {
namespace {

constexpr int nodes_of_one = 400, nodes_of_two = 60;

/// All points of the product of weighted points in each random coordinate.
template <typename Visit>
void for_each_case(const std::vector<RandomNumber>& numbers, const std::vector<std::vector<Atom>>& nodes,
                   std::vector<double>& raw, const Visit& visit) {
  std::vector<std::size_t> at(numbers.size(), 0);
  for (;;) {
    double weight = 1;
    for (std::size_t d = 0; d < numbers.size(); ++d) {
      raw[numbers[d].coordinate] = nodes[d][at[d]].value;
      weight *= nodes[d][at[d]].probability;
    }
    visit(weight);
    std::size_t d = 0;
    while (d < numbers.size() && ++at[d] == nodes[d].size()) at[d++] = 0;
    if (d == numbers.size()) return;
  }
}

}  // namespace

SearchedValues::SearchedValues(const language::Program& program, Means means, const engine::Context& context)
    : program_(program), numbers_(random_numbers(program)), means_(means), evaluator_(program) {
  if (means_ != Means::samples) return;
  const double work = work_of(program);
  const auto count = static_cast<std::size_t>(std::clamp(2e6 / work, 64.0, 1024.0));
  for (std::size_t s = 0; s < count; ++s) streams_.emplace_back(context.seed, context.key, 0x5A0000000000 + s);
}

double SearchedValues::probability_of_one(std::vector<double>& point, const LawAt& law, const std::vector<Atom>& nodes,
                                          std::size_t e) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  constexpr int halvings = 60;
  const auto happens = [&](double x) {
    point[numbers_[0].coordinate] = x;
    evaluator_.run(point);
    return integrand(evaluator_, program_.expectations()[e]);
  };
  double total = 0, from = -inf;
  bool inside = happens(nodes.front().value) == 1;
  for (std::size_t k = 1; k <= nodes.size(); ++k) {
    const bool next = k < nodes.size() && happens(nodes[k].value) == 1;
    if (k < nodes.size() && next == inside) continue;
    if (k == nodes.size()) {
      if (inside) total += mass_between(law, from, inf);
      break;
    }
    double low = nodes[k - 1].value, high = nodes[k].value;
    for (int step = 0; step < halvings && low < high; ++step) {
      const double middle = low + (high - low) / 2;
      if (middle == low || middle == high) break;
      ((happens(middle) == 1) == inside ? low : high) = middle;
    }
    if (inside) total += mass_between(law, from, high);
    from = high;
    inside = next;
  }
  return total;
}

std::vector<double> SearchedValues::operator()(std::span<const double> raw) {
  std::vector<double> point(raw.begin(), raw.end());
  const auto& expectations = program_.expectations();
  std::vector<double> sums(expectations.size(), 0.0);
  evaluator_.run(point);
  std::vector<LawAt> laws;
  for (const RandomNumber& number : numbers_) laws.push_back(law_at(*number.input, evaluator_));
  const auto add = [&](double weight) {
    evaluator_.run(point);
    for (std::size_t e = 0; e < sums.size(); ++e) sums[e] += weight * integrand(evaluator_, expectations[e]);
  };
  try {
    if (means_ == Means::samples) {
      for (random::Stream& stream : streams_) {
        stream.seek(0);
        for (std::size_t d = 0; d < numbers_.size(); ++d) point[numbers_[d].coordinate] = draw(laws[d], stream);
        add(1.0 / static_cast<double>(streams_.size()));
      }
    } else {
      std::vector<std::vector<Atom>> nodes;
      for (const LawAt& law : laws) nodes.push_back(quadrature(law, numbers_.size() > 1 ? nodes_of_two : nodes_of_one));
      if (std::any_of(nodes.begin(), nodes.end(), [](const auto& each) { return each.empty(); }))
        throw std::invalid_argument("the law has no mass at these arguments");
      for_each_case(numbers_, nodes, point, add);
      for (std::size_t e = 0; e < sums.size() && numbers_.size() == 1 && laws[0].name != "poisson"; ++e) {
        if (!expectations[e].probability || atoms(laws[0])) continue;
        if (const double exact = probability_of_one(point, laws[0], nodes[0], e); !std::isnan(exact)) sums[e] = exact;
      }
    }
  } catch (const std::exception&) {
    // Arguments that the law does not allow: no number here.
    std::fill(sums.begin(), sums.end(), std::numeric_limits<double>::quiet_NaN());
  }
  return sums;
}

}  // namespace attest::referee
