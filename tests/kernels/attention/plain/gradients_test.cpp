// The plain algorithms whose operations are counted give the gradients of their formulas.
#include <gtest/gtest.h>

#include "tests/kernels/attention/plain/linear.hpp"
#include "tests/kernels/attention/plain/nystrom.hpp"
#include "tests/kernels/attention/plain/pooling.hpp"
#include "tests/kernels/attention/plain/softmax.hpp"
#include "tests/kernels/attention/plain/stages.hpp"
#include "tests/kernels/attention/plain/traced.hpp"

namespace attest::attention::plain {
namespace {

template <typename S>
Matrix<S> numbers(Index rows, Index cols, double phase) {
  Matrix<S> m(rows, cols);
  for (std::size_t i = 0; i < m.entries.size(); ++i) {
    const double value = std::sin(phase + 1.7 * static_cast<double>(i));
    if constexpr (std::is_same_v<S, Traced>)
      m.entries[i] = Traced::variable(value);
    else
      m.entries[i] = S(value);
  }
  return m;
}

constexpr Index tokens = 7, dim = 4, value_dim = 3;
const Matrix<double> q = numbers<double>(tokens, dim, 1), k = numbers<double>(tokens, dim, 2),
                     v = numbers<double>(tokens, value_dim, 3), dout = numbers<double>(tokens, value_dim, 4);

/// Gradients of sum(f(q, k, v) * dout) by reverse accumulation.
template <typename F>
Gradients<double> traced(F f) {
  const Matrix<Traced> tq = numbers<Traced>(tokens, dim, 1), tk = numbers<Traced>(tokens, dim, 2),
                       tv = numbers<Traced>(tokens, value_dim, 3), out = f(tq, tk, tv);
  Traced loss(0);
  for (std::size_t i = 0; i < out.entries.size(); ++i) loss = loss + out.entries[i] * Traced(dout.entries[i]);
  const std::vector<double> adjoint = Traced::gradients(loss);
  const auto of = [&](const Matrix<Traced>& x) {
    Matrix<double> g(x.rows, x.cols);
    for (std::size_t i = 0; i < g.entries.size(); ++i)
      g.entries[i] = adjoint[static_cast<std::size_t>(x.entries[i].node())];
    return g;
  };
  return {of(tq), of(tk), of(tv)};
}

/// Both ways take the same derivatives in another order: sums of `tokens` terms of size 10 at most, each from about 20
/// operations on numbers of that size.
constexpr double rounding = 20 * 10 * static_cast<double>(tokens) * 0x1p-53;

void expect_same(const Gradients<double>& a, const Gradients<double>& b) {
  const auto near = [](const Matrix<double>& x, const Matrix<double>& y, const char* name) {
    for (std::size_t i = 0; i < x.entries.size(); ++i) EXPECT_NEAR(x.entries[i], y.entries[i], rounding) << name;
  };
  near(a.q, b.q, "q");
  near(a.k, b.k, "k");
  near(a.v, b.v, "v");
}

TEST(PlainGradients, of_softmax_attention) {
  const auto expected =
      traced([](const auto& a, const auto& b, const auto& c) { return product(weights(a, b, Traced(0.5)), c); });
  expect_same(softmax_gradients(q, k, v, 0.5, weights(q, k, 0.5), dout), expected);
  const auto all = [](Index, Index) { return true; };
  expect_same(streamed_gradients(q, k, v, 0.5, all, streamed(q, k, v, 0.5, all), dout), expected);
}

TEST(PlainGradients, of_twicing) {
  const auto expected =
      traced([](const auto& a, const auto& b, const auto& c) { return twiced(a, b, c, Traced(0.5)).out; });
  expect_same(twicing_gradients(q, k, v, 0.5, twiced(q, k, v, 0.5), dout), expected);
  const auto all = [](Index, Index) { return true; };
  expect_same(streamed_twice_gradients(q, k, v, 0.5, all, streamed_twice(q, k, v, 0.5, all), dout), expected);
}

TEST(PlainGradients, of_linear_attention) {
  expect_same(linear_gradients(q, k, v, linear(q, k, v, 1e-6), dout),
              traced([](const auto& a, const auto& b, const auto& c) { return linear(a, b, c, Traced(1e-6)).out; }));
}

TEST(PlainGradients, of_nystrom_attention) {
  expect_same(nystrom_gradients(nystrom(q, k, v, 3, 6), v, dout),
              traced([](const auto& a, const auto& b, const auto& c) { return nystrom(a, b, c, 3, 6).out; }));
}

TEST(PlainGradients, of_recentring) {
  for (const bool normalised : {false, true}) {
    const auto forward = recentred(q, k, 0.6, normalised, 0.1);
    const auto before = softmax_gradients(forward.q, forward.k, v, 0.5, weights(forward.q, forward.k, 0.5), dout);
    const auto g = recentred_gradients(q, k, 0.6, false, forward, before.q, before.k);
    expect_same({g.q, g.k, before.v}, traced([normalised](const auto& a, const auto& b, const auto& c) {
                  const auto r = recentred(a, b, Traced(0.6), normalised, Traced(0.1));
                  return product(weights(r.q, r.k, Traced(0.5)), c);
                }));
  }
}

TEST(PlainGradients, of_causal_linear_attention) {
  expect_same(
      causal_linear_gradients(q, k, v, causal_linear(q, k, v, 1e-6), dout),
      traced([](const auto& a, const auto& b, const auto& c) { return causal_linear(a, b, c, Traced(1e-6)).out; }));
}

double inner_product(const Matrix<double>& a, const Matrix<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.entries.size(); ++i) sum += a.entries[i] * b.entries[i];
  return sum;
}

TEST(PlainGradients, of_pooling_are_its_transpose) {
  for (const Index factor : {2, 3}) {
    const Matrix<double> means = pooled(q, factor, true, q.rows), dmeans = numbers<double>(means.rows, dim, 5);
    EXPECT_NEAR(inner_product(means, dmeans), inner_product(q, pooled_gradient(dmeans, factor, q.rows)), rounding);
  }
}

TEST(PlainGradients, of_convolution_are_its_transposes) {
  const std::vector<double> kernel{0.5, -1, 2};
  const Matrix<double> y = convolved(q, kernel, 1), dy = numbers<double>(q.rows, dim, 5);
  const ConvolvedGradients<double> g = convolved_gradients(q, kernel, 1, dy);
  double by_kernel = 0;
  for (std::size_t t = 0; t < kernel.size(); ++t) by_kernel += kernel[t] * g.kernel[t];
  EXPECT_NEAR(inner_product(y, dy), inner_product(q, g.x), rounding);
  EXPECT_NEAR(inner_product(y, dy), by_kernel, rounding);
}

}  // namespace
}  // namespace attest::attention::plain
