// Section 3.3 and Appendix A.5: is smoothing with A^2 smoothing with K*K, and 2A - A^2 with 2K - K*K?
#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "kernels/regression/nadaraya_watson.hpp"
#include "kernels/rigor/ball_vector.hpp"
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/engine/protocols/identity.hpp"
#include "theorems/engine/protocols/sequence.hpp"
#include "theorems/mechanisms/attention_matrix.hpp"

namespace attest::twicing {
namespace {

using namespace engine;
using namespace mechanisms;
using regression::find_kernel;
using regression::Form;
using rigor::Ball;
using rigor::BallMatrix;
using rigor::BallVector;

/// Which polynomial of the smoother is compared with which kernel.
enum class Power { squared, twiced };

/// A^2 v (2A - A^2 v) against the smoother with K*K (2K - K*K): A the row-normalised Gaussian smoother of bandwidth h
/// at three points of the line, those at 0 and 1 and one at `third`.
Check smoother_power(Power power, double closest, double farthest) {
  IdentityProblem p;
  p.lower = {0.5, closest, -1, -1, -1};
  p.upper = {2, farthest, 1, 1, 1};
  p.decode = [](std::span<const double> x) {
    return Inputs{{"bandwidth", {x[0]}}, {"third", {x[1]}}, {"values", {x.begin() + 2, x.end()}}};
  };
  p.rounding_bound = 1e-13;
  const auto form = power == Power::squared ? Form::self_convolved : Form::twiced;
  p.sides = [=](const Inputs& in) -> IdentitySides {
    const std::vector<double> points{0, 1, in.scalar("third")};
    const double h = in.scalar("bandwidth");
    const Eigen::MatrixXd a = regression::smoother_matrix(find_kernel("gaussian"), Form::plain, points, points, h);
    const Eigen::MatrixXd b = regression::smoother_matrix(find_kernel("gaussian"), form, points, points, h);
    const Eigen::Map<const Eigen::VectorXd> v(in["values"].data(), 3);
    const Eigen::VectorXd once = a * v;
    Eigen::VectorXd left = a * once;
    if (power == Power::twiced) left = 2 * once - left;
    const Eigen::VectorXd right = b * v;
    return {{left.begin(), left.end()}, {right.begin(), right.end()}, 3};
  };
  p.ball_sides = [=](const Inputs& in) -> IdentityBallSides {
    const std::vector<double> points{0, 1, in.scalar("third")};
    BallMatrix a(3, 3);
    BallMatrix b(3, 3);
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) {
        const Ball u = (Ball(points[i]) - points[j]) / in.scalar("bandwidth");
        a(i, j) = find_kernel("gaussian").value(u);
        b(i, j) =
            power == Power::squared ? find_kernel("gaussian").self_convolution(u) : find_kernel("gaussian").twicing(u);
      }
      const Ball total_a = rigor::sum(a.row(i));
      const Ball total_b = rigor::sum(b.row(i));
      for (Ball& entry : a.row(i)) entry /= total_a;
      for (Ball& entry : b.row(i)) entry /= total_b;
    }
    const BallVector v = rigor::to_balls(in["values"]);
    const BallMatrix left = power == Power::squared ? rigor::multiply(a, a) : twicing_matrix(a);
    return {rigor::multiply(left, v), rigor::multiply(b, v)};
  };
  p.evaluations = 300;
  return identity(std::move(p));
}

Check smoother_powers(double closest, double farthest) {
  return composite({{"A^2 and K*K", Kind::identity, smoother_power(Power::squared, closest, farthest)},
                    {"2A - A^2 and 2K - K*K", Kind::identity, smoother_power(Power::twiced, closest, farthest)}});
}

