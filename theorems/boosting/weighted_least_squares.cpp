// Eqs 2.11, 2.12 and A.1 to A.4: weighted least squares over patches and its stationary point.
#include "theorems/boosting/patches.hpp"
#include "theorems/engine/protocols/certification.hpp"
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/engine/protocols/generic_check.hpp"

namespace attest::boosting {
namespace {

using namespace engine;
using rigor::Ball;

/// Sums of n d terms, of which each is off by at most 8 roundings.
constexpr double rounding = 8 * 8 * 5 * 8 * 0x1p-53;

/// n patches of d intensities, their weights, a candidate u and a direction v.
struct Layout {
  std::size_t n, d;
  double least_weight = 0.01;
};

std::vector<Block> patches(Layout at) {
  return {{"y", at.n * at.d, -2, 2}, {"K", at.n, at.least_weight, 2}, {"u", at.d, -2, 2}, {"v", at.d, -2, 2}};
}

template <class Real>
Real objective(const Inputs& in, Layout at, const std::vector<Real>& u) {
  Real sum(0);
  for (std::size_t j = 0; j < at.n; ++j)
    for (std::size_t k = 0; k < at.d; ++k) {
      const Real r = Real(in["y"][j * at.d + k]) - u[k];
      sum += r * r * Real(in["K"][j]);
    }
  return sum;
}

template <class Real>
Real total_weight(const Inputs& in) {
  Real sum(0);
  for (const double k : in["K"]) sum += Real(k);
  return sum;
}

/// sum_j -2 (y_j - u) K_j.
template <class Real>
std::vector<Real> gradient(const Inputs& in, Layout at, const std::vector<Real>& u) {
  std::vector<Real> g(at.d, Real(0));
  for (std::size_t j = 0; j < at.n; ++j)
    for (std::size_t k = 0; k < at.d; ++k) g[k] -= Real(2) * (Real(in["y"][j * at.d + k]) - u[k]) * Real(in["K"][j]);
  return g;
}

/// sum_j y_j K_j / sum_j K_j.
template <class Real>
std::vector<Real> estimate(const Inputs& in, Layout at) {
  std::vector<Real> u(at.d, Real(0));
  for (std::size_t j = 0; j < at.n; ++j)
    for (std::size_t k = 0; k < at.d; ++k) u[k] += Real(in["y"][j * at.d + k]) * Real(in["K"][j]);
  for (Real& component : u) component /= total_weight<Real>(in);
  return u;
}

template <class Real>
std::vector<Real> vector(const Inputs& in, const char* name) {
  return {in[name].begin(), in[name].end()};
}

/// J(u + v) - J(u) = factor gradient(u) . v + sum_j K_j |v|^2, which says that the gradient is right.
Check derivative(Layout at, double factor) {
  return generic_identity(patches(at),
                          [=](const Inputs& in, auto zero) {
                            using Real = decltype(zero);
                            const auto u = vector<Real>(in, "u");
                            const auto v = vector<Real>(in, "v");
                            const auto g = gradient(in, at, u);
                            std::vector<Real> moved = u;
                            Real change(0);
                            for (std::size_t k = 0; k < at.d; ++k) {
                              moved[k] += v[k];
                              change += Real(factor) * g[k] * v[k] + total_weight<Real>(in) * v[k] * v[k];
                            }
                            return Pair<Real>{{objective(in, at, moved) - objective(in, at, u)}, {change}};
                          },
                          {.rounding_bound = rounding, .scale = 36 * 2});
}

/// The gradient vanishes at factor times the weighted mean: sum_j 2 y_j K_j = sum_j 2 u K_j there.
Check stationary(Layout at, double factor) {
  return generic_identity(patches(at),
                          [=](const Inputs& in, auto zero) {
                            using Real = decltype(zero);
                            Pair<Real> pair{std::vector<Real>(at.d, Real(0)), {}};
                            const auto of_data = gradient(in, at, std::vector<Real>(at.d, Real(0)));
                            const auto u = estimate<Real>(in, at);
                            for (std::size_t k = 0; k < at.d; ++k) {
                              pair.lhs[k] = Real(0) - of_data[k];
                              pair.rhs.push_back(Real(2 * factor) * u[k] * total_weight<Real>(in));
                            }
                            return pair;
                          },
                          {.rounding_bound = rounding, .scale = 8});
}

/// J at the weighted mean is at most factor times J anywhere.
Check minimal(Layout at, double factor = 1) {
  return generic_inequality(patches(at), Relation::less_equal,
                            [=](const Inputs& in, auto zero) {
                              using Real = decltype(zero);
                              const Real least = objective(in, at, estimate<Real>(in, at));
                              const Real anywhere = objective(in, at, vector<Real>(in, "u"));
                              return Pair<Real>{{least}, {Real(factor) * anywhere}, positive(Real(anywhere))};
                            },
                            {.evaluations = 3000});
}

struct Factors {
  double derivative = 1, stationary = 1, minimum = 1;
};

Check solves(Layout at, Factors factors = {}) {
  return composite({{"the derivative", Kind::identity, derivative(at, factors.derivative)},
                    {"stationary", Kind::identity, stationary(at, factors.stationary)},
                    {"minimal", Kind::universal_inequality, minimal(at, factors.minimum)}});
}

/// With K = (y_1, y_2)(y_1, y_2)', positive semidefinite, or K = exp of it: the weights of y_1's estimate have a
/// negative sum, so that its stationary point is a maximum.
Check semidefinite_kernel_fails(bool exponentiated) {
  BoxProblem p;
  p.domain = "y_1, y_2 in [-2, 2]";
  p.coordinates = {"y_1", "y_2"};
  p.lower = {-2, -2};
  p.upper = {2, 2};
  p.margin = [exponentiated](std::span<const Ball> y) {
    const Ball own = rigor::square(y[0]);
    const Ball other = y[0] * y[1];
    return exponentiated ? exp(own) + exp(other) : own + other;
  };
  return exists_on_box(std::move(p));
}

}  // namespace

Claims weighted_least_squares() {
  Claims claims;
  constexpr Layout scalars{12, 1};
  constexpr Layout signed_scalars{3, 1, -2};
  claims.push_back(
      {{.id = "boosting/eq-2.12",
        .label = "Eq 2.11-2.12",
        .title = "The weighted mean solves the weighted least squares",
        .kind = Kind::optimality,
        .tex = R"(\arg\min_u\sum_j(y_j-u)^2K_{ij} = \frac{\sum_jy_jK_{ij}}{\sum_jK_{ij}})",
        .assumptions = {"all weights positive: K is a positive kernel entry by entry (symmetry is not needed)",
                        "judged for twelve samples"},
        .expected = Verdict::supported,
        .note =
            "'For any given kernel' is read as any kernel of the kind described above it, 'symmetric and positive'. "
            "The weights depend on y_i, not on the unknown u, so they are constants in the derivative."},
       solves(scalars),
       {{"derivative 0.1 percent larger", 0.001, solves(scalars, {.derivative = 1.001}), "the derivative"},
        {"weighted mean raised by 0.1 percent", 0.001, solves(scalars, {.stationary = 1.001}), "stationary"},
        {"one percent below the minimum", 0.01, solves(scalars, {.minimum = 0.99}), "minimal"},
        {"weights of any sign", 1, minimal(signed_scalars)}}});
  claims.push_back(
      {{.id = "boosting/eq-2.12-semidefinite",
        .label = "Eq 2.11-2.12 (positive definite is not positive)",
        .title = "A positive semidefinite kernel may make the weighted mean the worst choice",
        .kind = Kind::existence,
        .tex =
            R"(K(i,j)=y_iy_j:\quad \sum_jK_{1j} < 0,\ \text{so } \mathcal J_K \text{ is concave in } u(\mathbf p_1))",
        .assumptions = {"two samples"},
        .expected = Verdict::certified,
        .printed = false,
        .amends = "boosting/eq-2.12",
        .note = "The word for K must mean positive weights, as for all kernels of the paper, which are exponentials."},
       semidefinite_kernel_fails(false),
       {{"the exponential of that kernel", 1, semidefinite_kernel_fails(true)}}});
  constexpr Layout vectors{8, 5};
  constexpr Layout signed_vectors{3, 2, -2};
  claims.push_back(
      {{.id = "boosting/eq-a.4",
        .label = "Eq A.1-A.4",
        .title = "The weighted mean solves the weighted least squares of vectors",
        .kind = Kind::optimality,
        .tex =
            R"(\nabla_u\mathcal J_K = \sum_j-2[\mathbf y_j-u]K_{ij},\qquad \hat u = \frac{\sum_j\mathbf y_jK_{ij}}{\sum_jK_{ij}})",
        .assumptions = {"all weights positive", "judged for eight patches of five intensities"},
        .expected = Verdict::supported,
        .depends_on = {"boosting/eq-2.12"}},
       solves(vectors),
       {{"derivative 0.1 percent larger", 0.001, solves(vectors, {.derivative = 1.001}), "the derivative"},
        {"weighted mean raised by 0.1 percent", 0.001, solves(vectors, {.stationary = 1.001}), "stationary"},
        {"one percent below the minimum", 0.01, solves(vectors, {.minimum = 0.99}), "minimal"},
        {"weights of any sign", 1, minimal(signed_vectors)}}});
  return claims;
}

}  // namespace attest::boosting
