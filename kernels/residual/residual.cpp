#include "kernels/residual/residual.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

namespace attest::residual {
namespace {

/// Entry l, or the last where there are fewer.
template <typename V>
V entry(const std::vector<V>& values, attention::Index layer, const char* name) {
  if (values.empty()) throw std::invalid_argument(fmt::format("a residual rule has no {}", name));
  return values[std::min(static_cast<std::size_t>(layer), values.size() - 1)];
}

struct Term {
  attention::Index source;
  double weight;
};

std::vector<Term> terms(const ResidualRule& rule, attention::Index layer) {
  const double t = rule.factor(layer);
  switch (rule.kind) {
    case ResidualRule::generalised:
      return {{rule.source(layer), t}};
    case ResidualRule::boosting:
      return {{0, t}, {layer, 1 - t}};
    default:
      return {{layer, 1}};
  }
}

template <typename T>
void add_scaled(attention::Tensor<T>& x, double weight, const attention::Tensor<T>& y) {
  for (std::size_t i = 0; i < x.values().size(); ++i) x.values()[i] += static_cast<T>(weight) * y.values()[i];
}

template <typename T>
double inner_product(const attention::Tensor<T>& x, const attention::Tensor<T>& y) {
  double sum = 0;
  for (std::size_t i = 0; i < x.values().size(); ++i)
    sum += static_cast<double>(x.values()[i]) * static_cast<double>(y.values()[i]);
  return sum;
}

template <typename T>
void check(const std::vector<Term>& all, attention::Index layer, const attention::Tensor<T>& output,
           const std::vector<attention::Tensor<T>>& states) {
  if (static_cast<attention::Index>(states.size()) != layer + 1)
    throw std::invalid_argument(fmt::format("layer {} needs {} states, found {}", layer, layer + 1, states.size()));
  for (const Term& term : all) {
    if (term.source < 0 || term.source > layer)
      throw std::invalid_argument(
          fmt::format("a residual of layer {} from state {}; give one of 0..{}", layer, term.source, layer));
    if (states[static_cast<std::size_t>(term.source)].shape() != output.shape())
      throw std::invalid_argument(fmt::format("the shape of state {} differs from the layer's output", term.source));
  }
}

}  // namespace

double ResidualRule::factor(attention::Index layer) const {
  const double t = kind == standard ? 1 : entry(factors, kind == boosting ? 0 : layer, "factor");
  return kind == boosting && constrained ? std::clamp(t, 0.0, 1.0) : t;
}

attention::Index ResidualRule::source(attention::Index layer) const { return entry(sources, layer, "source"); }

ResidualRule boosting_rule(double t, bool constrained) {
  return {.kind = ResidualRule::boosting, .factors = {t}, .constrained = constrained};
}

template <typename T>
attention::Tensor<T> residual(const ResidualRule& rule, attention::Index layer, const attention::Tensor<T>& output,
                              const std::vector<attention::Tensor<T>>& states) {
  const std::vector<Term> all = terms(rule, layer);
  check(all, layer, output, states);
  attention::Tensor<T> next = output;
  for (const Term& term : all) add_scaled(next, term.weight, states[static_cast<std::size_t>(term.source)]);
  return next;
}

template <typename T>
double residual_backward(const ResidualRule& rule, attention::Index layer,
                         const std::vector<attention::Tensor<T>>& states, const attention::Tensor<T>& dnext,
                         std::vector<attention::Tensor<T>>& dstates) {
  const std::vector<Term> all = terms(rule, layer);
  check(all, layer, dnext, states);
  check(all, layer, dnext, dstates);
  for (const Term& term : all) add_scaled(dstates[static_cast<std::size_t>(term.source)], term.weight, dnext);
  if (rule.kind == ResidualRule::standard) return 0;
  double dt = inner_product(dnext, states[static_cast<std::size_t>(all.front().source)]);
  if (rule.kind == ResidualRule::boosting) dt -= inner_product(dnext, states.back());
  if (rule.kind == ResidualRule::boosting && rule.constrained) {
    const double t = rule.factors.front();
    if ((t <= 0 && dt > 0) || (t >= 1 && dt < 0)) return 0;  // descent would leave [0, 1]
  }
  return dt;
}

#define ATTEST_INSTANTIATE(T)                                                                                        \
  template attention::Tensor<T> residual(const ResidualRule&, attention::Index, const attention::Tensor<T>&,         \
                                         const std::vector<attention::Tensor<T>>&);                                  \
  template double residual_backward(const ResidualRule&, attention::Index, const std::vector<attention::Tensor<T>>&, \
                                    const attention::Tensor<T>&, std::vector<attention::Tensor<T>>&);
ATTEST_INSTANTIATE(float)
ATTEST_INSTANTIATE(double)
#undef ATTEST_INSTANTIATE

}  // namespace attest::residual
