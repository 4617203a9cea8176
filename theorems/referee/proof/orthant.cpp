#include "theorems/referee/proof/orthant.hpp"

#include <algorithm>
#include <utility>

namespace attest::referee {

using rigor::Rational;

namespace {

int sign(const Rational& x) { return fmpq_sgn(x.raw()); }

}  // namespace

DensePolynomial::DensePolynomial(std::vector<std::size_t> degrees) : degrees_(std::move(degrees)) {
  std::size_t size = 1;
  for (const std::size_t degree : degrees_) {
    strides_.push_back(size);
    size *= degree + 1;
  }
  coefficients_.resize(size);
}

std::size_t DensePolynomial::index(const std::vector<std::size_t>& powers) const {
  std::size_t sum = 0;
  for (std::size_t v = 0; v < powers.size(); ++v) sum += powers[v] * strides_[v];
  return sum;
}

void DensePolynomial::shift(std::size_t variable, const Rational& by) {
  // Ruffini's scheme along each line: Horner's rule kept.
  const std::size_t stride = strides_[variable], degree = degrees_[variable];
  for (std::size_t first = 0; first < coefficients_.size(); ++first) {
    if (power(first, variable) != 0) continue;
    for (std::size_t k = 0; k < degree; ++k)
      for (std::size_t m = degree; m-- > k;)
        coefficients_[first + m * stride] =
            coefficients_[first + m * stride] + by * coefficients_[first + (m + 1) * stride];
  }
}

void DensePolynomial::scale(std::size_t variable, const Rational& factor) {
  std::vector<Rational> powers{Rational(1)};
  for (std::size_t k = 1; k <= degrees_[variable]; ++k) powers.push_back(powers.back() * factor);
  for (std::size_t t = 0; t < coefficients_.size(); ++t)
    if (sign(coefficients_[t]) != 0) coefficients_[t] = coefficients_[t] * powers[power(t, variable)];
}

void DensePolynomial::reverse(std::size_t variable) {
  const std::size_t stride = strides_[variable], degree = degrees_[variable];
  for (std::size_t t = 0; t < coefficients_.size(); ++t) {
    const std::size_t k = power(t, variable);
    if (2 * k < degree) std::swap(coefficients_[t], coefficients_[t + (degree - 2 * k) * stride]);
  }
}

DensePolynomial DensePolynomial::with_difference(std::size_t i, std::size_t j) const {
  std::vector<std::size_t> degrees = degrees_;
  degrees[j] += degrees[i];
  DensePolynomial result(degrees);
  std::vector<Rational> binomials;  // of the row a
  for (std::size_t a = 0; a <= degrees_[i]; ++a) {
    binomials.assign(a + 1, Rational(1));
    for (std::size_t m = 1; m <= a; ++m)
      binomials[m] = binomials[m - 1] * Rational(static_cast<std::int64_t>(a - m + 1), static_cast<std::int64_t>(m));
    for (std::size_t t = 0; t < coefficients_.size(); ++t) {
      if (power(t, i) != a || sign(coefficients_[t]) == 0) continue;
      std::vector<std::size_t> powers(variables());
      for (std::size_t v = 0; v < variables(); ++v) powers[v] = power(t, v);
      const std::size_t b = powers[j];
      // (x_j + x_i)^a x_j^b
      for (std::size_t m = 0; m <= a; ++m) {
        powers[i] = m;
        powers[j] = b + a - m;
        Rational& entry = result.at(powers);
        entry = entry + binomials[m] * coefficients_[t];
      }
    }
  }
  return result.trimmed();
}

void DensePolynomial::strip(std::size_t variable) {
  std::size_t least = degrees_[variable];
  for (std::size_t t = 0; t < coefficients_.size(); ++t)
    if (sign(coefficients_[t]) != 0) least = std::min(least, power(t, variable));
  if (least == 0) return;
  std::vector<std::size_t> degrees = degrees_;
  degrees[variable] -= least;
  DensePolynomial result(degrees);
  for (std::size_t t = 0; t < coefficients_.size(); ++t) {
    if (sign(coefficients_[t]) == 0) continue;
    std::vector<std::size_t> powers(variables());
    for (std::size_t v = 0; v < variables(); ++v) powers[v] = power(t, v) - (v == variable ? least : 0);
    result.at(powers) = coefficients_[t];
  }
  *this = std::move(result);
}

DensePolynomial DensePolynomial::trimmed() const {
  std::vector<std::size_t> degrees(variables(), 0);
  for (std::size_t t = 0; t < coefficients_.size(); ++t)
    if (sign(coefficients_[t]) != 0)
      for (std::size_t v = 0; v < variables(); ++v) degrees[v] = std::max(degrees[v], power(t, v));
  if (degrees == degrees_) return *this;
  DensePolynomial result(degrees);
  for (std::size_t t = 0; t < coefficients_.size(); ++t) {
    if (sign(coefficients_[t]) == 0) continue;
    std::vector<std::size_t> powers(variables());
    for (std::size_t v = 0; v < variables(); ++v) powers[v] = power(t, v);
    result.at(powers) = coefficients_[t];
  }
  return result;
}

bool DensePolynomial::is_homogeneous() const {
  std::size_t sum = 0;
  bool known = false;
  for (std::size_t t = 0; t < coefficients_.size(); ++t) {
    if (sign(coefficients_[t]) == 0) continue;
    std::size_t own = 0;
    for (std::size_t v = 0; v < variables(); ++v) own += power(t, v);
    if (known && own != sum) return false;
    sum = own;
    known = true;
  }
  return true;
}

namespace {

enum class Signs : std::uint8_t { proven, negative, open };

/// With no coefficient below 0, p > 0 on a face of the closed orthant where some term on it is above 0. Faces fix
/// variables at 0 or at infinity; a face in others holds these in its closure.
bool positive_everywhere(const DensePolynomial& p, const std::vector<HalfLine>& where) {
  std::size_t faces = 1;
  for (std::size_t v = 0; v < p.variables(); ++v) faces *= 3;
  for (std::size_t face = 0; face < faces; ++face) {
    // Per variable: 0 inside, 1 at zero, 2 at infinity.
    std::vector<std::size_t> at(p.variables());
    std::size_t rest = face;
    bool exists = true;
    for (std::size_t v = 0; v < p.variables(); ++v, rest /= 3) {
      at[v] = rest % 3;
      exists &= at[v] == 0 || (at[v] == 1 ? where[v].zero : where[v].infinity);
    }
    if (!exists) continue;
    bool some = false;
    for (std::size_t t = 0; t < p.size() && !some; ++t) {
      if (sign(p.coefficient(t)) <= 0) continue;
      some = true;
      for (std::size_t v = 0; v < p.variables(); ++v)
        some &= at[v] == 0 || p.power(t, v) == (at[v] == 1 ? 0 : p.degree(v));
    }
    if (!some) return false;
  }
  return true;
}

/// What the coefficients show at once. A corner's coefficient below 0 is a negative value near it.
Signs look(const DensePolynomial& p, const std::vector<HalfLine>& where, bool strict) {
  bool all = true, none = true;
  for (std::size_t t = 0; t < p.size(); ++t) {
    const int s = sign(p.coefficient(t));
    all &= s >= 0;
    none &= s <= 0;
    if (s >= 0) continue;
    bool corner = true;
    for (std::size_t v = 0; v < p.variables(); ++v) {
      const std::size_t k = p.power(t, v);
      corner &= k == 0 || k == p.degree(v);
    }
    if (corner) return Signs::negative;
  }
  if (all && (!strict || positive_everywhere(p, where))) return Signs::proven;
  return none || all ? Signs::negative : Signs::open;
}

/// The pair of variables that the terms below 0 hold together with the most weight; equal where there is none.
std::pair<std::size_t, std::size_t> pair_of(const DensePolynomial& p) {
  std::pair<std::size_t, std::size_t> best{0, 0};
  Rational most(0);
  for (std::size_t i = 0; i < p.variables(); ++i)
    for (std::size_t j = i + 1; j < p.variables(); ++j) {
      Rational weight(0);
      for (std::size_t t = 0; t < p.size(); ++t)
        if (sign(p.coefficient(t)) < 0 && p.power(t, i) > 0 && p.power(t, j) > 0) weight = weight - p.coefficient(t);
      if (weight > most) {
        most = weight;
        best = {i, j};
      }
    }
  return best;
}

/// The variable in which terms below 0 lie deepest inside of their degrees; `turn` breaks the habit.
std::size_t variable_of(const DensePolynomial& p, std::size_t turn) {
  std::size_t best = turn % p.variables();
  double most = -1;
  for (std::size_t v = 0; v < p.variables(); ++v) {
    double depth = 0;
    for (std::size_t t = 0; t < p.size(); ++t)
      if (sign(p.coefficient(t)) < 0)
        depth += static_cast<double>(std::min(p.power(t, v), p.degree(v) - p.power(t, v)));
    if (p.degree(v) > 0 && v == turn % p.variables()) depth *= 1.5;
    if (p.degree(v) > 0 && depth > most) {
      most = depth;
      best = v;
    }
  }
  return best;
}

bool descend(DensePolynomial p, const std::vector<HalfLine>& where, bool strict, std::size_t depth, double& budget,
             const std::function<void()>& poll) {
  constexpr std::size_t deepest = 40;
  for (std::size_t v = 0; v < p.variables(); ++v)
    if (!strict || !where[v].zero) p.strip(v);
  budget -= 20 + 3 * static_cast<double>(p.size());
  if (budget < 0 || depth > deepest) return false;
  poll();
  const Signs signs = look(p, where, strict);
  if (signs != Signs::open) return signs == Signs::proven;
  const auto [i, j] = p.is_homogeneous() ? pair_of(p) : std::pair<std::size_t, std::size_t>{0, 0};
  if (i != j && !where[i].infinity && !where[j].infinity) {
    for (const auto& [larger, smaller] : {std::pair{i, j}, std::pair{j, i}}) {
      std::vector<HalfLine> part = where;
      part[larger].zero = true;
      budget -= static_cast<double>(p.size() * (p.degree(larger) + 1));
      if (budget < 0 || !descend(p.with_difference(larger, smaller), part, strict, depth + 1, budget, poll))
        return false;
    }
    return true;
  }
  const std::size_t v = variable_of(p, depth);
  const double lines = static_cast<double>(p.size()) * static_cast<double>(p.degree(v) + 1);
  budget -= 2 * lines;
  if (budget < 0) return false;
  std::vector<HalfLine> beyond = where, below = where;
  beyond[v].zero = true;
  below[v].infinity = false;
  DensePolynomial upper = p;
  upper.shift(v);
  if (!descend(std::move(upper), beyond, strict, depth + 1, budget, poll)) return false;
  // x = y/(1 + y) times (1 + y)^degree.
  p.reverse(v);
  p.shift(v);
  p.reverse(v);
  return descend(std::move(p), below, strict, depth + 1, budget, poll);
}

}  // namespace

bool nonnegative_on_orthant(DensePolynomial p, const std::vector<HalfLine>& where, bool strict, double& budget,
                            const std::function<void()>& poll) {
  // A strict claim sees by a missing top power that p is 0 at that end.
  return descend(strict ? std::move(p) : p.trimmed(), where, strict, 0, budget, poll);
}

}  // namespace attest::referee
