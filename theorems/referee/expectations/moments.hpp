// Expectations of polynomials in independent random numbers: by the moments of their laws, exactly.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "theorems/language/program.hpp"

namespace attest::referee {

/// All expectations of a program as quotients of polynomials in its other raw numbers.
class Moments {
 public:
  /// Nothing where one of them is a probability, or its integrand no polynomial in the random numbers over what they do
  /// not change, where a law's moments are not known here (those of student, lognormal and cauchy are not), or where
  /// the polynomials grow too large.
  static std::optional<Moments> of(const language::Program& program);

  Moments(Moments&&) noexcept;
  Moments& operator=(Moments&&) noexcept;
  ~Moments();
  Moments(const Moments&) = delete;
  Moments& operator=(const Moments&) = delete;

  std::vector<double> in_doubles(std::span<const double> raw) const;
  std::vector<rigor::Ball> in_balls(std::span<const double> raw) const;

 private:
  struct Means;
  explicit Moments(std::unique_ptr<Means> means);
  std::unique_ptr<Means> means_;
};

}  // namespace attest::referee
