#include "kernels/search/minimal_witness.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace attest::search {

double round_to_bits(double value, int bits) {
  if (bits <= 0 || value == 0) return 0.0;
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(fraction, bits)), exponent - bits);
}

double cut_to_bits(double value, int bits) {
  if (bits <= 0 || value == 0) return 0.0;
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  return std::ldexp(std::trunc(std::ldexp(fraction, bits)), exponent - bits);
}

int significant_bits(double value) {
  constexpr int mantissa_bits = 53;
  int bits = 0;
  while (bits < mantissa_bits && round_to_bits(value, bits) != value) ++bits;
  return bits;
}

namespace {

/// `value` rounded to a multiple of 2^exponent: the grid that makes sums and differences of coordinates short too.
double round_to_grid(double value, int exponent) {
  return std::ldexp(std::nearbyint(std::ldexp(value, -exponent)), exponent);
}

int total_bits(const std::vector<double>& point) {
  int bits = 0;
  for (const double value : point) bits += significant_bits(value);
  return bits;
}

/// The state of a greedy descent: the point, and the evaluations left.
class Shortener {
 public:
  Shortener(std::vector<double> point, const std::function<bool(std::span<const double>)>& still_violates,
            std::int64_t evaluations)
      : point_(std::move(point)), still_violates_(still_violates), left_(evaluations) {}

  /// Takes `candidate` if it is shorter and still violates.
  bool accept(const std::vector<double>& candidate) {
    if (left_ <= 0 || !(total_bits(candidate) < total_bits(point_))) return false;
    --left_;
    if (!still_violates_(candidate)) return false;
    point_ = candidate;
    return true;
  }

  bool round_together() {
    constexpr int finest = 53;
    for (int bits = 1; bits < finest; ++bits) {
      std::vector<double> candidate = point_;
      for (double& value : candidate) value = round_to_bits(value, bits);
      if (accept(candidate)) return true;
      for (std::size_t i = 0; i < candidate.size(); ++i) candidate[i] = cut_to_bits(point_[i], bits);
      if (accept(candidate)) return true;
      for (std::size_t i = 0; i < candidate.size(); ++i) candidate[i] = round_to_grid(point_[i], 3 - bits);
      if (accept(candidate)) return true;
    }
    return false;
  }

  bool round_one(std::size_t i) {
    const int bits_now = significant_bits(point_[i]);
    for (int bits = 0; bits < bits_now; ++bits) {
      std::vector<double> candidate = point_;
      candidate[i] = round_to_bits(point_[i], bits);
      if (accept(candidate)) return true;
      candidate[i] = cut_to_bits(point_[i], bits);
      if (accept(candidate)) return true;
    }
    return false;
  }

  bool exhausted() const { return left_ <= 0; }
  const std::vector<double>& point() const { return point_; }

 private:
  std::vector<double> point_;
  const std::function<bool(std::span<const double>)>& still_violates_;
  std::int64_t left_;
};

}  // namespace

std::vector<double> shorten_witness(std::vector<double> witness,
                                    const std::function<bool(std::span<const double>)>& still_violates,
                                    std::int64_t evaluations) {
  for (const double value : witness) {
    if (!std::isfinite(value)) throw std::invalid_argument("shorten_witness: the witness is not finite");
  }
  if (!still_violates(witness)) {
    throw std::invalid_argument("shorten_witness: the point given does not violate the statement");
  }
  Shortener shortener(std::move(witness), still_violates, evaluations);
  bool changed = true;
  while (changed && !shortener.exhausted()) {
    changed = shortener.round_together();
    for (std::size_t i = 0; i < shortener.point().size(); ++i) changed = shortener.round_one(i) || changed;
  }
  return shortener.point();
}

}  // namespace attest::search
