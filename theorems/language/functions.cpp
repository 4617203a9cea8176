#include "theorems/language/functions.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace attest::language {
namespace {

using enum FunctionGroup;

const std::vector<Function>& table() {
  static const std::vector<Function> all = {
      // Functions of numbers.
      {.name = "exp"},
      {.name = "log", .aliases = {"ln"}},
      {.name = "log2"},
      {.name = "log10"},
      {.name = "log1p"},
      {.name = "expm1"},
      {.name = "sqrt"},
      {.name = "cbrt"},
      {.name = "abs"},
      {.name = "sign"},
      {.name = "floor"},
      {.name = "ceil"},
      {.name = "sin"},
      {.name = "cos"},
      {.name = "tan"},
      {.name = "asin", .aliases = {"arcsin"}},
      {.name = "acos", .aliases = {"arccos"}},
      {.name = "atan", .aliases = {"arctan"}},
      {.name = "sinh"},
      {.name = "cosh"},
      {.name = "tanh"},
      {.name = "asinh", .aliases = {"arcsinh"}},
      {.name = "acosh", .aliases = {"arccosh"}},
      {.name = "atanh", .aliases = {"arctanh"}},
      {.name = "erf"},
      {.name = "erfc"},
      {.name = "erfinv"},
      {.name = "gamma"},
      {.name = "lgamma"},
      {.name = "digamma"},
      {.name = "beta", .parameters = {"a", "b"}, .required = 2},
      {.name = "binomial", .parameters = {"n", "k"}, .required = 2},
      {.name = "factorial", .parameters = {"n"}},
      {.name = "mod", .parameters = {"x", "y"}, .required = 2},
      {.name = "sigmoid", .aliases = {"logistic"}},
      {.name = "softplus"},
      {.name = "relu"},
      {.name = "gelu"},
      {.name = "gelu_tanh"},
      {.name = "silu", .aliases = {"swish"}},
      {.name = "elu"},
      {.name = "normal_cdf", .aliases = {"Phi"}},
      {.name = "normal_pdf"},
      {.name = "normal_quantile", .parameters = {"p"}},
      // An array to a number. max(a, b) and min(a, b) compare numbers; read, max(a, b, c) is max(max(a, b), c).
      {.name = "max", .group = reduction, .any_number = true},
      {.name = "min", .group = reduction, .any_number = true},
      {.name = "sum", .group = reduction},
      {.name = "prod", .group = reduction},
      {.name = "mean", .group = reduction},
      {.name = "range", .group = reduction},
      {.name = "osc", .group = reduction},
      {.name = "var", .group = reduction, .aliases = {"variance"}},
      {.name = "std", .group = reduction},
      // Norms. Read, norm(A, "fro") is frobenius(A) and opnorm(A, p) is norm(A, p).
      {.name = "norm", .group = norm, .parameters = {"x", "p"}},
      {.name = "frobenius", .group = norm, .parameters = {"A"}},
      {.name = "opnorm", .group = norm, .parameters = {"A", "p"}, .aliases = {"spectral_norm"}},
      // Vectors and matrices. Read, transpose(A) is A'.
      {.name = "dot", .group = algebra, .parameters = {"x", "y"}, .required = 2, .aliases = {"inner"}},
      {.name = "outer", .group = algebra, .parameters = {"x", "y"}, .required = 2},
      {.name = "transpose", .group = algebra, .parameters = {"A"}},
      {.name = "trace", .group = algebra, .parameters = {"A"}, .aliases = {"tr"}},
      {.name = "det", .group = algebra, .parameters = {"A"}},
      {.name = "logdet", .group = algebra, .parameters = {"A"}},
      {.name = "inverse", .group = algebra, .parameters = {"A"}, .aliases = {"inv"}},
      {.name = "eigenvalues", .group = algebra, .parameters = {"A"}, .aliases = {"eigvals"}},
      {.name = "eigmax", .group = algebra, .parameters = {"A"}},
      {.name = "eigmin", .group = algebra, .parameters = {"A"}},
      {.name = "singular_values", .group = algebra, .parameters = {"A"}, .aliases = {"svdvals"}},
      {.name = "dobrushin", .group = algebra, .parameters = {"A"}},
      {.name = "diag", .group = algebra},
      {.name = "cumsum", .group = algebra},
      {.name = "sort", .group = algebra},
      // Arrays of a size, and the size of an array.
      {.name = "identity", .group = making, .parameters = {"n"}, .aliases = {"eye"}},
      {.name = "zeros", .group = making, .parameters = {"m", "n"}},
      {.name = "ones", .group = making, .parameters = {"m", "n"}},
      {.name = "causal_mask", .group = making, .parameters = {"n"}},
      {.name = "rows", .group = making, .parameters = {"A"}},
      {.name = "cols", .group = making, .parameters = {"A"}},
      {.name = "length", .group = making},
      // Attention.
      {.name = "softmax", .group = FunctionGroup::attention},
      {.name = "jacobian_softmax", .group = FunctionGroup::attention, .aliases = {"softmax_jacobian"}},
      {.name = "logsumexp", .group = FunctionGroup::attention, .aliases = {"lse"}},
      {.name = "entropy", .group = FunctionGroup::attention, .parameters = {"p"}},
      {.name = "kl", .group = FunctionGroup::attention, .parameters = {"p", "q"}, .required = 2},
      {.name = "tv", .group = FunctionGroup::attention, .parameters = {"p", "q"}, .required = 2},
      {.name = "layernorm", .group = FunctionGroup::attention, .parameters = {"x", "eps"}, .required = 2},
      {.name = "rmsnorm", .group = FunctionGroup::attention, .parameters = {"x", "eps"}, .required = 2},
      {.name = "attention",
       .group = FunctionGroup::attention,
       .parameters = {"name", "q", "k", "v"},
       .required = 4,
       .any_option = true},
  };
  return all;
}

}  // namespace

std::span<const Function> functions() { return table(); }

const Function* find_function(std::string_view name_or_alias) {
  for (const Function& function : table())
    if (function.name == name_or_alias || std::ranges::find(function.aliases, name_or_alias) != function.aliases.end())
      return &function;
  return nullptr;
}

std::vector<std::string> function_names() {
  std::vector<std::string> names;
  for (const Function& function : table()) {
    names.emplace_back(function.name);
    names.insert(names.end(), function.aliases.begin(), function.aliases.end());
  }
  return names;
}

std::string how_to_call(const Function& function) {
  if (function.any_number) return fmt::format("{0}(x) or {0}(a, b)", function.name);
  std::string all = fmt::format("{}({})", function.name, fmt::join(function.parameters, ", "));
  if (function.required == function.parameters.size()) return all;
  const std::vector<std::string_view> fewest(
      function.parameters.begin(), function.parameters.begin() + static_cast<std::ptrdiff_t>(function.required));
  return fmt::format("{}({}) or {}", function.name, fmt::join(fewest, ", "), all);
}

}  // namespace attest::language
