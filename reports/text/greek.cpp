#include "reports/text/greek.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace attest::reports {
namespace {

using Pair = std::pair<std::string_view, std::string_view>;

constexpr auto letters = std::to_array<Pair>({
    {"alpha", "α"},  {"beta", "β"},  {"gamma", "γ"},   {"delta", "δ"},    {"epsilon", "ε"}, {"varepsilon", "ε"},
    {"zeta", "ζ"},   {"eta", "η"},   {"theta", "θ"},   {"vartheta", "ϑ"}, {"iota", "ι"},    {"kappa", "κ"},
    {"lambda", "λ"}, {"mu", "μ"},    {"nu", "ν"},      {"xi", "ξ"},       {"pi", "π"},      {"rho", "ρ"},
    {"sigma", "σ"},  {"tau", "τ"},   {"phi", "φ"},     {"varphi", "φ"},   {"chi", "χ"},     {"psi", "ψ"},
    {"omega", "ω"},  {"Gamma", "Γ"}, {"Delta", "Δ"},   {"Theta", "Θ"},    {"Lambda", "Λ"},  {"Xi", "Ξ"},
    {"Pi", "Π"},     {"Sigma", "Σ"}, {"Upsilon", "Υ"}, {"Phi", "Φ"},      {"Psi", "Ψ"},     {"Omega", "Ω"},
});

}  // namespace

std::string_view greek_letter(std::string_view name) {
  const auto* found =
      std::find_if(std::begin(letters), std::end(letters), [&](const auto& l) { return l.first == name; });
  return found == std::end(letters) ? std::string_view() : found->second;
}

}  // namespace attest::reports