/// Tokens at equally spaced angles (the last off by `shift` of a step), so that A_ij = kappa(i - j): A^2 and 2A - A^2
/// act as the circular kernels kappa o kappa and 2 kappa - kappa o kappa.
Check circulant(double shift) {
  constexpr std::size_t ring = 5;
  IdentityProblem p;
  p.lower = {0.5, -1, -1, -1, -1, -1};
  p.upper = {2, 1, 1, 1, 1, 1};
  p.decode = [](std::span<const double> x) { return Inputs{{"radius", {x[0]}}, {"values", {x.begin() + 1, x.end()}}}; };
  p.rounding_bound = 1e-13;
  p.sides = [=](const Inputs& in) -> IdentitySides {
    const double r = in.scalar("radius");
    const double step = 2 * std::numbers::pi / ring;
    std::vector<double> points;
    std::vector<double> kappa;
    double total = 0;
    for (std::size_t i = 0; i < ring; ++i) {
      const double angle = step * (static_cast<double>(i) + (i + 1 == ring ? shift : 0));
      points.insert(points.end(), {r * std::cos(angle), r * std::sin(angle)});
      kappa.push_back(std::exp(r * r * std::cos(step * static_cast<double>(i)) / std::numbers::sqrt2));
      total += kappa.back();
    }
    for (double& k : kappa) k /= total;
    std::vector<double> twicing_kernel(ring);
    for (std::size_t l = 0; l < ring; ++l) {
      twicing_kernel[l] = 2 * kappa[l];
      for (std::size_t m = 0; m < ring; ++m) twicing_kernel[l] -= kappa[m] * kappa[(l + ring - m) % ring];
    }
    std::vector<double> convolution(ring, 0.0);
    for (std::size_t i = 0; i < ring; ++i) {
      for (std::size_t j = 0; j < ring; ++j) convolution[i] += twicing_kernel[(i + ring - j) % ring] * in["values"][j];
    }
    return {twiced(points, points, 2, std::numbers::sqrt2, in["values"]), convolution, 3};
  };
  p.ball_sides = [=](const Inputs& in) -> IdentityBallSides {
    const Ball energy = rigor::square(Ball(in.scalar("radius"))) / rigor::sqrt(Ball(2));
    const Ball step = 2 * Ball::pi() / ring;
    const auto angle = [&](std::size_t i) { return step * (Ball(i) + (i + 1 == ring ? Ball(shift) : Ball(0))); };
    BallVector logits;
    for (std::size_t l = 0; l < ring; ++l) logits.push_back(energy * rigor::cos(step * l));
    const BallVector kappa = rigor::softmax(logits);
    BallMatrix a(ring, ring);
    BallMatrix circular(ring, ring);
    for (std::size_t i = 0; i < ring; ++i) {
      BallVector row;
      for (std::size_t j = 0; j < ring; ++j) row.push_back(energy * rigor::cos(angle(i) - angle(j)));
      row = rigor::softmax(row);
      std::move(row.begin(), row.end(), a.row(i).begin());
      for (std::size_t j = 0; j < ring; ++j) {
        const std::size_t l = (i + ring - j) % ring;
        circular(i, j) = 2 * kappa[l];
        for (std::size_t m = 0; m < ring; ++m) circular(i, j) -= kappa[m] * kappa[(l + ring - m) % ring];
      }
    }
    const BallVector v = rigor::to_balls(in["values"]);
    IdentityBallSides sides{twiced(a, v), rigor::multiply(circular, v)};
    for (std::size_t i = 0; i < ring; ++i) sides.lhs[i] += 4, sides.rhs[i] += 4;
    return sides;
  };
  p.evaluations = 300;
  return identity(std::move(p));
}

/// Population smoother S with the design f(t) = e^(a t) on m(t) = e^(b t), of which every S is a multiple: with M the
/// moment generating function of K, S m = r m and r = M((a+b) h)/M(a h). Relative bias of 2S - S^2, and of the
/// Nadaraya-Watson estimator with 2K - K*K.
struct ExponentialDesign {
  const regression::Kernel* kernel;
  double a = 0.5;
  double b = 1;

  Ball attention_bias(const Ball& h) const {
    const Ball ratio = kernel->moment_generating((a + b) * h) / kernel->moment_generating(a * h);
    return -rigor::square(1 - ratio);
  }
  Ball kernel_bias(const Ball& h) const {
    const auto twicing = [&](double c) {
      const Ball generating = kernel->moment_generating(c * h);
      return 2 * generating - rigor::square(generating);
    };
    return twicing(a + b) / twicing(a) - 1;
  }
};

/// What the bias is claimed to be, over -h^4 mu_2^2/4: with M g = g'' + 2 g' f'/f, M^2 m/m = ((a+b)^2 - a^2)^2; for the
/// kernel 2K - K*K, ((m f) - m f)/(m f) = (a+b)^4 - a^4.
enum class Constant { applied_twice, twicing_kernel };

Check attention_bias(Constant constant, double factor) {
  std::vector<Part> parts;
  for (const char* name : {"gaussian", "epanechnikov", "triangular", "logistic", "laplace"}) {
    const ExponentialDesign design{&find_kernel(name)};
    SequenceProblem p;
    p.claim = Asymptotics::equivalent;
    p.n = geometric_grid(8, 2, 7);
    p.value = [design](double n) { return design.attention_bias(1 / Ball(n)); };
    p.reference = [=](double n) {
      const Ball c = Ball(design.a) + design.b;
      const Ball a = design.a;
      const Ball shape = constant == Constant::applied_twice ? rigor::square(rigor::square(c) - rigor::square(a))
                                                             : rigor::pow(c, 4) - rigor::pow(a, 4);
      return -factor * rigor::square(design.kernel->moment_ball(2)) / 4 * shape / rigor::pow(Ball(n), 4);
    };
    p.resolution = 0.002;
    parts.push_back({name, Kind::rate, sequence(std::move(p))});
  }
  return composite(std::move(parts));
}

