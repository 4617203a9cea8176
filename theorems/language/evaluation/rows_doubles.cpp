#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include <Eigen/Core>

#include "theorems/language/evaluation/rows.hpp"

namespace attest::language {
namespace {

using Row = std::span<const double>;
using Into = std::span<double>;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

auto mapped(Row x) { return Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size())); }

/// Position of the first largest f(x_i); any NaN wins, so that it is passed on.
template <typename F>
std::size_t position_of_largest(Row x, const F& f) {
  std::size_t best = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (std::isnan(x[i])) return i;
    if (f(x[i]) > f(x[best])) best = i;
  }
  return best;
}

std::size_t position(Code code, Row x) {
  switch (code) {
    case Code::largest:
      return position_of_largest(x, [](double t) { return t; });
    case Code::least:
      return position_of_largest(x, [](double t) { return -t; });
    default:
      return position_of_largest(x, [](double t) { return std::fabs(t); });
  }
}

double norm_2(Row x) {
  const double squares = mapped(x).squaredNorm();
  // Squares that overflow or lose digits to underflow are taken of x / max |x| instead.
  if (squares > 1e-280 && squares < 1e300) return std::sqrt(squares);
  const double largest = std::fabs(x[position(Code::norm_inf, x)]);
  if (!(largest > 0) || std::isinf(largest)) return largest;
  return largest * (mapped(x) / largest).norm();
}

double log_sum_exp(Row x) {
  const double largest = x[position(Code::largest, x)];
  if (!std::isfinite(largest)) return largest;
  double total = 0;
  for (const double t : x) total += std::exp(t - largest);
  return largest + std::log(total);
}

double sign(double x) { return static_cast<double>((x > 0) - (x < 0)); }

std::vector<std::size_t> ascending(Row x) {
  std::vector<std::size_t> order(x.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [x](std::size_t a, std::size_t b) { return x[a] < x[b]; });
  return order;
}

}  // namespace

double reduce_row(Code code, Row x) {
  switch (code) {
    case Code::sum:
      return mapped(x).sum();
    case Code::product:
      return mapped(x).prod();
    case Code::least:
    case Code::largest:
      return x[position(code, x)];
    case Code::norm_1:
      return mapped(x).lpNorm<1>();
    case Code::norm_2:
      return norm_2(x);
    case Code::norm_inf:
      return std::fabs(x[position(code, x)]);
    case Code::log_sum_exp:
      return log_sum_exp(x);
    default:
      return nan;
  }
}

void reduce_row_back(Code code, Row x, double y, double dy, Into dx) {
  const std::size_t n = x.size();
  switch (code) {
    case Code::sum:
      for (std::size_t i = 0; i < n; ++i) dx[i] += dy;
      return;
    case Code::product: {
      std::vector<double> after(n + 1, 1);
      for (std::size_t i = n; i-- > 0;) after[i] = after[i + 1] * x[i];
      double before = 1;
      for (std::size_t i = 0; i < n; ++i) {
        dx[i] += dy * before * after[i + 1];
        before *= x[i];
      }
      return;
    }
    case Code::least:
    case Code::largest:
      dx[position(code, x)] += dy;
      return;
    case Code::norm_1:
      for (std::size_t i = 0; i < n; ++i) dx[i] += dy * sign(x[i]);
      return;
    case Code::norm_2:
      if (y == 0) return;
      for (std::size_t i = 0; i < n; ++i) dx[i] += dy * (x[i] / y);
      return;
    case Code::norm_inf: {
      const std::size_t at = position(code, x);
      dx[at] += dy * sign(x[at]);
      return;
    }
    case Code::log_sum_exp:
      for (std::size_t i = 0; i < n; ++i) dx[i] += dy * std::exp(x[i] - y);
      return;
    default:
      return;
  }
}

void map_row(Code code, Row x, Into y) {
  switch (code) {
    case Code::softmax: {
      const double largest = x[position(Code::largest, x)];
      double total = 0;
      for (std::size_t i = 0; i < x.size(); ++i) total += y[i] = std::exp(x[i] - largest);
      for (double& t : y) t /= total;
      return;
    }
    case Code::share: {
      const double total = mapped(x).sum();
      for (std::size_t i = 0; i < x.size(); ++i) y[i] = total > 0 ? x[i] / total : nan;
      return;
    }
    case Code::direction: {
      const double length = norm_2(x);
      for (std::size_t i = 0; i < x.size(); ++i) y[i] = length > 0 ? x[i] / length : nan;
      return;
    }
    case Code::sorted: {
      const bool known = std::ranges::none_of(x, [](double t) { return std::isnan(t); });
      std::ranges::copy(x, y.begin());
      if (known) std::ranges::sort(y);
      if (!known) std::ranges::fill(y, nan);
      return;
    }
    case Code::cumulated:
      std::partial_sum(x.begin(), x.end(), y.begin());
      return;
    default:
      std::ranges::fill(y, nan);
  }
}

void map_row_back(Code code, Row x, Row y, Row dy, Into dx) {
  const std::size_t n = x.size();
  switch (code) {
    case Code::softmax: {
      const double mean = mapped(y).dot(mapped(dy));
      for (std::size_t i = 0; i < n; ++i) dx[i] += y[i] * (dy[i] - mean);
      return;
    }
    case Code::share: {
      const double mean = mapped(y).dot(mapped(dy)), total = mapped(x).sum();
      for (std::size_t i = 0; i < n; ++i) dx[i] += (dy[i] - mean) / total;
      return;
    }
    case Code::direction: {
      const double along = mapped(y).dot(mapped(dy)), length = norm_2(x);
      for (std::size_t i = 0; i < n; ++i) dx[i] += (dy[i] - along * y[i]) / length;
      return;
    }
    case Code::sorted: {
      const auto order = ascending(x);
      for (std::size_t i = 0; i < n; ++i) dx[order[i]] += dy[i];
      return;
    }
    case Code::cumulated: {
      double after = 0;
      for (std::size_t i = n; i-- > 0;) dx[i] += after += dy[i];
      return;
    }
    default:
      return;
  }
}

double norm_p(Row x, double p) {
  if (!(p >= 1)) return nan;
  const double largest = std::fabs(x[position(Code::norm_inf, x)]);
  if (!(largest > 0) || std::isinf(p)) return largest;
  double total = 0;
  for (const double t : x) total += std::pow(std::fabs(t) / largest, p);
  return largest * std::pow(total, 1 / p);
}

void norm_p_back(Row x, double p, double y, double dy, Into dx, double& dp) {
  if (!(y > 0)) return;
  // log y = log(sum |x|^p) / p, so dy/dp = y/p (sum w log(|x|/y)), w = (|x|/y)^p.
  double growth = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double ratio = std::fabs(x[i]) / y;
    if (ratio == 0) continue;
    dx[i] += dy * sign(x[i]) * std::pow(ratio, p - 1);
    growth += std::pow(ratio, p) * std::log(ratio);
  }
  dp += dy * y / p * growth;
}

}  // namespace attest::language
