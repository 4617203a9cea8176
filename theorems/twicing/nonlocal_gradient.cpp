// Appendix A.3: the gradient of the nonlocal functional J_w, from its expansion in Eq 24 to Eq 26.
#include <cmath>

#include "theorems/engine/protocols/generic_check.hpp"
#include "theorems/twicing/nonlocal_functional.hpp"

namespace attest::twicing {
namespace {

using namespace engine;

/// Three points in the plane: u and h in [-2, 2], w in [0, 2]. J_w(u +- h) sums 18 terms below 8^2 * 2 / 2 = 64 with
/// six roundings each.
constexpr Search three_points_in_the_plane() {
  return {.evaluations = 500, .rounding_bound = (18 + 6) * 0x1p-52, .scale = 18 * 64};
}

/// u, h in R^width and w on the points; every statement of A.3 is an identity in these.
template <class F>
Check for_all_signals(Size size, F sides, std::vector<std::vector<double>> corners = {}) {
  Search search = three_points_in_the_plane();
  search.corners = std::move(corners);
  return generic_identity(
      {{"u", size.values(), -2, 2}, {"h", size.values(), -2, 2}, {"w", size.weights(), 0, 2}},
      [=](const Inputs& in, auto zero) {
        using Real = decltype(zero);
        return sides(signal<Real>(in, "u", size), signal<Real>(in, "h", size), weights<Real>(in, "w", size));
      },
      search);
}

/// J_w as a function of the signal.
template <class Real>
auto functional(const Weights<Real>& w) {
  return [&w](const Signal<Real>& u) { return nonlocal_functional(u, w); };
}

/// h with every component but the first taken out.
template <class Real>
Signal<Real> first_component(Signal<Real> h) {
  for (std::size_t i = 0; i < h.values.size(); ++i)
    if (i % h.width != 0) h.values[i] = Real(0);
  return h;
}

/// J_w(u) = 1/2 sum_{x,y} sum_j (u_j(x) - u_j(y))^2 w(x, y) against |u(x)|^2 + |u(y)|^2 - cross u(x) . u(y).
Check expansion(double cross) {
  return for_all_signals({}, [cross]<class Real>(const Signal<Real>& u, const Signal<Real>&, const Weights<Real>& w) {
    const auto dot = [&](std::size_t x, std::size_t y) {
      Real total(0);
      for (std::size_t j = 0; j < u.width; ++j) total += u(x, j) * u(y, j);
      return total;
    };
    Real total(0);
    for (std::size_t x = 0; x < w.points; ++x)
      for (std::size_t y = 0; y < w.points; ++y) total += (dot(x, x) + dot(y, y) - Real(cross) * dot(x, y)) * w(x, y);
    return Pair<Real>{{total / Real(2)}, {nonlocal_functional(u, w)}};
  });
}

/// The derivative along (h_1, ..., h_D) is the sum of the partial derivatives' products with h_1, ..., h_D.
Check vector_of_partial_derivatives(double factor, bool all_components = true) {
  return for_all_signals({}, [=]<class Real>(const Signal<Real>& u, const Signal<Real>& h, const Weights<Real>& w) {
    const auto gradient = functional_derivative(functional(w), u);
    Real product(0);
    for (std::size_t i = 0; i < gradient.size(); ++i)
      if (all_components || i % u.width == 0) product += gradient[i] * h.values[i];
    return Pair<Real>{{directional_derivative(functional(w), u, h)}, {Real(factor) * product}};
  });
}

/// d/dtau J_w(u_1 + tau h_1) = sum_{x,y} (u_1(x) - u_1(y)) (h_1(x) - h_1(y)) w(x, y).
Check along_one_component(double factor, double sign) {
  return for_all_signals({}, [=]<class Real>(const Signal<Real>& u, const Signal<Real>& h, const Weights<Real>& w) {
    Real total(0);
    for (std::size_t x = 0; x < w.points; ++x)
      for (std::size_t y = 0; y < w.points; ++y)
        total += (u(x, 0) - u(y, 0)) * (h(x, 0) - Real(sign) * h(y, 0)) * w(x, y);
    return Pair<Real>{{directional_derivative(functional(w), u, first_component(h))}, {Real(factor) * total}};
  });
}

/// sum_y (u_1(x) - u_1(y)) h_1(x) (w(x, y) + transposed w(y, x)) for every x.
template <class Real>
std::vector<Real> products_with_direction(const Signal<Real>& u, const Signal<Real>& h, const Weights<Real>& w,
                                          double transposed) {
  const auto differences = weighted_differences(u, mixed(w, Real(1), Real(transposed)));
  std::vector<Real> result;
  for (std::size_t x = 0; x < w.points; ++x) result.push_back(differences[x * u.width] * h(x, 0));
  return result;
}

/// The derivative along h_1 equals the single integral over y, at every x.
Check single_integral(double transposed) {
  return for_all_signals(
      {.points = 2, .width = 1},
      [=]<class Real>(const Signal<Real>& u, const Signal<Real>& h, const Weights<Real>& w) {
        const Real derivative = directional_derivative(functional(w), u, h);
        return Pair<Real>{std::vector<Real>(w.points, derivative), products_with_direction(u, h, w, transposed)};
      },
      {{1, 0, 1, 0, 1, 1, 1, 1}});
}

/// The derivative along h_1 equals the integral over x and y.
Check double_integral(double transposed) {
  return for_all_signals({}, [=]<class Real>(const Signal<Real>& u, const Signal<Real>& h, const Weights<Real>& w) {
    Real total(0);
    for (const Real& at_x : products_with_direction(u, h, w, transposed)) total += at_x;
    return Pair<Real>{{directional_derivative(functional(w), u, first_component(h))}, {total}};
  });
}

/// dJ_w/du_j(x) = sum_y (u_j(x) - u_j(y)) (own w(x, y) + transposed w(y, x)).
Check frechet_derivative(double own, double transposed) {
  return for_all_signals({}, [=]<class Real>(const Signal<Real>& u, const Signal<Real>&, const Weights<Real>& w) {
    return Pair<Real>{functional_derivative(functional(w), u),
                      weighted_differences(u, mixed(w, Real(own), Real(transposed)))};
  });
}

/// The gradient of J_w is the first term of Eq 6 with the weights w' = w + transposed w^T in the place of w, and these
/// are symmetric.
Check renamed_weights(double transposed) {
  return for_all_signals({}, [=]<class Real>(const Signal<Real>& u, const Signal<Real>&, const Weights<Real>& w) {
    const Weights<Real> renamed = mixed(w, Real(1), Real(transposed));
    Pair<Real> pair{functional_derivative(functional(w), u), weighted_differences(u, renamed)};
    pair.lhs.push_back(renamed(0, 1));
    pair.rhs.push_back(renamed(1, 0));
    return pair;
  });
}

const std::vector<std::string> on_points{"Omega = [0, 3), u, h and w constant on unit intervals, values in the plane",
                                         "w >= 0, not symmetric"};

}  // namespace

Claims nonlocal_gradient() {
  Claims claims;
  claims.push_back(
      {{.id = "twicing/eq-24",
        .label = "Eq 24",
        .title = "The functional J_w component by component",
        .kind = Kind::identity,
        .tex = R"(J_w(u) = \tfrac12\int_{\Omega\times\Omega}\sum_{j=1}^D(u_j(x)-u_j(y))^2\,w(x,y)\,dx\,dy)",
        .assumptions = on_points,
        .expected = Verdict::supported,
        .note = "Compared with |u(x)|^2 + |u(y)|^2 - 2 u(x).u(y) under the integral."},
       expansion(2),
       {{"one percent more of the products", 0.01, expansion(2.02)},
        {"off by a millionth", 1e-6, expansion(2 + 2e-6)}}});
  claims.push_back(
      {{.id = "twicing/eq-25",
        .label = "Eq 25",
        .title = "The gradient of J_w is the vector of its partial derivatives",
        .kind = Kind::definition,
        .tex = R"(\frac{d}{d\tau}J_w(u+\tau h)\Big|_0 = \sum_{j=1}^D\Big\langle\frac{\partial J_w}{\partial u_j},)"
               R"(h_j\Big\rangle)",
        .assumptions = on_points,
        .expected = Verdict::supported,
        .note = "What the definition owes its reader: the derivative along any direction is the sum of its parts."},
       vector_of_partial_derivatives(1),
       {{"one percent more", 0.01, vector_of_partial_derivatives(1.01)},
        {"the first component alone", 1, vector_of_partial_derivatives(1, false)}}});
  claims.push_back({{.id = "twicing/a3-directional-derivative",
                     .label = "A.3 (directional derivative)",
                     .title = "The derivative of J_w along one component",
                     .kind = Kind::identity,
                     .tex = R"(\frac{d}{d\tau}J_w(u_j+\tau h_j)\Big|_0 =)"
                            R"(\int_{\Omega\times\Omega}(u_j(x)-u_j(y))(h_j(x)-h_j(y))\,w(x,y)\,dx\,dy)",
                     .assumptions = on_points,
                     .expected = Verdict::supported,
                     .depends_on = {"twicing/eq-24"}},
                    along_one_component(1, 1),
                    {{"one percent more", 0.01, along_one_component(1.01, 1)},
                     {"h_j(x) + h_j(y)", 2, along_one_component(1, -1)},
                     {"one percent less of h_j(y)", 0.01, along_one_component(1, 0.99)}}});
  claims.push_back(
      {{.id = "twicing/a3-change-of-variables",
        .label = "A.3 (after the change of variables)",
        .title = "After exchanging x and y the derivative is an integral over y alone",
        .kind = Kind::identity,
        .tex = R"(\frac{d}{d\tau}J_w(u_j+\tau h_j)\Big|_0 =)"
               R"(\int_\Omega(u_j(x)-u_j(y))\,h_j(x)\,(w(x,y)+w(y,x))\,dy)",
        .assumptions = {"Omega = [0, 2), u, h and w constant on unit intervals", "for every x"},
        .expected = Verdict::refuted,
        .finding = Finding::slip,
        .note = "The left side is a number, the right side a function of x: the integral over x is lost. A slip: the "
                "next line of the paper, Eq 26, is what the double integral gives.",
        .depends_on = {"twicing/a3-directional-derivative"}},
       single_integral(1),
       {},
       {{"integrated over x as well", 1, double_integral(1)}}});
  claims.push_back(
      {{.id = "twicing/a3-change-of-variables-double",
        .label = "A.3 (after the change of variables, integrated over x)",
        .title = "After exchanging x and y the derivative is an integral over both",
        .kind = Kind::identity,
        .tex = R"(\frac{d}{d\tau}J_w(u_j+\tau h_j)\Big|_0 =)"
               R"(\int_{\Omega\times\Omega}(u_j(x)-u_j(y))\,h_j(x)\,(w(x,y)+w(y,x))\,dx\,dy)",
        .assumptions = on_points,
        .expected = Verdict::supported,
        .printed = false,
        .amends = "twicing/a3-change-of-variables",
        .depends_on = {"twicing/a3-directional-derivative"}},
       double_integral(1),
       {{"one percent less of w(y, x)", 0.01, double_integral(0.99)}, {"w(x, y) alone", 1, double_integral(0)}}});
  claims.push_back(
      {{.id = "twicing/eq-26",
        .label = "Eq 26",
        .title = "The gradient of J_w",
        .kind = Kind::identity,
        .tex = R"(\frac{\partial J_w}{\partial u_j}(x) = \int_\Omega(u_j(x)-u_j(y))\,(w(x,y)+w(y,x))\,dy)",
        .assumptions = on_points,
        .expected = Verdict::supported,
        .note = "Printed with k(x, y) + k(y, x), where k elsewhere is the key function of one argument: read as w.",
        .depends_on = {"twicing/eq-25", "twicing/a3-change-of-variables"}},
       frechet_derivative(1, 1),
       {{"one percent less of w(y, x)", 0.01, frechet_derivative(1, 0.99)},
        {"w(x, y) alone", 1, frechet_derivative(1, 0)},
        {"off by a millionth", 1e-6, frechet_derivative(1 + 1e-6, 1)}}});
  claims.push_back(
      {{.id = "twicing/a3-renamed-weights",
        .label = "A.3 (w <- w + w^T gives the desired gradient)",
        .title = "With w(x, y) + w(y, x) called w the gradient of J_w is the first term of Eq 6",
        .kind = Kind::identity,
        .tex = R"(\frac{\partial J_w}{\partial u}(x) = \int_\Omega(u(x)-u(y))\,w'(x,y)\,dy,)"
               R"(\quad w'(x,y)=w(x,y)+w(y,x)=w'(y,x))",
        .assumptions = on_points,
        .expected = Verdict::supported,
        .note = "So Eqs 6 and 7 hold for w', not for the w of Eq 4. The renamed weights are symmetric, and Eq 8 then "
                "puts exp(q(x) . k(y) / sqrt(D)) in their place, which is symmetric only when queries and keys are "
                "tied (as for W_Q = W_K): no J_w has that gradient otherwise.",
        .depends_on = {"twicing/eq-26"}},
       renamed_weights(1),
       {{"one percent less of w(y, x)", 0.01, renamed_weights(0.99)}, {"w(x, y) alone", 1, renamed_weights(0)}}});
  return claims;
}

}  // namespace attest::twicing
