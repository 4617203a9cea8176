#include "kernels/quantity/perturbation_points.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/elementary/exponential.hpp"
#include "kernels/random/law_words.hpp"

namespace attest::quantities {
namespace {

using random::Law;

bool by_differences(const Law& law) { return law.kind == random::LawKind::gaussian; }

std::size_t words_of(const Law& law, std::size_t n) {
  return by_differences(law) ? n - 1 : n * static_cast<std::size_t>(words_per_draw(law));
}

/// N draws times `scale`, or with the same differences as N draws have. Coordinate k = 1, ..., N - 1 of the differences
/// goes along (1, ..., 1, -k, 0, ..., 0)/sqrt(k (k + 1)) with k ones.
void draw_entries(const Law& law, double scale, std::span<const std::uint64_t> words, std::span<double> x) {
  if (!by_differences(law)) {
    const std::size_t each = words.size() / x.size();
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] = scale * draw_from_words(law, words[i * each], words[i * each + each - 1]);
    return;
  }
  double later = 0;  // what coordinates after the i-th add to all logits before theirs
  for (std::size_t i = x.size() - 1; i > 0; --i) {
    const auto k = static_cast<double>(i);
    const double step = scale * draw_from_words(law, words[i - 1], 0) / std::sqrt(k * (k + 1));
    x[i] = later - k * step;
    later += step;
  }
  x[0] = later;
}

/// p = softmax(c + factor eta).
void softmax(std::span<const double> c, double factor, std::span<const double> eta, std::span<double> p) {
  double largest = -HUGE_VAL;
  for (std::size_t i = 0; i < c.size(); ++i) {
    p[i] = c[i] + factor * eta[i];
    largest = std::max(largest, p[i]);
  }
  double sum = 0;
  for (double& value : p) {
    value = elementary::exponential(value - largest);
    sum += value;
  }
  const double inverse = 1 / sum;
  for (double& value : p) value *= inverse;
}

double distance(std::span<const double> p, std::span<const double> q) {
  double squares = 0;
  for (std::size_t i = 0; i < p.size(); ++i) squares += (p[i] - q[i]) * (p[i] - q[i]);
  return std::sqrt(squares);
}

}  // namespace

PerturbationPoints::PerturbationPoints(const PerturbationSetting& at)
    : at_(at), noise_words_(words_of(at.noise, at.n)), logit_words_(words_of(at.logits, at.n)) {}

double PerturbationPoints::operator()(std::span<const std::uint64_t> words) const {
  const std::size_t n = at_.n;
  thread_local std::vector<double> room;
  room.resize(4 * n);
  const std::span<double> eta(room.data(), n), c(eta.data() + n, n), p(c.data() + n, n), q(p.data() + n, n);
  draw_entries(at_.noise, at_.sigma, words.first(noise_words_), eta);
  draw_entries(at_.logits, at_.scale, words.subspan(noise_words_), c);
  const double lead = at_.lead * std::log(static_cast<double>(n));
  double sum = 0, first = c[0];
  for (int sign = 0; sign < 2; ++sign) {
    if (sign == 1) {
      first = -first;
      for (double& value : c) value = -value;
    }
    c[0] = first + lead;
    softmax(c, 0, eta, p);
    for (const double factor : {1.0, -1.0}) {
      softmax(c, factor, eta, q);
      sum += distance(q, p);
    }
  }
  return sum / 4;
}

}  // namespace attest::quantities
