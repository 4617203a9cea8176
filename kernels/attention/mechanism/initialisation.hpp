// How training starts an array that a mechanism learns.
#pragma once

#include <string>

namespace attest::attention {

struct Initialisation {
  enum class Law {
    none,          ///< it is data, which nothing learns
    constant,      ///< `value` everywhere
    power_of_dim,  ///< D^value everywhere
    centre,        ///< 1 in the middle of the last axis or axes, 0 elsewhere: a convolution that changes nothing
    uniform,       ///< uniform in [-1, 1]/sqrt(r), r the last extent
    projection     ///< as the projections of the tokens are started
  } law = Law::none;
  double value = 0;

  static Initialisation constant(double value) { return {Law::constant, value}; }
  static Initialisation power_of_dim(double exponent) { return {Law::power_of_dim, exponent}; }
  static Initialisation centre() { return {Law::centre}; }
  static Initialisation uniform() { return {Law::uniform}; }
  static Initialisation projection() { return {Law::projection}; }
};

/// "0.6", "sqrt(D)", "1 in the middle, 0 elsewhere", ...; empty for data.
std::string in_words(const Initialisation& initialisation);

}  // namespace attest::attention
