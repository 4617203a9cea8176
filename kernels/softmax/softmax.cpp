#include "kernels/softmax/softmax.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>

#include <boost/math/tools/toms748_solve.hpp>
#include <fmt/format.h>

#include "kernels/elementary/exponential.hpp"

namespace attest::softmax {
namespace {

using elementary::exponential;

// sum_i term(i), i < n: eight interleaved partial sums inside chunks (which the compiler keeps in SIMD registers), then
// the chunks by compensated addition in order. Error: about (chunk/8 + 4) 2^-53 sum |term|; bits depend on n only.
template <typename Term>
double blocked_sum(std::size_t n, Term term) {
  constexpr std::size_t lanes = 8, chunk = 512;
  double total = 0, correction = 0;
  for (std::size_t start = 0; start < n; start += chunk) {
    const std::size_t end = std::min(n, start + chunk), even_end = start + (end - start) / lanes * lanes;
    std::array<double, lanes> partial{};
    for (std::size_t i = start; i < even_end; i += lanes)
      for (std::size_t lane = 0; lane < lanes; ++lane) partial[lane] += term(i + lane);
    for (std::size_t i = even_end; i < end; ++i) partial[i - even_end] += term(i);
    const double sum = ((partial[0] + partial[4]) + (partial[2] + partial[6])) +
                       ((partial[1] + partial[5]) + (partial[3] + partial[7]));
    const double corrected = sum + correction, next = total + corrected;
    correction = corrected - (next - total);
    total = next;
  }
  return total;
}

void require_same(const char* where, std::size_t a, std::size_t b) {
  if (a != b) throw std::invalid_argument(fmt::format("{}: lengths {} and {} differ", where, a, b));
}

double largest_logit(const char* where, std::span<const double> logits) {
  if (logits.empty()) throw std::invalid_argument(fmt::format("{}: no logits", where));
  double largest = logits.front();
  // A NaN never compares greater, so NaNs are looked for on their own; both loops vectorise.
  bool has_nan = false;
  for (const double value : logits) {
    largest = largest < value ? value : largest;
    has_nan |= value != value;
  }
  if (has_nan || !std::isfinite(largest))
    throw std::invalid_argument(
        fmt::format("{}: the logits need a finite maximum and no NaN, found {}", where, has_nan ? NAN : largest));
  return largest;
}

}  // namespace

void softmax(std::span<const double> logits, std::span<double> probabilities) {
  require_same("softmax", logits.size(), probabilities.size());
  const double largest = largest_logit("softmax", logits);
  const std::size_t n = logits.size();
  for (std::size_t i = 0; i < n; ++i) probabilities[i] = exponential(logits[i] - largest);
  const double total = blocked_sum(n, [&](std::size_t i) { return probabilities[i]; });
  const double inverse = 1 / total;
  for (double& value : probabilities) value *= inverse;
}

double log_sum_exp(std::span<const double> logits) {
  const double largest = largest_logit("log_sum_exp", logits);
  return largest +
         std::log(blocked_sum(logits.size(), [&](std::size_t i) { return exponential(logits[i] - largest); }));
}

double distance(std::span<const double> a, std::span<const double> b) {
  require_same("distance", a.size(), b.size());
  return std::sqrt(blocked_sum(a.size(), [&](std::size_t i) { return (a[i] - b[i]) * (a[i] - b[i]); }));
}

SoftmaxPerturbation::SoftmaxPerturbation(std::vector<double> c) : c_(std::move(c)), probabilities_(c_.size()) {
  softmax(c_, probabilities_);
}

double SoftmaxPerturbation::norm(std::span<double> eta) const {
  require_same("SoftmaxPerturbation", c_.size(), eta.size());
  for (std::size_t i = 0; i < eta.size(); ++i) eta[i] += c_[i];
  softmax(eta, eta);
  return distance(eta, probabilities_);
}

void apply_jacobian(std::span<const double> p, std::span<const double> v, std::span<double> result) {
  require_same("apply_jacobian", p.size(), v.size());
  require_same("apply_jacobian", p.size(), result.size());
  const double mean = blocked_sum(p.size(), [&](std::size_t i) { return p[i] * v[i]; });
  for (std::size_t i = 0; i < p.size(); ++i) result[i] = p[i] * (v[i] - mean);
}

double jacobian_norm(std::span<const double> p) {
  double largest = -1, second = -1;
  std::size_t top = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const double value = p[i];
    if (!(value >= 0)) throw std::invalid_argument(fmt::format("jacobian_norm: entry {} = {} is negative", i, value));
    if (value > largest) {
      second = largest;
      largest = value;
      top = i;
    } else {
      second = std::max(second, value);
    }
  }
  // 1 - largest without cancellation.
  const double rest = blocked_sum(p.size(), [&](std::size_t i) { return i == top ? 0.0 : p[i]; });
  if (!(std::abs(largest + rest - 1) <= 1e-9))
    throw std::invalid_argument(fmt::format("jacobian_norm: {} entries sum to {}, not 1", p.size(), largest + rest));
  if (second <= 0) return 0;
  // sum p_i/(p_i - lambda) increases from -infinity to +infinity on (second, largest). Rayleigh quotients of unit
  // vectors and Gershgorin's discs bracket the eigenvalue within a factor of 2 whatever the scale of `rest`.
  const double low = std::max(second, largest * rest);
  const double high = std::min(largest, 2 * std::max(largest * rest, second * (1 - second)));
  if (!(low < high)) return low;
  // Times both poles it is smooth, and finite where the bracket ends at one.
  const auto secular = [&](double lambda) {
    if (lambda == second) return -second * (largest - second);
    if (lambda == largest) return largest * (largest - second);
    const double sum = blocked_sum(p.size(), [&](std::size_t i) { return p[i] / (p[i] - lambda); });
    return sum * (largest - lambda) * (lambda - second);
  };
  const double at_low = secular(low), at_high = secular(high);
  // An end that is the eigenvalue up to rounding can get the wrong sign.
  if (!(at_low < 0)) return low;
  if (!(at_high > 0)) return high;
  constexpr int bits = 46;
  std::uintmax_t evaluations = 100;
  const auto bracket = boost::math::tools::toms748_solve(secular, low, high, at_low, at_high,
                                                         boost::math::tools::eps_tolerance<double>(bits), evaluations);
  return bracket.first + (bracket.second - bracket.first) / 2;
}

}  // namespace attest::softmax
