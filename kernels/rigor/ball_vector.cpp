#include "kernels/rigor/ball_vector.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace attest::rigor {
namespace {

void require_same(const char* function, std::size_t a, std::size_t b) {
  if (a != b) {
    throw std::invalid_argument(std::string("rigor::") + function + ": the sizes " + std::to_string(a) + " and " +
                                std::to_string(b) + " do not fit, give operands of one size");
  }
}

template <typename Operation>
BallVector combine(const char* name, std::span<const Ball> x, std::span<const Ball> y, const Operation& operation) {
  require_same(name, x.size(), y.size());
  BallVector result;
  result.reserve(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) result.push_back(operation(x[i], y[i]));
  return result;
}

// The largest midpoint: subtracting this exact number from every logit changes nothing but the range.
Ball largest_midpoint(std::span<const Ball> x) {
  Ball result(x.empty() ? 0.0 : x[0].mid());
  for (const Ball& value : x) result = max(result, Ball(value.mid()));
  return result;
}

BallMatrix with_shape_of(const BallMatrix& a, BallVector entries) {
  BallMatrix result;
  result.rows = a.rows;
  result.cols = a.cols;
  result.entries = std::move(entries);
  return result;
}

void require_same_shape(const char* function, const BallMatrix& a, const BallMatrix& b) {
  require_same(function, a.rows, b.rows);
  require_same(function, a.cols, b.cols);
}

}  // namespace

BallVector to_balls(std::span<const double> values) { return {values.begin(), values.end()}; }

BallMatrix to_balls(std::span<const double> values, std::size_t rows, std::size_t cols) {
  require_same("to_balls", values.size(), rows * cols);
  BallMatrix result;
  result.rows = rows;
  result.cols = cols;
  result.entries = to_balls(values);
  return result;
}

BallMatrix identity(std::size_t n) {
  BallMatrix result(n, n);
  for (std::size_t i = 0; i < n; ++i) result(i, i) = 1;
  return result;
}

Ball sum(std::span<const Ball> x) {
  Ball result;
  for (const Ball& value : x) result += value;
  return result;
}

Ball dot(std::span<const Ball> x, std::span<const Ball> y) {
  require_same("dot", x.size(), y.size());
  Ball result;
  for (std::size_t i = 0; i < x.size(); ++i) {
    arb_addmul(result.raw(), x[i].raw(), y[i].raw(), working_precision());
  }
  return result;
}

Ball norm1(std::span<const Ball> x) {
  Ball result;
  for (const Ball& value : x) result += abs(value);
  return result;
}

Ball norm2(std::span<const Ball> x) {
  // A sum of squares knows that it is not negative; a dot product of wide balls does not.
  Ball result;
  for (const Ball& value : x) result += square(value);
  return sqrt(result);
}

Ball norm_inf(std::span<const Ball> x) {
  Ball result;
  for (const Ball& value : x) result = max(result, abs(value));
  return result;
}

BallVector add(std::span<const Ball> x, std::span<const Ball> y) {
  return combine("add", x, y, [](const Ball& a, const Ball& b) { return a + b; });
}

BallVector subtract(std::span<const Ball> x, std::span<const Ball> y) {
  return combine("subtract", x, y, [](const Ball& a, const Ball& b) { return a - b; });
}

BallVector scale(const Ball& factor, std::span<const Ball> x) {
  BallVector result;
  result.reserve(x.size());
  for (const Ball& value : x) result.push_back(factor * value);
  return result;
}

BallVector softmax(std::span<const Ball> x) {
  const bool bounded = std::ranges::all_of(x, [](const Ball& each) { return each.is_finite(); });
  const Ball shift = largest_midpoint(x);
  BallVector weight;
  weight.reserve(x.size());
  for (const Ball& value : x) weight.push_back(exp(value - shift));
  // p_i = 1 / (1 + (sum of the others) / w_i): the others' sum is what stands before i plus what stands after.
  BallVector after(x.size() + 1);
  for (std::size_t i = x.size(); i-- > 0;) after[i] = after[i + 1] + weight[i];
  BallVector result;
  result.reserve(x.size());
  Ball before;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Ball share = Ball(1) / (Ball(1) + (before + after[i + 1]) / weight[i]);
    // The exponential of a very wide ball reaches down to 0, by which nothing is divided; a share never leaves [0, 1].
    result.push_back(share.is_finite() || !bounded ? share : Ball::hull(Ball(0), Ball(1)));
    before += weight[i];
  }
  return result;
}

Ball log_sum_exp(std::span<const Ball> x) {
  if (x.empty()) throw std::invalid_argument("rigor::log_sum_exp: the vector is empty, give at least one number");
  const Ball shift = largest_midpoint(x);
  Ball total;
  for (const Ball& value : x) total += exp(value - shift);
  return shift + log(total);
}

BallVector multiply(const BallMatrix& a, std::span<const Ball> x) {
  require_same("multiply", a.cols, x.size());
  BallVector result;
  result.reserve(a.rows);
  for (std::size_t i = 0; i < a.rows; ++i) result.push_back(dot(a.row(i), x));
  return result;
}

BallMatrix multiply(const BallMatrix& a, const BallMatrix& b) {
  require_same("multiply", a.cols, b.rows);
  BallMatrix result(a.rows, b.cols);
  for (std::size_t i = 0; i < a.rows; ++i) {
    for (std::size_t k = 0; k < a.cols; ++k) {
      for (std::size_t j = 0; j < b.cols; ++j) {
        arb_addmul(result(i, j).raw(), a(i, k).raw(), b(k, j).raw(), working_precision());
      }
    }
  }
  return result;
}

BallMatrix add(const BallMatrix& a, const BallMatrix& b) {
  require_same_shape("add", a, b);
  return with_shape_of(a, add(std::span<const Ball>(a.entries), std::span<const Ball>(b.entries)));
}

BallMatrix subtract(const BallMatrix& a, const BallMatrix& b) {
  require_same_shape("subtract", a, b);
  return with_shape_of(a, subtract(std::span<const Ball>(a.entries), std::span<const Ball>(b.entries)));
}

BallMatrix scale(const Ball& factor, const BallMatrix& a) { return with_shape_of(a, scale(factor, a.entries)); }

BallMatrix transpose(const BallMatrix& a) {
  BallMatrix result(a.cols, a.rows);
  for (std::size_t i = 0; i < a.rows; ++i) {
    for (std::size_t j = 0; j < a.cols; ++j) result(j, i) = a(i, j);
  }
  return result;
}

Ball frobenius_norm(const BallMatrix& a) { return norm2(a.entries); }

}  // namespace attest::rigor
