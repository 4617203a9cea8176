// Section 3.3 and Appendix A.4: self-attention as a Nadaraya-Watson estimator with a Gaussian kernel.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "kernels/rigor/ball_vector.hpp"
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/engine/protocols/identity.hpp"
#include "theorems/mechanisms/attention_matrix.hpp"

namespace attest::twicing {
namespace {

using namespace engine;
using namespace mechanisms;
using rigor::Ball;
using rigor::BallVector;

constexpr std::size_t tokens = 3;

/// Logits stay below 100 in size here, so that a weight has a relative error below 8 times 100 roundings of 1.1e-16,
/// and outputs are means of values in [-1, 1].
constexpr double weight_error = 1e-13;

double dot(std::span<const double> a, std::span<const double> b) {
  double total = 0;
  for (std::size_t i = 0; i < a.size(); ++i) total += a[i] * b[i];
  return total;
}

double squared_distance(std::span<const double> a, std::span<const double> b) {
  double total = 0;
  for (std::size_t i = 0; i < a.size(); ++i) total += (a[i] - b[i]) * (a[i] - b[i]);
  return total;
}

Ball squared_distance(std::span<const Ball> a, std::span<const Ball> b) {
  const BallVector difference = rigor::subtract(a, b);
  return rigor::dot(difference, difference);
}

/// sum_j e^(logit_j) v_j / sum_j e^(logit_j).
double weighted_mean(const std::vector<double>& logits, std::span<const double> v) {
  double total = 0;
  double weighted = 0;
  const double largest = *std::max_element(logits.begin(), logits.end());
  for (std::size_t j = 0; j < v.size(); ++j) {
    const double weight = std::exp(logits[j] - largest);
    total += weight;
    weighted += weight * v[j];
  }
  return weighted / total;
}

/// Keys of `width` coordinates, `width`/2 planes each: the j-th key is `radius`_j (cos, sin) of its angles, plane by
/// plane. All have the same norm when the radii agree; T is double or Ball, in which that is exact.
template <class T>
std::vector<T> keys_on_circles(const Inputs& in, std::size_t width, double last_radius_factor) {
  using std::cos;
  using std::sin;
  std::vector<T> keys;
  for (std::size_t j = 0; j < tokens; ++j) {
    const auto radius = static_cast<T>(in.scalar("radius")) * (j + 1 == tokens ? last_radius_factor : 1.0);
    for (std::size_t plane = 0; plane < width / 2; ++plane) {
      const auto angle = static_cast<T>(in["angles"][j * (width / 2) + plane]);
      keys.push_back(radius * cos(angle));
      keys.push_back(radius * sin(angle));
    }
  }
  return keys;
}

/// Nadaraya-Watson at the query with an isotropic Gaussian kernel of standard deviation width^power against attention
/// with the scale sqrt(width), keys of equal norm (times `last_radius_factor` for the last one).
Check gaussian_smoother(std::size_t width, double power, double last_radius_factor) {
  IdentityProblem p;
  const std::size_t angles = tokens * width / 2;
  p.lower.assign(1 + angles + width + tokens, -1);
  p.upper.assign(1 + angles + width + tokens, 1);
  p.lower[0] = 0.5, p.upper[0] = 2;
  for (std::size_t i = 1; i <= angles; ++i) p.lower[i] = -3, p.upper[i] = 3;
  p.decode = [=](std::span<const double> x) {
    const auto at = [&](std::size_t i) { return x.begin() + static_cast<std::ptrdiff_t>(i); };
    return Inputs{{"radius", {x[0]}},
                  {"angles", {at(1), at(1 + angles)}},
                  {"query", {at(1 + angles), at(1 + angles + width)}},
                  {"values", {at(1 + angles + width), x.end()}}};
  };
  p.rounding_bound = weight_error;
  p.sides = [=](const Inputs& in) -> IdentitySides {
    const auto keys = keys_on_circles<double>(in, width, last_radius_factor);
    const auto d = static_cast<double>(width);
    std::vector<double> kernel;
    std::vector<double> attention;
    for (std::size_t j = 0; j < tokens; ++j) {
      const std::span<const double> key(keys.data() + j * width, width);
      kernel.push_back(-squared_distance(in["query"], key) / (2 * std::pow(d, 2 * power)));
      attention.push_back(dot(in["query"], key) / std::sqrt(d));
    }
    return {{weighted_mean(kernel, in["values"])}, {weighted_mean(attention, in["values"])}, 1};
  };
  p.ball_sides = [=](const Inputs& in) -> IdentityBallSides {
    const auto keys = keys_on_circles<Ball>(in, width, last_radius_factor);
    const BallVector query = rigor::to_balls(in["query"]);
    const BallVector values = rigor::to_balls(in["values"]);
    const Ball d = width;
    BallVector kernel;
    BallVector attention;
    for (std::size_t j = 0; j < tokens; ++j) {
      const std::span<const Ball> key(keys.data() + j * width, width);
      kernel.push_back(-squared_distance(query, key) / (2 * rigor::pow(d, Ball(2 * power))));
      attention.push_back(rigor::dot(query, key) / rigor::sqrt(d));
    }
    // 2 is added so that both sides keep a size where the mean is 0.
    return {{2 + rigor::dot(rigor::softmax(kernel), values)}, {2 + rigor::dot(rigor::softmax(attention), values)}};
  };
  p.evaluations = 1000;
  return identity(std::move(p));
}

Check gaussian_smoothers(double power, double last_radius_factor) {
  std::vector<Part> parts;
  for (const std::size_t width : {2U, 4U, 6U}) {
    parts.push_back(
        {"D = " + std::to_string(width), Kind::identity, gaussian_smoother(width, power, last_radius_factor)});
  }
  return composite(std::move(parts));
}

/// Eq 29 for keys anywhere in the plane: the softmax logits are q.k_j/s^2 - norm_term |k_j|^2/(2 s^2).
Check gaussian_weights(double norm_term) {
  IdentityProblem p;
  p.lower = {0.5, -1, -1, -2, -2, -2, -2, -2, -2, -1, -1, -1};
  p.upper = {2, 1, 1, 2, 2, 2, 2, 2, 2, 1, 1, 1};
  p.decode = [](std::span<const double> x) {
    return Inputs{{"sigma", {x[0]}},
                  {"query", {x[1], x[2]}},
                  {"keys", {x.begin() + 3, x.begin() + 9}},
                  {"values", {x.begin() + 9, x.end()}}};
  };
  p.rounding_bound = weight_error;
  p.sides = [=](const Inputs& in) -> IdentitySides {
    const double variance = in.scalar("sigma") * in.scalar("sigma");
    std::vector<double> kernel;
    std::vector<double> attention;
    for (std::size_t j = 0; j < tokens; ++j) {
      const auto key = in["keys"].subspan(2 * j, 2);
      kernel.push_back(-squared_distance(in["query"], key) / (2 * variance));
      attention.push_back((dot(in["query"], key) - norm_term * dot(key, key) / 2) / variance);
    }
    return {{weighted_mean(kernel, in["values"])}, {weighted_mean(attention, in["values"])}, 1};
  };
  p.ball_sides = [=](const Inputs& in) -> IdentityBallSides {
    const Ball variance = rigor::square(Ball(in.scalar("sigma")));
    const BallVector query = rigor::to_balls(in["query"]);
    const BallVector values = rigor::to_balls(in["values"]);
    BallVector kernel;
    BallVector attention;
    for (std::size_t j = 0; j < tokens; ++j) {
      const BallVector key = rigor::to_balls(in["keys"].subspan(2 * j, 2));
      kernel.push_back(rigor::exp(-squared_distance(query, key) / (2 * variance)));
      attention.push_back((rigor::dot(query, key) - norm_term * rigor::dot(key, key) / 2) / variance);
    }
    return {{2 + rigor::dot(kernel, values) / rigor::sum(kernel)}, {2 + rigor::dot(rigor::softmax(attention), values)}};
  };
  p.evaluations = 1000;
  return identity(std::move(p));
}

/// The attention output is one constant times sum_j K(q_i - k_j) v_j for both queries i = 1, 2: cross-multiplied.
Check constant_multiple_of_convolution() {
  constexpr std::size_t width = 2;
  IdentityProblem p;
  p.lower = {0.5, -3, -3, -3, -1, -1, -1, -1, 0.5, 0.5, 0.5};
  p.upper = {2, 3, 3, 3, 1, 1, 1, 1, 1.5, 1.5, 1.5};
  p.decode = [](std::span<const double> x) {
    return Inputs{{"radius", {x[0]}},
                  {"angles", {x[1], x[2], x[3]}},
                  {"queries", {x.begin() + 4, x.begin() + 8}},
                  {"values", {x.begin() + 8, x.end()}}};
  };
  p.rounding_bound = 8 * weight_error;
  p.sides = [](const Inputs& in) -> IdentitySides {
    const auto keys = keys_on_circles<double>(in, width, 1);
    std::array<double, 2> output{};
    std::array<double, 2> convolution{};
    for (std::size_t i = 0; i < 2; ++i) {
      const auto query = in["queries"].subspan(width * i, width);
      std::vector<double> attention;
      for (std::size_t j = 0; j < tokens; ++j) {
        const std::span<const double> key(keys.data() + j * width, width);
        attention.push_back(dot(query, key) / std::sqrt(2.0));
        convolution[i] += std::exp(-squared_distance(query, key) / (2 * std::sqrt(2.0))) * in["values"][j];
      }
      output[i] = weighted_mean(attention, in["values"]);
    }
    return {{output[0] * convolution[1]}, {output[1] * convolution[0]}};
  };
  p.ball_sides = [](const Inputs& in) -> IdentityBallSides {
    const auto keys = keys_on_circles<Ball>(in, width, 1);
    const BallVector values = rigor::to_balls(in["values"]);
    const Ball scale = rigor::sqrt(Ball(2));
    std::array<Ball, 2> output;
    std::array<Ball, 2> convolution;
    for (std::size_t i = 0; i < 2; ++i) {
      const BallVector query = rigor::to_balls(in["queries"].subspan(width * i, width));
      BallVector attention;
      for (std::size_t j = 0; j < tokens; ++j) {
        const std::span<const Ball> key(keys.data() + j * width, width);
        attention.push_back(rigor::dot(query, key) / scale);
        convolution[i] += rigor::exp(-squared_distance(query, key) / (2 * scale)) * values[j];
      }
      output[i] = rigor::dot(rigor::softmax(attention), values);
    }
    return {{output[0] * convolution[1]}, {output[1] * convolution[0]}};
  };
  p.evaluations = 500;
  return identity(std::move(p));
}

/// Queries and keys at five equally spaced angles of a circle, the last one off by `shift` of a step: the output is the
/// circular convolution of the values with the normalised kernel exp(r^2 cos(angle)/sqrt 2).
Check circular_convolution(double shift) {
  constexpr std::size_t ring = 5;
  IdentityProblem p;
  p.lower = {0.5, -1, -1, -1, -1, -1};
  p.upper = {2, 1, 1, 1, 1, 1};
  p.decode = [](std::span<const double> x) { return Inputs{{"radius", {x[0]}}, {"values", {x.begin() + 1, x.end()}}}; };
  p.rounding_bound = weight_error;
  p.sides = [=](const Inputs& in) -> IdentitySides {
    const double r = in.scalar("radius");
    std::vector<double> points;
    std::vector<double> kernel;
    double total = 0;
    for (std::size_t i = 0; i < ring; ++i) {
      const double step = 2 * std::numbers::pi / ring;
      const double angle = step * (static_cast<double>(i) + (i + 1 == ring ? shift : 0));
      points.insert(points.end(), {r * std::cos(angle), r * std::sin(angle)});
      kernel.push_back(std::exp(r * r * std::cos(step * static_cast<double>(i)) / std::sqrt(2.0)));
      total += kernel.back();
    }
    const auto output = multiply(attention_matrix(points, points, 2, std::sqrt(2.0)), in["values"]);
    std::vector<double> convolution(ring, 0.0);
    for (std::size_t i = 0; i < ring; ++i) {
      for (std::size_t j = 0; j < ring; ++j) convolution[i] += kernel[(i + ring - j) % ring] / total * in["values"][j];
    }
    return {output, convolution, 1};
  };
  p.ball_sides = [=](const Inputs& in) -> IdentityBallSides {
    const Ball r = in.scalar("radius");
    const BallVector values = rigor::to_balls(in["values"]);
    const Ball step = 2 * Ball::pi() / ring;
    IdentityBallSides sides;
    for (std::size_t i = 0; i < ring; ++i) {
      const auto angle = [&](std::size_t j) { return step * (Ball(j) + (j + 1 == ring ? Ball(shift) : Ball(0))); };
      BallVector attention;
      Ball total = 0;
      Ball convolution = 0;
      for (std::size_t j = 0; j < ring; ++j) {
        // q_i . k_j = r^2 cos(angle_i - angle_j)
        attention.push_back(rigor::square(r) * rigor::cos(angle(i) - angle(j)) / rigor::sqrt(Ball(2)));
        const Ball weight =
            rigor::exp(rigor::square(r) * rigor::cos(step * ((i + ring - j) % ring)) / rigor::sqrt(Ball(2)));
        total += weight;
        convolution += weight * values[j];
      }
      sides.lhs.push_back(2 + rigor::dot(rigor::softmax(attention), values));
      sides.rhs.push_back(2 + convolution / total);
    }
    return sides;
  };
  p.evaluations = 500;
  return identity(std::move(p));
}

}  // namespace

Claims attention_as_regression() {
  Claims claims;
  claims.push_back(
      {{.id = "twicing/a4-bandwidth",
        .label = "Sec 3.3 / A.4 (Gaussian kernel with bandwidth sqrt(D))",
        .title = "Self-attention is the Nadaraya-Watson estimator with a Gaussian kernel of bandwidth sqrt(D)",
        .kind = Kind::identity,
        .tex = R"(\sum_j\mathrm{softmax}_j\Bigl(\frac{q\cdot k_j}{\sqrt D}\Bigr)v_j=)"
               R"(\frac{\sum_j\varphi_\sigma(q-k_j)v_j}{\sum_j\varphi_\sigma(q-k_j)},\qquad\sigma=\sqrt D)",
        .assumptions = {"all keys have the same norm", "phi_sigma has the covariance sigma^2 I, as after Eq 28",
                        "D >= 2"},
        .expected = Verdict::refuted,
        .finding = Finding::constant,
        .note =
            "Section 3.3: 'Gaussian kernel with bandwidth sqrt(D)'; A.4 gives phi_sigma the covariance sigma^2 I and "
            "ends with the logits q.k/sigma^2, which are those of Eq 1 for sigma^2 = sqrt(D): the bandwidth is "
            "D^(1/4).",
        .depends_on = {"twicing/eq-29"}},
       gaussian_smoothers(0.5, 1),
       {},
       {{"bandwidth D^(1/4)", 0.5, gaussian_smoothers(0.25, 1)}}});
  claims.push_back(
      {{.id = "twicing/a4-bandwidth-fourth-root",
        .label = "Sec 3.3 / A.4 (Gaussian kernel with bandwidth D^(1/4))",
        .title = "Self-attention is the Nadaraya-Watson estimator with a Gaussian kernel of bandwidth D^(1/4)",
        .kind = Kind::identity,
        .tex = R"(\sum_j\mathrm{softmax}_j\Bigl(\frac{q\cdot k_j}{\sqrt D}\Bigr)v_j=)"
               R"(\frac{\sum_j\varphi_\sigma(q-k_j)v_j}{\sum_j\varphi_\sigma(q-k_j)},\qquad\sigma=D^{1/4})",
        .assumptions = {"all keys have the same norm"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "twicing/a4-bandwidth"},
       gaussian_smoothers(0.25, 1),
       {{"bandwidth D^0.2525", 0.01, gaussian_smoothers(0.2525, 1)},
        {"one key longer by one percent", 0.01, gaussian_smoothers(0.25, 1.01)}}});
  claims.push_back({{.id = "twicing/eq-29",
                     .label = "Eq 29",
                     .title = "The Nadaraya-Watson estimator with Gaussian kernels is softmax attention",
                     .kind = Kind::identity,
                     .tex = R"(\frac{\sum_jv_je^{-\|q-k_j\|^2/2\sigma^2}}{\sum_je^{-\|q-k_j\|^2/2\sigma^2}}=)"
                            R"(\sum_j\mathrm{softmax}_j(q^\top k_j/\sigma^2)\,v_j)",
                     .assumptions = {"keys anywhere: none is stated"},
                     .expected = Verdict::refuted,
                     .finding = Finding::assumption,
                     .note = "The display cancels exp(-|k_j|^2/2 sigma^2) between numerator and denominator although "
                             "it depends on j. The "
                             "number 29 is missing in the available text; this is the last display of A.4.",
                     .depends_on = {"twicing/eq-28"}},
                    gaussian_weights(0),
                    {{"key norms that differ by one percent", 0.01, gaussian_smoother(2, 0.25, 1.01)}},
                    {{"keys of equal norm", 1, gaussian_smoother(2, 0.25, 1)}}});
  claims.push_back({{.id = "twicing/eq-29-key-norms",
                     .label = "Eq 29 (with the key norms)",
                     .title = "Gaussian Nadaraya-Watson weights are a softmax with half the squared key norm taken off",
                     .kind = Kind::identity,
                     .tex = R"(\frac{\sum_jv_je^{-\|q-k_j\|^2/2\sigma^2}}{\sum_je^{-\|q-k_j\|^2/2\sigma^2}}=)"
                            R"(\sum_j\mathrm{softmax}_j\Bigl(\frac{q^\top k_j-\|k_j\|^2/2}{\sigma^2}\Bigr)v_j)",
                     .assumptions = {"none: keys anywhere"},
                     .expected = Verdict::supported,
                     .printed = false,
                     .amends = "twicing/eq-29",
                     .note = "So Eq 29 itself holds exactly when all key norms agree."},
                    gaussian_weights(1),
                    {{"norm term one percent larger", 0.01, gaussian_weights(1.01)}}});
  claims.push_back(
      {{.id = "twicing/discrete-convolution",
        .label = "Sec 3.3 (attention output = discrete convolution of K with the value function)",
        .title = "The attention output is a discrete convolution of the kernel with the values",
        .kind = Kind::identity,
        .tex = R"(\sum_jA_{ij}v_j=c\sum_jK(q_i-k_j)\,v_j\quad\text{with one constant } c)",
        .assumptions = {"keys of equal norm, K Gaussian of variance sqrt(D)"},
        .expected = Verdict::refuted,
        .finding = Finding::imprecise,
        .note = "'A discrete form of convolution' has no stated normalisation; read as a convolution up to one "
                "constant. The "
                "softmax divides by sum_j K(q_i - k_j), which depends on i: the output is a quotient of two discrete "
                "convolutions. It is a convolution for equally spaced tokens on a circle.",
        .depends_on = {"twicing/a4-bandwidth"}},
       constant_multiple_of_convolution(),
       {{"equally spaced keys on a circle, one of them shifted by one percent of a step", 0.01,
         circular_convolution(0.01)}},
       {{"equally spaced keys on a circle", 1, circular_convolution(0)}}});
  claims.push_back(
      {{.id = "twicing/circular-convolution",
        .label = "Sec 3.3 (attention output = discrete convolution, equally spaced tokens)",
        .title = "On equally spaced points of a circle attention is a circular convolution",
        .kind = Kind::identity,
        .tex = R"(\sum_jA_{ij}v_j=\sum_j\kappa(i-j)\,v_j,\qquad)"
               R"(\kappa(l)=\frac{e^{r^2\cos(2\pi l/N)/\sqrt D}}{\sum_me^{r^2\cos(2\pi m/N)/\sqrt D}})",
        .assumptions = {"queries equal keys: N equally spaced points of a circle of radius r", "D = 2, N = 5"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "twicing/discrete-convolution"},
       circular_convolution(0),
       {{"one token shifted by one percent of a step", 0.01, circular_convolution(0.01)}}});
  return claims;
}

}  // namespace attest::twicing
