// Integrals of the chance that several independent numbers all stay on one side, in balls (Arb).
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/rigor/ball.hpp"

namespace attest::referee {

/// P(x <= z) of a uniform number on [0, 1], an exponential one of rate 1, a normal one, or the absolute value of a
/// normal one.
enum class Chance : std::uint8_t { uniform, exponential, normal, normal_size };

/// F(z)^count with F the chance, or 1 minus it.
struct PowerOfChance {
  Chance chance = Chance::normal;
  bool above = false;
  int count = 1;
};

/// The integrals over a <= z <= b of (z - c)^k F(z)^count for k = 0, ..., terms - 1, c = (a + b)/2, at about the
/// thread's working precision; not finite where Arb's integration does not enclose them.
std::vector<rigor::Ball> integrals_of_power(const PowerOfChance& power, double a, double b, int terms);

}  // namespace attest::referee