/// bias(2S - S^2)/bias(2K - K*K) -> factor ((a+b)^2 - a^2)/((a+b)^2 + a^2), which is not 1 unless the design is flat.
Check bias_quotient(double factor) {
  const ExponentialDesign design{&find_kernel("gaussian")};
  SequenceProblem p;
  p.claim = Asymptotics::limit;
  p.n = geometric_grid(8, 2, 7);
  p.value = [design](double n) { return design.attention_bias(1 / Ball(n)) / design.kernel_bias(1 / Ball(n)); };
  p.reference = [=](double) {
    const Ball c = rigor::square(Ball(design.a) + design.b);
    const Ball a = rigor::square(Ball(design.a));
    return factor * (c - a) / (c + a);
  };
  p.resolution = 0.002;
  return sequence(std::move(p));
}

}  // namespace

Claims attention_squared() {
  Claims claims;
  claims.push_back({{.id = "twicing/a5-self-convolution",
                     .label = "Sec 3.3 / A.5 (A^2 equivalent to K*K, 2A - A^2 equivalent to 2K - K*K)",
                     .title = "Smoothing with A^2 is smoothing with K*K, with 2A - A^2 with the twicing kernel",
                     .kind = Kind::identity,
                     .tex = R"((A^2v)_i=\frac{\sum_j(K*K)(x_i-x_j)v_j}{\sum_j(K*K)(x_i-x_j)},\qquad)"
                            R"(((2A-A^2)v)_i=\frac{\sum_j\hat K(x_i-x_j)v_j}{\sum_j\hat K(x_i-x_j)})",
                     .assumptions = {"A is the row-normalised smoother matrix of K (as Eq 11 and softmax have it)",
                                     "tokens anywhere"},
                     .expected = Verdict::refuted,
                     .finding = Finding::assumption,
                     .note = "Section 3.3: 'then using A^2 is equivalent to applying the convolved kernel K*K (see "
                             "Appendix A.5)'. The derivation there takes A_ij = K(i - j), not normalised, on the "
                             "integer grid, where it is a limit (Eqs 30, 31); a row-normalised A divides by the "
                             "density at the intermediate point too.",
                     .depends_on = {"twicing/a4-bandwidth", "twicing/discrete-convolution", "twicing/eq-31"}},
                    smoother_powers(1.1, 4),
                    {},
                    {{"equally spaced points of a circle", 1, circulant(0)}}});
  claims.push_back(
      {{.id = "twicing/a5-circulant",
        .label = "Sec 3.3 / A.5 (A^2 equivalent to K*K, equally spaced tokens on a circle)",
        .title = "On equally spaced points of a circle 2A - A^2 is convolution with the circular twicing kernel",
        .kind = Kind::identity,
        .tex = R"((2A-A^2)_{ij}=(2\kappa-\kappa\circledast\kappa)(i-j),\qquad A_{ij}=\kappa(i-j))",
        .assumptions = {"queries equal keys: N equally spaced points of a circle", "D = 2, N = 5"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "twicing/a5-self-convolution"},
       circulant(0),
       {{"one token shifted by one percent of a step", 0.01, circulant(0.01)}}});
  claims.push_back(
      {{.id = "twicing/a5-attention-bias",
        .label = "Sec 3.3 / A.5 (the leading bias of 2A - A^2)",
        .title = "The leading bias of 2A - A^2 is that of the smoother's generator applied twice",
        .kind = Kind::rate,
        .tex = R"(-(I-S)^2m\sim-\frac{h^4\mu_2(K)^2}4\,\mathcal M^2m,\qquad \mathcal Mg=g''+2g'\frac{f'}f)",
        .assumptions = {"S is the population Nadaraya-Watson smoother of K",
                        "f(t) = e^(t/2), m(t) = e^t: here S m is a "
                        "multiple of m and both sides are closed forms"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "twicing/a5-self-convolution"},
       attention_bias(Constant::applied_twice, 1),
       {{"constant one percent larger", 0.01, attention_bias(Constant::applied_twice, 1.01)},
        {"the constant of the twicing kernel", 0.25, attention_bias(Constant::twicing_kernel, 1)}}});
  claims.push_back(
      {{.id = "twicing/a5-bias-quotient",
        .label = "Sec 3.3 / A.5 (the biases of 2A - A^2 and 2K - K*K differ at leading order)",
        .title = "Under a sloping design the two twicing estimators have different leading biases",
        .kind = Kind::limit,
        .tex = R"(\frac{\mathrm{Bias}_{2S-S^2}}{\mathrm{Bias}_{\hat K}}\to\frac{(a+b)^2-a^2}{(a+b)^2+a^2}\ne1)",
        .assumptions = {"K is the Gaussian kernel", "f(t) = e^(a t), m(t) = e^(b t), a = 1/2, b = 1, h -> 0"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "twicing/a5-self-convolution",
        .note = "Here A^2 and K*K give the same estimator; 2A - A^2 and 2K - K*K still do not, because the latter "
                "divides by its own, signed, weights. Equal for a = 0, a uniform design."},
       bias_quotient(1),
       {{"limit one percent larger", 0.01, bias_quotient(1.01)},
        {"limit one: equivalent", 0.25, bias_quotient(1.25)}}});
  return claims;
}

}  // namespace attest::twicing
