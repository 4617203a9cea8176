// Sections 2.2 and 2.3: the denoising functional of Eq 4, its stationarity (Eqs 5 and 6) and the fixed point of Eq 7.
#include <cmath>

#include "theorems/engine/protocols/composite.hpp"
#include "theorems/engine/protocols/generic_check.hpp"
#include "theorems/twicing/nonlocal_functional.hpp"

namespace attest::twicing {
namespace {

using namespace engine;

constexpr Size two_numbers{.points = 2, .width = 1};

/// E(u, f) of Eq 4 as a function of u, with `regulariser` J_w in the place of J_w.
template <class Real>
auto energy(const Signal<Real>& f, const Weights<Real>& w, const Real& lambda, double regulariser = 1) {
  return [&f, &w, &lambda, regulariser](const Signal<Real>& u) {
    return Real(regulariser) * nonlocal_functional(u, w) + fidelity(u, f, lambda);
  };
}

/// u and f in [-2, 2], w in [0, 2], lambda in [0.1, 2]: J_w(u +- h) sums 18 terms below 5^2 * 2 / 2 = 25 with six
/// roundings each, and G less.
template <class F>
Check for_all_signals(Size size, bool symmetric, F sides, std::vector<std::vector<double>> corners = {}) {
  return generic_identity(
      {{"u", size.values(), -2, 2}, {"f", size.values(), -2, 2}, {"w", size.weights(), 0, 2}, {"lambda", 1, 0.1, 2}},
      [=](const Inputs& in, auto zero) {
        using Real = decltype(zero);
        auto w = weights<Real>(in, "w", size);
        if (symmetric) w = symmetrised(w);
        return sides(signal<Real>(in, "u", size), signal<Real>(in, "f", size), w, Real(in.scalar("lambda")));
      },
      {.evaluations = 500, .corners = std::move(corners), .rounding_bound = (18 + 6) * 0x1p-52, .scale = 2 * 18 * 25});
}

/// w_xy + lambda (u - f): the left side of Eq 6 with the given first term.
template <class Real>
std::vector<Real> with_fidelity(std::vector<Real> first_term, const Signal<Real>& u, const Signal<Real>& f,
                                const Real& lambda) {
  for (std::size_t i = 0; i < first_term.size(); ++i) first_term[i] += lambda * (u.values[i] - f.values[i]);
  return first_term;
}

/// E((u+v)/2) + factor lambda/8 |u - v|^2 <= (E(u) + E(v))/2, for weights of at least `least_weight`.
Check strongly_convex(double factor, double least_weight) {
  constexpr std::size_t n = 3;
  return generic_inequality(
      {{"u", n, -2, 2}, {"v", n, -2, 2}, {"f", n, -2, 2}, {"w", n * n, least_weight, 2}, {"lambda", 1, 0.1, 2}},
      Relation::less_equal,
      [=](const Inputs& in, auto zero) {
        using Real = decltype(zero);
        const Signal<Real> u(values(in, "u", n), 1);
        const Signal<Real> v(values(in, "v", n), 1);
        const Signal<Real> f(values(in, "f", n), 1);
        const Weights<Real> w(values(in, "w", n * n), n);
        const Real lambda(in.scalar("lambda"));
        const auto e = energy(f, w, lambda);
        Signal<Real> middle = moved(u, v, Real(1));
        for (Real& value : middle.values) value /= Real(2);
        // Signals that all but agree, near f, leave both sides at the rounding of doubles.
        return Pair<Real>{{e(middle) + Real(factor) * fidelity(u, v, lambda) / Real(4)},
                          {(e(u) + e(v)) / Real(2)},
                          positive(Real(fidelity(u, v, lambda) - Real(1.0 / 64)))};
      },
      // u - v constant: only the fidelity tells them apart.
      {.evaluations = 4000, .corners = {{1, 1, 1, -1, -1, -1, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}}});
}

/// dE/du = dJ_w/du + factor lambda (u - f).
Check gradient_of_energy(double factor) {
  return for_all_signals(
      {}, false,
      [=]<class Real>(const Signal<Real>& u, const Signal<Real>& f, const Weights<Real>& w, const Real& lambda) {
        const auto smoothness = [&w](const Signal<Real>& at) { return nonlocal_functional(at, w); };
        return Pair<Real>{functional_derivative(energy(f, w, lambda), u),
                          with_fidelity(functional_derivative(smoothness, u), u, f, Real(factor) * lambda)};
      });
}

/// The printed gradient of E, sum_y (u(x) - u(y)) w(x, y) + lambda (u(x) - f(x)), for E with `regulariser` J_w.
Check left_side_of_eq_6(Size size, bool symmetric, double regulariser, double factor = 1) {
  return for_all_signals(
      size, symmetric,
      [=]<class Real>(const Signal<Real>& u, const Signal<Real>& f, const Weights<Real>& w, const Real& lambda) {
        return Pair<Real>{functional_derivative(energy(f, w, lambda, regulariser), u),
                          with_fidelity(weighted_differences(u, w), u, f, Real(factor) * lambda)};
      },
      size.points == 2 ? std::vector<std::vector<double>>{{1, 0, 0, 0, 1, 1, 1, 1, 1}}
                       : std::vector<std::vector<double>>{});
}

/// The left side of Eq 6 with w + transposed w^T called w, as Appendix A.3 ends, against the gradient of E.
Check renamed_left_side_of_eq_6(double transposed, double factor) {
  return for_all_signals(
      {}, false,
      [=]<class Real>(const Signal<Real>& u, const Signal<Real>& f, const Weights<Real>& w, const Real& lambda) {
        const Weights<Real> renamed = mixed(w, Real(1), Real(transposed));
        return Pair<Real>{functional_derivative(energy(f, w, lambda), u),
                          with_fidelity(weighted_differences(u, renamed), u, f, Real(factor) * lambda)};
      });
}

/// (lambda f(x) + sum_y w(x, y) u(y)) / (lambda + sum_y w(x, y)).
template <class Real>
std::vector<Real> right_side_of_eq_7(const Signal<Real>& u, const Signal<Real>& f, const Weights<Real>& w,
                                     const Real& lambda) {
  std::vector<Real> result;
  for (std::size_t x = 0; x < w.points; ++x) {
    Real degree = lambda;
    for (std::size_t y = 0; y < w.points; ++y) degree += w(x, y);
    for (std::size_t j = 0; j < u.width; ++j) {
      Real total = lambda * f(x, j);
      for (std::size_t y = 0; y < w.points; ++y) total += w(x, y) * u(y, j);
      result.push_back(total / degree);
    }
  }
  return result;
}

enum class Stationary { energy, eq_6 };

/// u against the right side of Eq 7 with the weights w + transposed w^T, where f = u + (1/lambda) (first term) makes u
/// stationary: in E itself, or in Eq 6.
Check fixed_point(Size size, Stationary of, double transposed) {
  return for_all_signals(
      size, false,
      [=]<class Real>(const Signal<Real>& u, const Signal<Real>&, const Weights<Real>& w, const Real& lambda) {
        const Weights<Real> used = mixed(w, Real(1), Real(transposed));
        const auto smoothness = [&w](const Signal<Real>& at) { return nonlocal_functional(at, w); };
        const std::vector<Real> first_term =
            of == Stationary::energy ? functional_derivative(smoothness, u) : weighted_differences(u, w);
        Signal<Real> f = u;
        for (std::size_t i = 0; i < first_term.size(); ++i) f.values[i] += first_term[i] / lambda;
        return Pair<Real>{u.values, right_side_of_eq_7(u, f, used, lambda)};
      },
      size.points == 2 ? std::vector<std::vector<double>>{{1, 0, 0, 0, 1, 1, 1, 1, 1}}
                       : std::vector<std::vector<double>>{});
}

/// Eq 7 at that lambda (0 is printed) is the average with weights w: A u with A = D^-1 W.
Check average_without_fidelity(double at_lambda) {
  return for_all_signals(
      {}, false, [=]<class Real>(const Signal<Real>& u, const Signal<Real>& f, Weights<Real> w, const Real& lambda) {
        for (Real& weight : w.values) weight += lambda;  // positive, so that every point has a weight
        return Pair<Real>{right_side_of_eq_7(u, f, w, Real(at_lambda)), applied(row_stochastic(w), u).values};
      });
}

}  // namespace

Claims nonlocal_denoising() {
  const std::vector<std::string> on_points{"Omega = [0, 3), u, f and w constant on unit intervals, values in the plane",
                                           "w >= 0, lambda > 0"};
  Claims claims;
  claims.push_back(
      {{.id = "twicing/eq-4",
        .label = "Eq 4",
        .title = "The denoising functional is convex and has one minimiser",
        .kind = Kind::definition,
        .tex = R"(E\Bigl(\frac{u+v}2,f\Bigr)+\frac\lambda8\|u-v\|^2\le\frac{E(u,f)+E(v,f)}2)",
        .assumptions = {"w >= 0, which the text leaves unsaid until Eq 8", "lambda > 0",
                        "Omega = [0, 3), u, v, f and w constant on unit intervals", "lambda |u - v|^2 above 1/32"},
        .expected = Verdict::supported,
        .note = "lambda / 8 is sharp: equality where u - v is constant. At lambda = 0, which the text takes from Eq 8 "
                "on, every constant is a minimiser and f plays no part."},
       strongly_convex(1, 0),
       {{"one percent more convex", 0.01, strongly_convex(1.01, 0)},
        {"weights of any sign", 1, strongly_convex(1, -2)}}});
  claims.push_back({{.id = "twicing/eq-5",
                     .label = "Eq 5",
                     .title = "The gradient of E is that of J_w plus lambda (u - f)",
                     .kind = Kind::identity,
                     .tex = R"(\frac{\partial E}{\partial u(x)}=\frac{\partial J_w}{\partial u(x)}+\lambda(u(x)-f(x)))",
                     .assumptions = on_points,
                     .expected = Verdict::supported,
                     .note = "E is convex (Eq 4), so that its minimiser is where this vanishes at every x.",
                     .depends_on = {"twicing/eq-4"}},
                    gradient_of_energy(1),
                    {{"one percent more of lambda", 0.01, gradient_of_energy(1.01)},
                     {"2 lambda (u - f)", 1, gradient_of_energy(2)}}});
  claims.push_back(
      {{.id = "twicing/eq-6",
        .label = "Eq 6",
        .title = "The gradient of E weighs the differences of u by the w that Appendix A.3 renames",
        .kind = Kind::identity,
        .tex = R"(\frac{\partial E}{\partial u(x)}=\int_\Omega(u(x)-u(y))\,w'(x,y)\,dy+\lambda(u(x)-f(x)),)"
               R"(\quad w'(x,y)=w(x,y)+w(y,x))",
        .assumptions = {"E as in Eq 4 with w; w' in the place of w in Eq 6", on_points[0], on_points[1]},
        .expected = Verdict::supported,
        .note = "Eq 6 is 'detailed in Appendix A.3', which ends by putting w(x, y) + w(y, x) in the place of w: read "
                "so. Eqs 4 and 6 then do not share their w; with one w in both the equation is judged apart.",
        .depends_on = {"twicing/eq-5", "twicing/eq-26", "twicing/a3-renamed-weights"}},
       renamed_left_side_of_eq_6(1, 1),
       {{"0.1 percent less of w(y, x)", 0.001, renamed_left_side_of_eq_6(0.999, 1)},
        {"0.1 percent more of lambda", 0.001, renamed_left_side_of_eq_6(1, 1.001)},
        {"w(x, y) alone", 1, renamed_left_side_of_eq_6(0, 1)}}});
  claims.push_back(
      {{.id = "twicing/eq-6-same-weights",
        .label = "Eq 6 (with the w of Eq 4)",
        .title = "The gradient of E weighs the differences of u by the w of Eq 4",
        .kind = Kind::identity,
        .tex = R"(\frac{\partial E}{\partial u(x)}=\int_\Omega(u(x)-u(y))\,w(x,y)\,dy+\lambda(u(x)-f(x)))",
        .assumptions = {"E as in Eq 4, w the same in both", "Omega = [0, 2), u, f and w constant on unit intervals"},
        .expected = Verdict::refuted,
        .printed = false,
        .amends = "twicing/eq-6",
        .note = "The stricter reading. Both places of u in Eq 4 depend on u(x): twice w where w is symmetric, and the "
                "factor matters beside lambda.",
        .depends_on = {"twicing/eq-5", "twicing/eq-26"}},
       left_side_of_eq_6(two_numbers, false, 1),
       {},
       {{"symmetric weights and half of J_w", 1, left_side_of_eq_6(two_numbers, true, 0.5)}}});
  claims.push_back(
      {{.id = "twicing/eq-6-quarter",
        .label = "Eq 6 (symmetric weights, J_w / 2)",
        .title = "With symmetric weights and a quarter in front of the integral Eq 6 is the stationarity",
        .kind = Kind::identity,
        .tex = R"(E=\tfrac14\int_{\Omega\times\Omega}\|u(x)-u(y)\|^2w+\tfrac\lambda2\int_\Omega\|u-f\|^2,\ w=w^\top)"
               R"(\implies\frac{\partial E}{\partial u(x)}=\int_\Omega(u(x)-u(y))\,w(x,y)\,dy+\lambda(u(x)-f(x)))",
        .assumptions = on_points,
        .expected = Verdict::supported,
        .printed = false,
        .amends = "twicing/eq-6-same-weights",
        .depends_on = {"twicing/eq-5", "twicing/eq-26"}},
       left_side_of_eq_6({}, true, 0.5),
       {{"one percent more of lambda", 0.01, left_side_of_eq_6({}, true, 0.5, 1.01)},
        {"weights that are not symmetric", 1, left_side_of_eq_6({}, false, 0.5)},
        {"a half in front, as printed", 1, left_side_of_eq_6({}, true, 1)}}});
  claims.push_back({{.id = "twicing/eq-7-rearranged",
                     .label = "Eq 7 (from Eq 6)",
                     .title = "Eq 7 is Eq 6 solved for u(x), and at lambda = 0 the average with weights w",
                     .kind = Kind::identity,
                     .tex = R"(\int_\Omega(u(x)-u(y))w\,dy+\lambda(u(x)-f(x))=0\implies )"
                            R"(u(x)=\frac{\lambda f(x)+\int_\Omega w(x,y)u(y)\,dy}{\lambda+\int_\Omega w(x,y)\,dy})",
                     .assumptions = on_points,
                     .expected = Verdict::supported},
                    composite({{"solved for u(x)", Kind::identity, fixed_point({}, Stationary::eq_6, 0)},
                               {"lambda = 0", Kind::identity, average_without_fidelity(0)}}),
                    {{"0.1 percent of w(y, x) added to the weights of Eq 7", 0.001,
                      fixed_point({}, Stationary::eq_6, 0.001), "solved for u(x)"},
                     {"lambda = 0.001", 0.001, average_without_fidelity(0.001), "lambda = 0"}}});
  claims.push_back(
      {{.id = "twicing/eq-7",
        .label = "Eq 7",
        .title = "The stationary u of E is the average of f and of u with weights lambda and the renamed w",
        .kind = Kind::identity,
        .tex = R"(\frac{\partial E}{\partial u}=0\implies )"
               R"(u(x)=\frac{\lambda f(x)+\int_\Omega w'(x,y)u(y)\,dy}{\lambda+\int_\Omega w'(x,y)\,dy},)"
               R"(\quad w'(x,y)=w(x,y)+w(y,x))",
        .assumptions = on_points,
        .expected = Verdict::supported,
        .note = "With the w of Appendix A.3, as Eq 6 is read; with the w of Eq 4 it is judged apart.",
        .depends_on = {"twicing/eq-6", "twicing/eq-7-rearranged"}},
       fixed_point({}, Stationary::energy, 1),
       {{"0.1 percent less of w(y, x)", 0.001, fixed_point({}, Stationary::energy, 0.999)},
        {"w(x, y) alone", 1, fixed_point({}, Stationary::energy, 0)}}});
  claims.push_back(
      {{.id = "twicing/eq-7-same-weights",
        .label = "Eq 7 (with the w of Eq 4)",
        .title = "The stationary u of E is the average of f and of u with weights lambda and the w of Eq 4",
        .kind = Kind::identity,
        .tex = R"(\frac{\partial E}{\partial u}=0\implies )"
               R"(u(x)=\frac{\lambda f(x)+\int_\Omega w(x,y)u(y)\,dy}{\lambda+\int_\Omega w(x,y)\,dy})",
        .assumptions = {"E as in Eq 4, w the same in both", "Omega = [0, 2), u, f and w constant on unit intervals",
                        "f = u + (dJ_w/du) / lambda, which makes u stationary"},
        .expected = Verdict::refuted,
        .printed = false,
        .amends = "twicing/eq-7",
        .note = "The stricter reading: the average leans towards f twice as much as the minimiser does when w is "
                "symmetric.",
        .depends_on = {"twicing/eq-6-same-weights", "twicing/eq-7-rearranged"}},
       fixed_point(two_numbers, Stationary::energy, 0),
       {},
       {{"with w(x, y) + w(y, x)", 1, fixed_point(two_numbers, Stationary::energy, 1)}}});
  return claims;
}

}  // namespace attest::twicing
