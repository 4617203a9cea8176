#include "theorems/language/mechanisms/definitions.hpp"

#include <algorithm>

namespace attest::language {
namespace {

const std::vector<MechanismDefinition>& table() {
  using Named = MechanismDefinition::Named;
  const Named mean{"m", "k'*ones(rows(k))/rows(k)"};
  // Taps at whole distances from the middle one, which of an even number is the first of the two middle ones.
  const Named tokens{"i", "cumsum(ones(rows(q)))"};
  static const std::vector<MechanismDefinition> all = {
      {.mechanism = "softmax", .powers_of_softmax = {1}},
      // 2A - A^2.
      {.mechanism = "twicing", .powers_of_softmax = {2, -1}},
      // Primal-Dual Definition 1, Eqs 22 and 23.
      {.mechanism = "attention-bn",
       .settings = {{"beta", "1"}, {"eps", "1e-5"}},
       .steps = {mean,
                 {"z", "k - outer(ones(rows(k)), m)"},
                 {"s", "sqrt((z .* z)'*ones(rows(k))/rows(k) + eps)"},
                 {"a", "(q - beta*outer(ones(rows(q)), m))*diag(1 ./ s)"},
                 {"b", "(k - beta*outer(ones(rows(k)), m))*diag(1 ./ s)"},
                 {"out", "softmax(a*b'/sqrt(cols(q)))*v"}}},
      // Primal-Dual Eq 26.
      {.mechanism = "attention-bn-simplified",
       .settings = {{"beta", "1"}},
       .steps = {mean,
                 {"a", "q - beta*outer(ones(rows(q)), m)"},
                 {"b", "k - beta*outer(ones(rows(k)), m)"},
                 {"out", "softmax(a*b'/sqrt(cols(q)))*v"}}},
      // Primal-Dual Definition 2 and Remark 5: means of successive keys and values.
      {.mechanism = "attention-sh",
       .settings = {{"factors", ""}},
       .steps = {{"g", "cumsum(ones(ceil(rows(k)/factors)))"},
                 {"j", "ceil((cumsum(ones(rows(k))) - 1/2)/factors)"},
                 {"pick", "max(1 - abs(outer(g, ones(rows(k))) - outer(ones(length(g)), j)), 0)"},
                 {"pool", "diag(1 ./ (pick*ones(rows(k))))*pick"},
                 {"out", "softmax(q*(pool*k)'/sqrt(cols(q)))*(pool*v)"}}},
      // Primal-Dual Definition 4, Eq 45.
      {.mechanism = "conv1d",
       .further_inputs = {{"wq", ""}, {"wk", "wq"}},
       .steps = {tokens,
                 {"d", "outer(ones(rows(q)), i) - outer(i, ones(rows(q)))"},
                 {"a", "sum(t in 1..length(wq): wq[t]*max(1 - abs(d - (t - 1 - floor((length(wq) - 1)/2))), 0))"},
                 {"b", "sum(t in 1..length(wk): wk[t]*max(1 - abs(d - (t - 1 - floor((length(wk) - 1)/2))), 0))"},
                 {"out", "softmax((a*q)*(b*k)'/sqrt(cols(q)))*v"}}},
      // Primal-Dual Definition 3, Eq 43.
      {.mechanism = "conv2d",
       .settings = {{"grid", ""}},
       .further_inputs = {{"wq", ""}, {"wk", "wq"}},
       .steps = {tokens,
                 {"r", "floor((i - 1/2)/grid_2)"},
                 {"c", "i - grid_2*r"},
                 {"d", "outer(ones(rows(q)), r) - outer(r, ones(rows(q)))"},
                 {"f", "outer(ones(rows(q)), c) - outer(c, ones(rows(q)))"},
                 {"a",
                  "sum(s in 1..rows(wq): sum(t in 1..cols(wq): wq[s, t]*(max(1 - abs(d - (s - 1 - "
                  "floor((rows(wq) - 1)/2))), 0) .* max(1 - abs(f - (t - 1 - floor((cols(wq) - 1)/2))), 0))))"},
                 {"b",
                  "sum(s in 1..rows(wk): sum(t in 1..cols(wk): wk[s, t]*(max(1 - abs(d - (s - 1 - "
                  "floor((rows(wk) - 1)/2))), 0) .* max(1 - abs(f - (t - 1 - floor((cols(wk) - 1)/2))), 0))))"},
                 {"out", "softmax((a*q)*(b*k)'/sqrt(cols(q)))*v"}}},
      // Katharopoulos et al. 2020.
      {.mechanism = "linear",
       .settings = {{"eps", "1e-6"}},
       .steps = {{"a", "elu(q) + 1"},
                 {"b", "elu(k) + 1"},
                 {"out", "diag(1 ./ (a*(b'*ones(rows(k))) + eps))*(a*(b'*v))"}}},
      // Child et al. 2019, the strided pattern: keys at a distance of at most the stride, or of a multiple of it.
      {.mechanism = "sparse",
       .settings = {{"stride", ""}},
       .steps = {{"d",
                  "abs(outer(cumsum(ones(rows(q))), ones(rows(k))) - outer(ones(rows(q)), cumsum(ones(rows(k)))))"},
                 {"seen", "min(1, floor((d + 1/2)/stride) - floor((d - 1/2)/stride) + max(0, min(1, stride + 1 - d)))"},
                 {"a", "seen .* exp(q*k'/sqrt(cols(q)))"},
                 {"out", "diag(1 ./ (a*ones(rows(k))))*(a*v)"}}},
  };
  return all;
}

}  // namespace

const MechanismDefinition* find_definition(std::string_view mechanism) {
  const auto found = std::ranges::find(table(), mechanism, &MechanismDefinition::mechanism);
  return found == table().end() ? nullptr : &*found;
}

}  // namespace attest::language
