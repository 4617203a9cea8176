#include <algorithm>
#include <array>

#include "theorems/language/program/scalar.hpp"

namespace attest::language {

std::optional<Unary> unary_named(std::string_view name) {
  static constexpr std::array<std::pair<std::string_view, Unary>, 40> names = {{
      {"exp", Unary::exp},
      {"log", Unary::log},
      {"log2", Unary::log2},
      {"log10", Unary::log10},
      {"log1p", Unary::log1p},
      {"expm1", Unary::expm1},
      {"sqrt", Unary::sqrt},
      {"cbrt", Unary::cbrt},
      {"abs", Unary::abs},
      {"sign", Unary::sign},
      {"floor", Unary::floor},
      {"ceil", Unary::ceil},
      {"sin", Unary::sin},
      {"cos", Unary::cos},
      {"tan", Unary::tan},
      {"asin", Unary::asin},
      {"acos", Unary::acos},
      {"atan", Unary::atan},
      {"sinh", Unary::sinh},
      {"cosh", Unary::cosh},
      {"tanh", Unary::tanh},
      {"asinh", Unary::asinh},
      {"acosh", Unary::acosh},
      {"atanh", Unary::atanh},
      {"erf", Unary::erf},
      {"erfc", Unary::erfc},
      {"erfinv", Unary::erfinv},
      {"gamma", Unary::gamma},
      {"lgamma", Unary::lgamma},
      {"digamma", Unary::digamma},
      {"sigmoid", Unary::sigmoid},
      {"softplus", Unary::softplus},
      {"relu", Unary::relu},
      {"gelu", Unary::gelu},
      {"gelu_tanh", Unary::gelu_tanh},
      {"silu", Unary::silu},
      {"elu", Unary::elu},
      {"normal_cdf", Unary::normal_cdf},
      {"normal_pdf", Unary::normal_pdf},
      {"normal_quantile", Unary::normal_quantile},
  }};
  const auto found = std::ranges::find(names, name, &std::pair<std::string_view, Unary>::first);
  return found == names.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace attest::language
