// A mean that depends on its random numbers by one number alone, whose law is known: a sum, the largest of several, a
// Euclidean norm.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "theorems/language/program.hpp"

namespace attest::referee {

/// The integrand (or the event) of one expectation of a program as a function of one register.
struct Statistic {
  enum class Form : std::uint8_t {
    linear,   ///< a combination of the random numbers whose coefficients they do not change
    largest,  ///< the largest of random numbers that are listed one by one
    least,
    norm,         ///< the Euclidean norm of such numbers
    largest_size  ///< the largest of their absolute values
  };
  Form form = Form::linear;
  std::size_t reg = 0;        ///< of `whole`
  std::size_t numbers = 0;    ///< register that lists the random numbers, unless linear
  language::Program whole;    ///< the program; of a relation between two random sides, with their difference beside it
  language::Program reduced;  ///< the same with that register as a raw number, its last
};

/// The registers by any one of which alone the random numbers enter, the last one first, a few at most: which of them
/// has a law that is known depends on the point. Of an event x <= y with two random sides, where there is none: x - y.
std::vector<Statistic> statistics_of(const language::Program& program, std::size_t which);

/// The mean at these raw numbers, enclosed by at most `most` cells of the statistic's law, or by all of its values
/// where these are few; nothing where that law is not known: of linear forms, normal numbers, or uniform ones (at most
/// `most_unequal_uniforms` where their widths differ), or exponential, chi-squared, Poisson's and two-valued ones with
/// equal coefficients; of the others, independent numbers of one law (normal about 0 for norms and absolute values).
std::optional<rigor::Ball> mean_by_statistic(const Statistic& statistic, std::span<const double> raw, std::size_t which,
                                             std::int64_t most);

}  // namespace attest::referee
