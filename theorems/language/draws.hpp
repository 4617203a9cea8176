// Random variables of a statement: one draw of their laws.
#pragma once

#include <span>
#include <string_view>

#include "kernels/random/stream.hpp"
#include "theorems/language/program.hpp"

namespace attest::language {

/// One number with this law by its quantile function, so that it grows with the uniform number it is made of. Laws and
/// parameters as in laws.hpp: normal(mean, deviation), uniform(a, b), rademacher() on {-1, 1}, bernoulli(p) on {0, 1},
/// exponential(rate), laplace(mean, scale), student(nu), chi_squared(k), lognormal(mean, deviation) of the logarithm,
/// cauchy(location, scale), poisson(rate). NaN where the parameters are outside of their ranges. Precondition: u in
/// (0, 1), and the law is known with its number of parameters.
double law_quantile(std::string_view law, std::span<const double> parameters, double u);

/// Draws all random variables of the program at the raw numbers of the others, in their order, so that a law's
/// parameters may be earlier draws; leaves `at` evaluated at the whole point. `expected` as in Evaluator::run.
void draw_random(Evaluator& at, random::Stream& stream, std::span<double> raw, std::span<const double> expected = {});

}  // namespace attest::language
