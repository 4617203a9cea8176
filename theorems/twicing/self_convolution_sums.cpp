// Appendix A.5, Eqs 30 and 31: sums over the integer grid in place of the integrals of K*K*v.
#include <cmath>
#include <vector>

#include "kernels/rigor/ball_vector.hpp"
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/engine/protocols/identity.hpp"
#include "theorems/engine/protocols/sequence.hpp"
#include "theorems/mechanisms/attention_matrix.hpp"

namespace attest::twicing {
namespace {

using namespace engine;
using namespace mechanisms;
using rigor::Ball;
using rigor::BallMatrix;
using rigor::BallVector;

/// Gaussian kernel of bandwidth h at the integers 0 .. reach; beyond 20 h + 2 the sum of the rest is below e^-190.
BallVector gaussian_on_integers(const Ball& h, std::size_t reach) {
  BallVector values;
  for (std::size_t i = 0; i <= reach; ++i) {
    values.push_back(rigor::exp(-rigor::square(Ball(i) / h) / 2) / (h * rigor::sqrt(2 * Ball::pi())));
  }
  return values;
}

std::size_t reach_of(double h) { return static_cast<std::size_t>(20 * h) + 3; }

/// What truncation at `reach_of(h)` leaves out of sums of the kernel times values not above 2.
Ball truncation() {
  const Ball size = rigor::exp(Ball(-180));
  return Ball::hull(-size, size);
}

/// sum_l sum_j K(x - l) K(l - j) v(j) over all integers at x = 0, v(t) = 1 + cos(t/(2h)), h = n.
Ball double_sum_on_the_line(double n) {
  const std::size_t reach = reach_of(n);
  const BallVector kernel = gaussian_on_integers(n, reach);
  const auto smoothed = [&](const auto& g, std::size_t at) {
    Ball total = kernel[0] * g(at);
    for (std::size_t i = 1; i <= reach; ++i) total += kernel[i] * (g(at + i) + g(at >= i ? at - i : i - at));
    return total;
  };
  BallVector v;  // v is even: indices are distances from 0
  for (std::size_t t = 0; t <= 2 * reach; ++t) v.push_back(1 + rigor::cos(Ball(t) / (2 * Ball(n))));
  BallVector once;
  for (std::size_t l = 0; l <= reach; ++l) once.push_back(smoothed([&](std::size_t t) { return v[t]; }, l));
  return smoothed([&](std::size_t t) { return once[t]; }, 0) + truncation();
}

/// The sums approach `factor` times the convolution integral 1 + e^(-1/4) as the bandwidth h = n grows on the grid of
/// step 1.
Check sums_on_the_line(double factor) {
  SequenceProblem p;
  p.claim = Asymptotics::limit;
  p.n = geometric_grid(0.25, 2, 6);
  p.value = double_sum_on_the_line;
  p.reference = [factor](double) { return factor * (1 + rigor::exp(Ball(-0.25))); };
  return sequence(std::move(p));
}

/// At the first point of the half line, v = 1: sum_l>=0 K(l) sum_j>=0 K(l - j) approaches
/// int_0^inf K(t) Phi(t/h) dt = (1 - 1/4)/2 = 3/8.
Check sums_at_the_edge(double factor) {
  SequenceProblem p;
  p.claim = Asymptotics::limit;
  p.n = geometric_grid(4, 2, 6);
  p.value = [](double n) {
    const std::size_t reach = reach_of(n);
    const BallVector kernel = gaussian_on_integers(n, reach);
    // sum_{j>=0} K(l - j) = K(0) + ... + K(l) on the left and K(1) + K(2) + ... on the right.
    Ball right = truncation();
    for (std::size_t i = 1; i <= reach; ++i) right += kernel[i];
    Ball left = 0;
    Ball total = 0;
    for (std::size_t l = 0; l <= reach; ++l) {
      left += kernel[l];
      total += kernel[l] * (left + right);
    }
    return total + truncation();
  };
  p.reference = [factor](double) { return factor * Ball::from_rational(3, 8); };
  p.resolution = 0.001;
  return sequence(std::move(p));
}

Check sums_replace_integrals(double line, double edge) {
  return composite({{"on the line", Kind::limit, sums_on_the_line(line)},
                    {"at the edge of a half line", Kind::limit, sums_at_the_edge(edge)}});
}

/// sum_j sum_l K(i - l) K(l - j + shift) v_j = ((A^2) v)_i for A_ij = K(i - j), four tokens; or A normalised by rows.
Check double_sum_is_square(int shift, bool normalised) {
  constexpr std::size_t n = 4;
  IdentityProblem p;
  p.lower = {0.5, -1, -1, -1, -1};
  p.upper = {3, 1, 1, 1, 1};
  p.decode = [](std::span<const double> x) {
    return Inputs{{"bandwidth", {x[0]}}, {"values", {x.begin() + 1, x.end()}}};
  };
  p.rounding_bound = 1e-13;
  // Only the ratio of the two sides matters: K is taken without its normalising constant.
  p.sides = [=](const Inputs& in) -> IdentitySides {
    const auto k = [&](double t) { return std::exp(-t * t / (2 * in.scalar("bandwidth") * in.scalar("bandwidth"))); };
    const auto difference = [](std::size_t i, std::size_t j) {
      return static_cast<double>(i) - static_cast<double>(j);
    };
    std::vector<double> a(n * n);
    std::vector<double> sums(n, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
      double total = 0;
      for (std::size_t j = 0; j < n; ++j) total += a[i * n + j] = k(difference(i, j));
      for (std::size_t j = 0; j < n && normalised; ++j) a[i * n + j] /= total;
      for (std::size_t j = 0; j < n; ++j) {
        for (std::size_t l = 0; l < n; ++l)
          sums[i] += k(difference(i, l)) * k(difference(l, j) + shift) * in["values"][j];
      }
    }
    return {sums, multiply(a, multiply(a, in["values"])), 16};
  };
  p.ball_sides = [=](const Inputs& in) -> IdentityBallSides {
    const Ball h = in.scalar("bandwidth");
    const auto k = [&](int t) { return rigor::exp(-rigor::square(Ball(t) / h) / 2); };
    BallMatrix a(n, n);
    BallMatrix twice(n, n);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        const int difference = static_cast<int>(i) - static_cast<int>(j);
        a(i, j) = k(difference);
        for (std::size_t l = 0; l < n; ++l) {
          twice(i, j) +=
              k(static_cast<int>(i) - static_cast<int>(l)) * k(static_cast<int>(l) - static_cast<int>(j) + shift);
        }
      }
      const Ball total = rigor::sum(a.row(i));
      for (Ball& entry : a.row(i)) entry = normalised ? entry / total : entry;
    }
    const BallVector values = rigor::to_balls(in["values"]);
    IdentityBallSides sides{rigor::multiply(twice, values), rigor::multiply(rigor::multiply(a, a), values)};
    for (std::size_t i = 0; i < n; ++i) sides.lhs[i] += 32, sides.rhs[i] += 32;  // keeps a size where a sum is 0
    return sides;
  };
  p.evaluations = 300;
  return identity(std::move(p));
}

