#include <algorithm>
#include <numeric>

#include "kernels/rigor/ball_vector.hpp"
#include "theorems/language/evaluation/rows.hpp"

namespace attest::language {
namespace {

using rigor::Ball;
using Row = std::span<const Ball>;
using Into = std::span<Ball>;

Ball indeterminate() {
  Ball result;
  arb_indeterminate(result.raw());
  return result;
}

/// The derivative of |x|.
Ball sign(const Ball& x) { return slope(Unary::abs, x, x); }

/// x_i is certainly the largest, certainly not, or perhaps: 1, 0 or [0, 1].
Ball share_of_largest(Row x, std::size_t i) {
  bool certain = true;
  for (std::size_t j = 0; j < x.size(); ++j) {
    if (j == i) continue;
    if (certainly_less(x[i], x[j])) return Ball(0);
    certain = certain && certainly_less(x[j], x[i]);
  }
  return certain ? Ball(1) : Ball::hull(Ball(0), Ball(1));
}

rigor::BallVector transformed(Row x, bool absolute, bool negative) {
  rigor::BallVector result(x.begin(), x.end());
  for (Ball& t : result) {
    if (absolute) t = rigor::abs(t);
    if (negative) t = -t;
  }
  return result;
}

std::vector<std::size_t> by_midpoint(Row x) {
  std::vector<std::size_t> order(x.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(
      order, [x](std::size_t a, std::size_t b) { return arf_cmp(arb_midref(x[a].raw()), arb_midref(x[b].raw())) < 0; });
  return order;
}

/// w / (w + rest) has w once, so that wide balls stay tight.
Ball part_of(const Ball& w, const Ball& rest) {
  if (w.is_positive()) return Ball(1) / (Ball(1) + rest / w);
  const Ball total = w + rest;
  if (!total.is_positive()) return indeterminate();
  if (arb_is_zero(w.raw())) return Ball(0);
  // A weight that reaches 0: between 0 and the whole.
  return Ball::hull(Ball(0),
                    rest.is_positive() ? rigor::min(Ball(1), Ball(w.upper()) / (Ball(w.upper()) + rest)) : Ball(1));
}

}  // namespace

Ball reduce_row(Code code, Row x) {
  const auto largest = [](Row all) {
    Ball result = all[0];
    for (const Ball& t : all.subspan(1)) result = rigor::max(result, t);
    return result;
  };
  switch (code) {
    case Code::sum:
      return rigor::sum(x);
    case Code::product: {
      Ball result(1);
      for (const Ball& t : x) result *= t;
      return result;
    }
    case Code::least:
      return -largest(transformed(x, false, true));
    case Code::largest:
      return largest(x);
    case Code::norm_1:
      return rigor::norm1(x);
    case Code::norm_2:
      return rigor::norm2(x);
    case Code::norm_inf:
      return largest(transformed(x, true, false));
    case Code::log_sum_exp:
      return rigor::log_sum_exp(x);
    default:
      return indeterminate();
  }
}

void reduce_row_back(Code code, Row x, const Ball& y, const Ball& dy, Into dx) {
  const std::size_t n = x.size();
  switch (code) {
    case Code::sum:
      for (Ball& t : dx) t += dy;
      return;
    case Code::product: {
      rigor::BallVector after(n + 1, Ball(1));
      for (std::size_t i = n; i-- > 0;) after[i] = after[i + 1] * x[i];
      Ball before(1);
      for (std::size_t i = 0; i < n; ++i) {
        dx[i] += dy * before * after[i + 1];
        before *= x[i];
      }
      return;
    }
    case Code::largest:
    case Code::least:
    case Code::norm_inf: {
      const auto compared = transformed(x, code == Code::norm_inf, code == Code::least);
      for (std::size_t i = 0; i < n; ++i) {
        const Ball share = share_of_largest(compared, i);
        dx[i] += dy * (code == Code::norm_inf ? share * sign(x[i]) : share);
      }
      return;
    }
    case Code::norm_1:
      for (std::size_t i = 0; i < n; ++i) dx[i] += dy * sign(x[i]);
      return;
    case Code::norm_2:
      for (std::size_t i = 0; i < n; ++i) {
        const Ball within = Ball::hull(Ball(-1), Ball(1));
        // x_i / |x| never leaves [-1, 1], also where |x| may be 0.
        Ball ratio = y.is_positive() ? x[i] / y : within;
        if (ratio.is_wide()) ratio = rigor::max(rigor::min(ratio, Ball(1)), Ball(-1));
        dx[i] += dy * ratio;
      }
      return;
    case Code::log_sum_exp: {
      const auto share = rigor::softmax(x);
      for (std::size_t i = 0; i < n; ++i) dx[i] += dy * share[i];
      return;
    }
    default:
      for (Ball& t : dx) t = indeterminate();
  }
}

void map_row(Code code, Row x, Into y) {
  const std::size_t n = x.size();
  switch (code) {
    case Code::softmax:
      std::ranges::move(rigor::softmax(x), y.begin());
      return;
    case Code::share: {
      rigor::BallVector after(n + 1);
      for (std::size_t i = n; i-- > 0;) after[i] = after[i + 1] + x[i];
      Ball before;
      for (std::size_t i = 0; i < n; ++i) {
        y[i] = part_of(x[i], before + after[i + 1]);
        before += x[i];
      }
      return;
    }
    case Code::direction: {
      const Ball length = rigor::norm2(x);
      for (std::size_t i = 0; i < n; ++i) y[i] = length.is_positive() ? x[i] / length : indeterminate();
      return;
    }
    case Code::sorted: {
      // Numbers that may change places share a hull.
      const auto order = by_midpoint(x);
      for (std::size_t first = 0; first < n;) {
        std::size_t last = first + 1;
        Ball hull = x[order[first]];
        while (last < n && overlaps(hull, x[order[last]])) hull = Ball::hull(hull, x[order[last++]]);
        // A later ball may be wide enough to reach back over earlier groups.
        for (std::size_t k = last; k < n; ++k)
          if (!certainly_less(hull, x[order[k]])) hull = indeterminate();
        for (std::size_t k = first; k < last; ++k) y[k] = last == first + 1 ? x[order[k]] : hull;
        if (!hull.is_finite())
          for (std::size_t k = first; k < last; ++k) y[k] = hull;
        first = last;
      }
      return;
    }
    case Code::cumulated: {
      Ball total;
      for (std::size_t i = 0; i < n; ++i) y[i] = total += x[i];
      return;
    }
    default:
      for (Ball& t : y) t = indeterminate();
  }
}

void map_row_back(Code code, Row x, Row y, Row dy, Into dx) {
  const std::size_t n = x.size();
  switch (code) {
    case Code::softmax:
    case Code::share: {
      const Ball scale = code == Code::softmax ? Ball(1) : Ball(1) / rigor::sum(x);
      for (std::size_t i = 0; i < n; ++i) {
        // sum_j y_j (dy_i - dy_j) by differences: equal weights cancel before they are multiplied.
        Ball total;
        for (std::size_t j = 0; j < n; ++j)
          if (j != i) total += y[j] * (dy[i] - dy[j]);
        dx[i] += scale * (code == Code::softmax ? y[i] * total : total);
      }
      return;
    }
    case Code::direction: {
      const Ball along = rigor::dot(y, dy), length = rigor::norm2(x);
      for (std::size_t i = 0; i < n; ++i)
        dx[i] += length.is_positive() ? (dy[i] - along * y[i]) / length : indeterminate();
      return;
    }
    case Code::sorted: {
      const auto order = by_midpoint(x);
      for (std::size_t i = 0; i < n; ++i) {
        const bool apart = (i == 0 || certainly_less(x[order[i - 1]], x[order[i]])) &&
                           (i + 1 == n || certainly_less(x[order[i]], x[order[i + 1]]));
        dx[order[i]] += apart ? dy[i] : indeterminate();
      }
      return;
    }
    case Code::cumulated: {
      Ball after;
      for (std::size_t i = n; i-- > 0;) dx[i] += after += dy[i];
      return;
    }
    default:
      for (Ball& t : dx) t = indeterminate();
  }
}

Ball norm_p(Row x, const Ball& p) {
  if (!certainly_less_equal(Ball(1), p)) return indeterminate();
  Ball total;
  for (const Ball& t : x) {
    const Ball size = rigor::abs(t);
    if (!arb_is_zero(size.raw())) total += rigor::pow(size, p);
  }
  return arb_is_zero(total.raw()) ? Ball(0) : rigor::pow(total, Ball(1) / p);
}

void norm_p_back(Row x, const Ball& p, const Ball& y, const Ball& dy, Into dx, Ball& dp) {
  Ball growth;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!y.is_positive()) {
      dx[i] += dy * Ball::hull(Ball(-1), Ball(1));
      continue;
    }
    if (arb_is_zero(x[i].raw())) {
      if (!certainly_less(Ball(1), p)) dx[i] += dy * Ball::hull(Ball(-1), Ball(1));
      continue;
    }
    const Ball ratio = rigor::abs(x[i]) / y;
    dx[i] += dy * sign(x[i]) * rigor::pow(ratio, p - Ball(1));
    growth += rigor::pow(ratio, p) * rigor::log(ratio);
  }
  dp += y.is_positive() ? dy * y / p * growth : indeterminate();
}

}  // namespace attest::language
