// Proposition 3.3 and Eq A.5: softmax is Lipschitz, and with what constant.
#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "kernels/rigor/ball_vector.hpp"
#include "theorems/engine/claim.hpp"
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/engine/protocols/inequality.hpp"

namespace attest::boosting {
namespace {

using namespace engine;
using rigor::Ball;
using rigor::BallVector;

enum class Norm { l1, l2, linf };

double norm_of(Norm norm, std::span<const double> v) {
  double result = 0;
  for (const double x : v) {
    if (norm == Norm::l1) result += std::abs(x);
    if (norm == Norm::l2) result += x * x;
    if (norm == Norm::linf) result = std::max(result, std::abs(x));
  }
  return norm == Norm::l2 ? std::sqrt(result) : result;
}

Ball norm_of(Norm norm, std::span<const Ball> v) {
  if (norm == Norm::l1) return rigor::norm1(v);
  return norm == Norm::l2 ? rigor::norm2(v) : rigor::norm_inf(v);
}

/// |softmax(lambda (x + step)) - softmax(lambda x)| <= constant lambda^power |step| in R^n.
struct Lipschitz {
  Norm norm = Norm::l2;
  double constant = 1;
  double power = 1;
  double largest_lambda = 1e3;
  double smallest_lambda = 1e-3;
};

/// With e_i = expm1(lambda step_i) and p = softmax(lambda x) the difference is p_i (e_i - m)/(1 + m), m = sum p_j e_j:
/// no digits are lost however short the step.
Sides fast_sides(const Lipschitz& claim, const Inputs& in) {
  const auto x = in["x"], step = in["step"];
  const double lambda = in.scalar("lambda");
  // Equal points say nothing: 0 <= 0 would hide the least slack elsewhere.
  const double moved = norm_of(claim.norm, step);
  if (!(moved > 0)) return {NAN, NAN};
  const double largest = *std::max_element(x.begin(), x.end());
  std::vector<double> p(x.size()), growth(x.size());
  double total = 0, mean = 0;
  for (std::size_t i = 0; i < x.size(); ++i) total += p[i] = std::exp(lambda * (x[i] - largest));
  for (std::size_t i = 0; i < x.size(); ++i) {
    p[i] /= total;
    growth[i] = std::expm1(lambda * step[i]);
    mean += p[i] * growth[i];
  }
  for (std::size_t i = 0; i < x.size(); ++i) growth[i] = p[i] * (growth[i] - mean) / (1 + mean);
  return {norm_of(claim.norm, growth), claim.constant * std::pow(lambda, claim.power) * moved};
}

/// The definition itself.
BallSides exact_sides(const Lipschitz& claim, const Inputs& in) {
  const BallVector x = rigor::to_balls(in["x"]), step = rigor::to_balls(in["step"]);
  const Ball lambda = in.scalar("lambda");
  const BallVector y = rigor::add(x, step);
  const BallVector moved =
      rigor::subtract(rigor::softmax(rigor::scale(lambda, y)), rigor::softmax(rigor::scale(lambda, x)));
  return {norm_of(claim.norm, moved),
          Ball(claim.constant) * rigor::pow(lambda, Ball(claim.power)) * norm_of(claim.norm, step),
          lambda.is_positive()};
}

/// Coordinates: x in [-30, 30]^n, direction in [-1, 1]^n, decimal exponents of the step and of lambda.
Check in_dimension(const Lipschitz& claim, std::size_t n) {
  InequalityProblem p;
  p.relation = Relation::less_equal;
  const auto add_coordinates = [&](std::size_t count, double low, double high) {
    p.lower.insert(p.lower.end(), count, low);
    p.upper.insert(p.upper.end(), count, high);
  };
  add_coordinates(n, -30, 30);
  add_coordinates(n, -1, 1);
  add_coordinates(1, -5, 1.5);
  add_coordinates(1, std::log10(claim.smallest_lambda), std::log10(claim.largest_lambda));
  p.decode = [n](std::span<const double> v) {
    std::vector<double> step(v.begin() + static_cast<std::ptrdiff_t>(n),
                             v.begin() + static_cast<std::ptrdiff_t>(2 * n));
    for (double& component : step) component *= std::pow(10, v[2 * n]);
    return Inputs{{"x", {v.begin(), v.begin() + static_cast<std::ptrdiff_t>(n)}},
                  {"step", std::move(step)},
                  {"lambda", {std::pow(10, v[2 * n + 1])}}};
  };
  p.sides = [claim](const Inputs& in) { return fast_sides(claim, in); };
  p.ball_sides = [claim](const Inputs& in) { return exact_sides(claim, in); };
  // Where the Jacobian diag(w) - w w^T is largest: two weights of 1/2 and the rest 0, moved against each other; one
  // weight of 1/2 against all others, moved alone (l1) or against them (linf).
  for (const double lambda : {claim.smallest_lambda, claim.largest_lambda}) {
    std::vector<double> pair(2 * n + 2, 0.0), one(2 * n + 2, 0.0), against(2 * n + 2, 0.0);
    std::fill(pair.begin() + 2, pair.begin() + static_cast<std::ptrdiff_t>(n), -30.0);
    pair[n] = 1;
    pair[n + 1] = -1;
    one[0] = against[0] = n > 1 ? std::log(static_cast<double>(n - 1)) / lambda : 0;
    one[n] = 1;
    std::fill(against.begin() + static_cast<std::ptrdiff_t>(n), against.begin() + static_cast<std::ptrdiff_t>(2 * n),
              -1.0);
    against[n] = 1;
    for (auto* corner : {&pair, &one, &against}) {
      (*corner)[2 * n] = -5;
      (*corner)[2 * n + 1] = std::log10(lambda);
      if (std::abs((*corner)[0]) <= 30) p.corners.push_back(*corner);
    }
  }
  p.evaluations = 4000;
  return inequality(std::move(p));
}

Check in_all_dimensions(const Lipschitz& claim) {
  std::vector<Part> parts;
  for (const std::size_t n : {2U, 3U, 8U, 24U})
    parts.push_back({fmt::format("N = {}", n), Kind::universal_inequality, in_dimension(claim, n)});
  return composite(std::move(parts));
}

/// softmax is lambda/2-Lipschitz in one of the norms: our own claim.
Claim sharp_constant(Norm norm, const std::string& slug, const std::string& name, const std::string& subscript,
                     const std::string& where) {
  return {{.id = "boosting/prop-3.3-" + slug,
           .label = "Prop 3.3 / Eq 3.11 (constant 1/2 in " + name + ")",
           .title = "Softmax with inverse temperature lambda is lambda/2-Lipschitz in " + name,
           .kind = Kind::universal_inequality,
           .tex = R"(\|\mathrm{softmax}(\lambda x) - \mathrm{softmax}(\lambda y)\|_)" + subscript +
                  R"( \le \tfrac{\lambda}{2} \|x - y\|_)" + subscript,
           .assumptions = {"x, y in R^N, lambda > 0", "judged at N = 2, 3, 8 and 24, lambda from 0.001 to 1000"},
           .expected = Verdict::supported,
           .printed = false,
           .amends = "boosting/prop-3.3",
           .note = "No smaller constant will do: " + where},
          in_all_dimensions({.norm = norm, .constant = 0.5}),
          {{"constant 0.49995 instead of 1/2", 1e-4, in_all_dimensions({.norm = norm, .constant = 0.49995})},
           {"constant 0.495 instead of 1/2", 0.01, in_all_dimensions({.norm = norm, .constant = 0.495})}}};
}

}  // namespace

Claims softmax_lipschitz() {
  Claims claims;
  claims.push_back({{.id = "boosting/prop-3.3",
                     .label = "Prop 3.3 / Eq 3.11",
                     .title = "Softmax with inverse temperature lambda is lambda-Lipschitz",
                     .kind = Kind::universal_inequality,
                     .tex = R"(\|\mathrm{softmax}(\lambda x) - \mathrm{softmax}(\lambda y)\| \le \lambda \|x - y\|)",
                     .assumptions = {"x, y in R^N, lambda > 0", "the norm is Euclidean",
                                     "judged at N = 2, 3, 8 and 24, lambda from 0.001 to 1000"},
                     .expected = Verdict::supported,
                     .note = "True with a factor 2 to spare: the constant is lambda/2, see prop-3.3-half-l2."},
                    in_all_dimensions({.constant = 1}),
                    {{"constant lowered to 0.49995 lambda", 0.50005, in_all_dimensions({.constant = 0.49995})},
                     {"lambda^0.9 in place of lambda, lambda up to 10^4", 0.1,
                      in_all_dimensions({.constant = 1, .power = 0.9, .largest_lambda = 1e4, .smallest_lambda = 1})}}});
  claims.push_back(sharp_constant(Norm::l2, "half-l2", "l2", "2",
                                  "it is attained in the limit of short steps at two equal logits above all others."));
  claims.push_back(
      sharp_constant(Norm::l1, "half-l1", "l1", "1", "it is the norm of the Jacobian wherever one weight equals 1/2."));
  claims.push_back(sharp_constant(Norm::linf, "half-linf", "l-infinity", "\\infty",
                                  "it is the norm of the Jacobian wherever one weight equals 1/2."));
  const auto unit_temperature = [](double constant) {
    return in_all_dimensions({.constant = constant, .largest_lambda = 1, .smallest_lambda = 1});
  };
  claims.push_back({{.id = "boosting/eq-a.5",
                     .label = "Eq A.5",
                     .title = "The perturbation is at most L times the noise",
                     .kind = Kind::universal_inequality,
                     .tex = R"(\|\mathrm{softmax}(c + \eta) - \mathrm{softmax}(c)\| \le L \|\eta\|)",
                     .assumptions = {"c, eta in R^N", "L = 1/2, the least Lipschitz constant of softmax"},
                     .expected = Verdict::supported,
                     .note = "Judged with the least constant; with L = 1 of Prop 3.3 it is weaker by a factor 2.",
                     .depends_on = {"boosting/prop-3.3"}},
                    unit_temperature(0.5),
                    {{"L = 0.49995", 1e-4, unit_temperature(0.49995)}, {"L = 0.495", 0.01, unit_temperature(0.495)}}});
  return claims;
}

}  // namespace attest::boosting