Check eq_31(int shift, bool normalised, double limit) {
  return composite({{"double sum = A^2 v", Kind::identity, double_sum_is_square(shift, normalised)},
                    {"double sum -> convolution", Kind::limit, sums_on_the_line(limit)}});
}

}  // namespace

Claims self_convolution_sums() {
  Claims claims;
  claims.push_back(
      {{.id = "twicing/eq-30",
        .label = "Eq 30",
        .title = "Sums over the integer grid replace the integrals of the twofold convolution",
        .kind = Kind::limit,
        .tex = R"((K*K*v)(x)\approx\sum_{j}\sum_{l}K(x-l)\,K(l-j)\,v(j)\quad(h\to\infty\text{ on the grid of step }1))",
        .assumptions = {"K is the Gaussian kernel of bandwidth h", "v varies on the scale of h",
                        "the sums run over the grid points of the domain of the integrals"},
        .expected = Verdict::supported,
        .note =
            "Read as a limit: the bandwidth grows against the grid step. Judged on the whole line and at the end of a "
            "half line; at a bandwidth of a quarter step the sums are off by a factor above two."},
       sums_replace_integrals(1, 1),
       {{"limit one percent larger on the line", 0.01, sums_replace_integrals(1.01, 1)},
        {"limit one percent larger at the edge", 0.01, sums_replace_integrals(1, 1.01)}}});
  claims.push_back(
      {{.id = "twicing/eq-31",
        .label = "Eq 31",
        .title = "The double sum is the square of the matrix K(i - j) applied to the values",
        .kind = Kind::identity,
        .tex = R"(A_{ij}=K(i-j)\;\Rightarrow\;(K*K*v)(i)\approx\sum_j(A^2)_{ij}\,v(j))",
        .assumptions = {"A is not normalised by rows, as printed",
                        "K is the Gaussian kernel of bandwidth h, h -> infinity"},
        .expected = Verdict::supported,
        .note = "Eq 11 of the same paper defines A with rows that sum to one; with that A the double sum is not A^2 v.",
        .depends_on = {"twicing/eq-30"}},
       eq_31(0, false, 1),
       {{"second index shifted by one", 1, eq_31(1, false, 1)},
        {"rows normalised", 1, eq_31(0, true, 1)},
        {"limit one percent larger", 0.01, eq_31(0, false, 1.01)}}});
  return claims;
}

}  // namespace attest::twicing
