// The bias of kernel regression, plain and twiced.
#include <cmath>
#include <stdexcept>

#include "kernels/quantity/quantity.hpp"
#include "kernels/regression/kernel.hpp"
#include "kernels/regression/population.hpp"

namespace attest::quantities {
namespace {

regression::RegressionFunction function_of(const std::string& name) {
  if (name == "sine") return regression::sine(2);
  if (name == "bump") return regression::bump(1);
  if (name == "exponential") return regression::exponential(1);
  return regression::kink(0);
}

regression::Design design_of(const std::string& name) {
  if (name == "uniform") return regression::uniform_line();
  if (name == "normal") return regression::normal_design(0, 1);
  return regression::exponential_line(1);
}

/// The size of a bias; the quadrature's own error is its interval. A denominator that may vanish leaves no estimator.
Outcome size_of_bias(const Arguments& at, regression::Form form) {
  try {
    const regression::Integral bias =
        population_bias(regression::find_kernel(at.word("kernel")), form, function_of(at.word("function")),
                        design_of(at.word("design")), at.real("x"), at.real("h"));
    const double size = std::abs(bias.value);
    return {size, {std::max(0.0, size - bias.error), size + bias.error}};
  } catch (const std::domain_error&) {
    return Outcome::exact(std::nan(""));
  }
}

}  // namespace

namespace definitions {

Quantity smoother_bias() {
  Quantity q;
  q.name = "smoother_bias";
  q.title = "Bias of the Nadaraya-Watson estimator, plain and twiced";
  q.formula =
      R"(\left|\frac{\int L((x-t)/h)\, m(t) f(t)\,dt}{\int L((x-t)/h)\, f(t)\,dt} - m(x)\right|,\quad L = K,\ 2K - K*K)";
  q.source = "Transformer Meets Twicing, Proposition 2";
  q.parameters = {
      Parameter::real("h", 0.1, 1e-4, 100, "bandwidth"),
      Parameter::word("kernel", "gaussian", {}, "the smoothing kernel K"),
      Parameter::word("function", "sine", {"sine", "bump", "exponential", "kink"},
                      "the regression function m: sin 2x, "
                      "exp(-x^2/2), exp x or |x|"),
      Parameter::word("design", "uniform", {"uniform", "normal", "exponential"},
                      "density f of the design: 1, normal or exp x"),
      Parameter::real("x", 0.5, -3, 3, "where the estimator is taken"),
  };
  for (const regression::Kernel* kernel : regression::all_kernels()) q.parameters[1].words.emplace_back(kernel->name());
  q.results = {
      {"plain", "size of the bias with the kernel K, of order h^2"},
      {"twiced",
       "size of the bias with 2K - K*K, of order h^4 where m f and f are smooth; none where its denominator may "
       "vanish"},
  };
  q.evaluate = [](const Arguments& at, const Execution&) {
    return Outcomes{{"plain", size_of_bias(at, regression::Form::plain)},
                    {"twiced", size_of_bias(at, regression::Form::twiced)}};
  };
  return q;
}

}  // namespace definitions
}  // namespace attest::quantities
