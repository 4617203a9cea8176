// The laws of the language: draws, atoms, and masses of intervals in ball arithmetic.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kernels/random/stream.hpp"
#include "kernels/rigor/ball.hpp"
#include "theorems/language/program.hpp"

namespace attest::referee {

/// A law with its arguments at a point: normal(m, s), uniform(a, b), ... as in the table of the language's laws.
struct LawAt {
  std::string name;
  std::vector<double> arguments;
};

/// The law of a random variable at the evaluator's point.
LawAt law_at(const language::RawInput& input, const language::Evaluator& at);

/// E's integrand, or 1 where P's event happens and 0 where not, at the evaluator's point; NaN where it is undefined.
double integrand(const language::Evaluator& at, const language::Expectation& expectation);

/// One draw. Errors: std::invalid_argument for a law that is not known here, or arguments it does not allow.
double draw(const LawAt& law, random::Stream& stream);

/// The values of a law that has two, with their probabilities; nothing for the others.
struct Atom {
  double value, probability;
};
std::optional<std::vector<Atom>> atoms(const LawAt& law);

/// Whether the law is location + scale * z with z of a law whose intervals' masses are known here in balls: normal,
/// uniform, exponential, laplace, and lognormal, whose logarithm it is.
bool has_standard(const std::string& name);

/// The interval of z outside of which `has_standard` laws have no mass, or none that counts (below 2^-1000000).
struct Support {
  double lower, upper;
};
Support standard_support(const std::string& name);
/// P(a <= z <= b), and E[z; a <= z <= b].
rigor::Ball standard_mass(const std::string& name, const rigor::Ball& a, const rigor::Ball& b);
rigor::Ball standard_moment(const std::string& name, const rigor::Ball& a, const rigor::Ball& b);
/// The draw that z stands for.
rigor::Ball from_standard(const std::string& name, std::span<const rigor::Ball> arguments, const rigor::Ball& z);
/// d draw / dz over z.
rigor::Ball slope_of_standard(const std::string& name, std::span<const rigor::Ball> arguments, const rigor::Ball& z);

/// P(a <= x <= b) in doubles, relatively accurate in the tails; NaN for laws without a density here. a <= b, either may
/// be infinite.
double mass_between(const LawAt& law, double a, double b);

/// Points and weights of a quadrature in doubles for the mean under the law: trapezoids after a double exponential
/// substitution, `count` of them; smooth functions to about 1e-12, kinks to about (8/count)^2.
std::vector<Atom> quadrature(const LawAt& law, int count);

}  // namespace attest::referee
