// Section 2.3: attention weights in Eq 7 (Eq 8), the iteration that starts from f, and one step of it (Eq 10).
#include <cmath>

#include "theorems/engine/protocols/composite.hpp"
#include "theorems/engine/protocols/generic_check.hpp"
#include "theorems/twicing/nonlocal_functional.hpp"

namespace attest::twicing {
namespace {

using namespace engine;

enum class Keys { own, queries };

struct Shape {
  std::size_t tokens = 3;
  std::size_t width = 1;
  Keys keys = Keys::own;
};

/// Queries, keys and a signal of the shape's tokens, handed over with the weights exp(q . k / sqrt(D)).
template <class Real, class F>
auto with_weights(const Inputs& in, Shape shape, F f) {
  const std::size_t count = shape.tokens * shape.width;
  const Signal<Real> q(values(in, "q", count), shape.width);
  const Signal<Real> k(values(in, shape.keys == Keys::own ? "k" : "q", count), shape.width);
  return f(exponential_weights(q, k), Signal<Real>(values(in, "u", shape.tokens), 1));
}

std::vector<Block> queries_keys_signal(Shape shape) {
  const std::size_t count = shape.tokens * shape.width;
  if (shape.keys == Keys::queries) return {{"q", count, -2, 2}, {"u", shape.tokens, -2, 2}};
  return {{"q", count, -2, 2}, {"k", count, -2, 2}, {"u", shape.tokens, -2, 2}};
}

/// max u - min u.
template <class Real>
Real spread(const Signal<Real>& u) {
  Real widest(0);
  for (const Real& a : u.values)
    for (const Real& b : u.values) widest = larger(widest, a - b);
  return widest;
}

/// What is asked of spreads and of eigenvalues, so that differences of them keep most of their digits in doubles.
constexpr double resolved = 1.0 / 64;

/// An inequality of two numbers made of weights and signal, both homogeneous in the signal.
template <class F>
Check for_all_tokens(Shape shape, Relation relation, F sides, std::vector<std::vector<double>> corners) {
  return generic_inequality(queries_keys_signal(shape), relation,
                            [=](const Inputs& in, auto zero) {
                              using Real = decltype(zero);
                              return with_weights<Real>(in, shape, [&](const Weights<Real>& w, const Signal<Real>& u) {
                                Pair<Real> pair = sides(w, u);
                                pair.admissible = pair.admissible && positive(Real(spread(u) - Real(resolved)));
                                return pair;
                              });
                            },
                            {.evaluations = 3000, .corners = std::move(corners)});
}

/// sum_y w(x, y) u(y) / sum_y w(x, y), which is Eq 7 at lambda = 0, against the softmax of the logits.
Check softmax_average(double scale_exponent) {
  constexpr Shape shape{.tokens = 3, .width = 2};
  return generic_identity(
      queries_keys_signal(shape),
      [=](const Inputs& in, auto zero) {
        using Real = decltype(zero);
        return with_weights<Real>(in, shape, [&](const Weights<Real>& w, const Signal<Real>& u) {
          const auto q = in["q"];
          const auto k = in["k"];
          std::vector<Real> softmax;
          for (std::size_t x = 0; x < 3; ++x) {
            using std::exp;
            using std::pow;
            std::vector<Real> logits;
            for (std::size_t y = 0; y < 3; ++y)
              logits.push_back((Real(q[2 * x]) * Real(k[2 * y]) + Real(q[2 * x + 1]) * Real(k[2 * y + 1])) /
                               pow(Real(2), Real(scale_exponent)));
            const Real largest = larger(larger(logits[0], logits[1]), logits[2]);
            Real total(0), average(0);
            for (std::size_t y = 0; y < 3; ++y) {
              total += exp(logits[y] - largest);
              average += exp(logits[y] - largest) * u(y, 0);
            }
            softmax.push_back(average / total);
          }
          return Pair<Real>{applied(row_stochastic(w), u).values, softmax};
        });
      },
      // Logits below 6 in size lose six roundings before the exponential, averages a dozen.
      {.evaluations = 500, .rounding_bound = 60 * 0x1p-52, .scale = 2});
}

/// max_x |u(x) - (A u)(x)| >= factor (least entry of A) (max u - min u), two tokens.
Check only_constants_are_fixed(double factor) {
  return for_all_tokens({.tokens = 2}, Relation::greater_equal,
                        [=]<class Real>(const Weights<Real>& w, const Signal<Real>& u) {
                          const Weights<Real> a = row_stochastic(w);
                          const Signal<Real> smooth = applied(a, u);
                          Real least(1);
                          for (const Real& entry : a.values) least = -larger(-least, -entry);
                          Real moved_by(0);
                          for (std::size_t x = 0; x < 2; ++x)
                            moved_by = larger(moved_by, absolute(Real(u(x, 0) - smooth(x, 0))));
                          return Pair<Real>{{moved_by}, {Real(factor) * least * spread(u)}};
                        },
                        {{0, 0, 0, 0, 1, 0}});
}

/// max_x |dJ_w/du(x)| >= factor 2 (least weight) (max u - min u), two tokens.
Check only_constants_are_stationary(double factor) {
  return for_all_tokens({.tokens = 2}, Relation::greater_equal,
                        [=]<class Real>(const Weights<Real>& w, const Signal<Real>& u) {
                          Real least = w.values[0];
                          for (const Real& weight : w.values) least = -larger(-least, -weight);
                          Real steepest(0);
                          for (const Real& slope : weighted_differences(u, symmetrised(w)))
                            steepest = larger(steepest, absolute(slope));
                          return Pair<Real>{{steepest}, {Real(2 * factor) * least * spread(u)}};
                        },
                        {{0, 0, 0, 0, 1, 0}});
}

Check eq_8(double scale_exponent, double factor) {
  return composite(
      {{"Eq 7 at lambda = 0 is the softmax average", Kind::identity, softmax_average(scale_exponent)},
       {"Eq 8 is solved by constants only", Kind::universal_inequality, only_constants_are_fixed(factor)},
       {"J_w is stationary at constants only", Kind::universal_inequality, only_constants_are_stationary(factor)}});
}

/// J_w(A u) <= factor J_w(u).
Check lowers_functional(Shape shape, double factor, std::vector<std::vector<double>> corners = {}) {
  return for_all_tokens(
      shape, Relation::less_equal,
      [=]<class Real>(const Weights<Real>& w, const Signal<Real>& u) {
        return Pair<Real>{{nonlocal_functional(applied(row_stochastic(w), u), w)},
                          {Real(factor) * nonlocal_functional(u, w)}};
      },
      std::move(corners));
}

/// J_w(A u) <= factor lambda_2^2 J_w(u), queries = keys: lambda_2 alone beside 1, or the larger of two that differ.
Check lowers_by_second_eigenvalue(std::size_t tokens, double factor) {
  return for_all_tokens({.tokens = tokens, .width = tokens - 1, .keys = Keys::queries}, Relation::less_equal,
                        [=]<class Real>(const Weights<Real>& w, const Signal<Real>& u) {
                          using std::sqrt;
                          const Weights<Real> a = row_stochastic(w);
                          Real sum(-1), square_sum(-1);  // over the eigenvalues beside 1
                          for (std::size_t x = 0; x < tokens; ++x) {
                            sum += a(x, x);
                            for (std::size_t y = 0; y < tokens; ++y) square_sum += a(x, y) * a(y, x);
                          }
                          const Real gap = tokens == 2 ? sum : Real(sqrt(Real(Real(2) * square_sum - sum * sum)));
                          const Real second = (sum + gap) / Real(2);
                          return Pair<Real>{{nonlocal_functional(applied(a, u), w)},
                                            {Real(factor) * second * second * nonlocal_functional(u, w)},
                                            positive(Real(gap - Real(resolved)))};
                        },
                        {});
}

Check symmetric_weights(double factor) {
  return composite({{"two tokens", Kind::universal_inequality, lowers_by_second_eigenvalue(2, factor)},
                    {"three tokens", Kind::universal_inequality, lowers_by_second_eigenvalue(3, factor)}});
}

/// max A u - min A u <= factor (1/2 max_{x,z} sum_y |A(x,y) - A(z,y)|) (max u - min u).
Check contracts_spread(double factor) {
  return for_all_tokens({}, Relation::less_equal,
                        [=]<class Real>(const Weights<Real>& w, const Signal<Real>& u) {
                          const Weights<Real> a = row_stochastic(w);
                          Real coefficient(0);
                          for (std::size_t x = 0; x < 3; ++x)
                            for (std::size_t z = 0; z < x; ++z) {
                              Real distance(0);
                              for (std::size_t y = 0; y < 3; ++y) distance += absolute(Real(a(x, y) - a(z, y)));
                              coefficient = larger(coefficient, Real(distance / Real(2)));
                            }
                          return Pair<Real>{{spread(applied(a, u))},
                                            {Real(factor) * coefficient * spread(u)},
                                            positive(Real(coefficient - Real(resolved)))};
                        },
                        {{1, -1, 0, 1, -1, 0, 1, 0, 0.5}});
}

/// q = (2, -1, 0), k = (0, 2, -2): the first token attends to the second, the second to the third.
const std::vector<double> passing_on{2, -1, 0, 0, 2, -2, 1, 1, 0};

}  // namespace

Claims iterative_solver() {
  Claims claims;
  claims.push_back(
      {{.id = "twicing/eq-8",
        .label = "Eq 8",
        .title = "With attention weights and lambda = 0, Eq 7 is the stationary-point equation of J_w",
        .kind = Kind::optimality,
        .tex = R"(w=e^{q(x)^\top k(y)/\sqrt D}:\quad u=Au\iff\frac{\partial J_w}{\partial u}=0,)"
               R"(\quad A=\operatorname{softmax}(QK^\top/\sqrt D))",
        .assumptions = {"three tokens of width two in the first part, two of width one in the others, in [-2, 2]"},
        .expected = Verdict::supported,
        .note = "Both sides hold for constant u and for no other, since all weights are positive: in that sense the "
                "two are equivalent, whatever the weights. Point by point they are different equations unless w is "
                "symmetric, and nothing of f is left in either.",
        .depends_on = {"twicing/eq-7", "twicing/eq-7-rearranged"}},
       eq_8(0.5, 1),
       {{"D^0.505 in the place of sqrt(D)", 0.01, eq_8(0.505, 1)},
        {"one percent more than the least weight", 0.01, eq_8(0.5, 1.01)}}});
  claims.push_back(
      {{.id = "twicing/sec-2.3-smooths",
        .label = "Sec 2.3 (iterative solver: attention smooths J_w)",
        .title = "The iteration smooths: a step lowers the spread of the tokens, whatever queries and keys",
        .kind = Kind::universal_inequality,
        .tex = R"(\max Au-\min Au\le\tau(A)\,(\max u-\min u),)"
               R"(\quad\tau(A)=\tfrac12\max_{x,z}\sum_y|A_{xy}-A_{zy}|<1)",
        .assumptions = {"three tokens of width one, q and k in [-2, 2], tau(A) above 1/64"},
        .expected = Verdict::supported,
        .note = "The text calls the iteration 'a natural choice' of solver for Eq 9; read as: it tends to the "
                "stationary points of J_w, the constants, by Dobrushin's coefficient at every step. That a step lowers "
                "J_w itself is not said, and is judged apart.",
        .depends_on = {"twicing/eq-8"}},
       contracts_spread(1),
       {{"one percent less", 0.01, contracts_spread(0.99)}, {"0.1 percent less", 0.001, contracts_spread(0.999)}}});
  claims.push_back(
      {{.id = "twicing/sec-2.3-lowers-functional",
        .label = "Sec 2.3 (iterative solver: attention smooths J_w, step by step)",
        .title = "A step of the iteration lowers J_w",
        .kind = Kind::universal_inequality,
        .tex = R"(J_w(Au)\le J_w(u),\quad w(x,y)=e^{q(x)^\top k(y)/\sqrt D},\ A=D^{-1}W)",
        .assumptions = {"queries and keys of their own, as in Eq 8, kept through the step"},
        .expected = Verdict::refuted,
        .printed = false,
        .amends = "twicing/sec-2.3-smooths",
        .note = "The stricter reading, which the text does not assert. J_w sees w(x, y) + w(y, x) only, the step "
                "w(x, y): where the first token attends to the second and that to the third, the step parts the first "
                "two, which J_w holds together.",
        .depends_on = {"twicing/eq-8"}},
       lowers_functional({}, 1, {passing_on}),
       {},
       {{"queries equal to keys", 1, lowers_functional({.keys = Keys::queries}, 1)}}});
  claims.push_back(
      {{.id = "twicing/sec-2.3-smooths-symmetric",
        .label = "Sec 2.3 (iterative solver: attention smooths J_w, queries = keys)",
        .title = "With queries equal to keys a step lowers J_w by the square of the second eigenvalue",
        .kind = Kind::universal_inequality,
        .tex = R"(Q=K\implies J_w(Au)\le\lambda_2^2\,J_w(u))",
        .assumptions = {"W positive semidefinite, as exp(q(x) . q(y) / sqrt(D)) is",
                        "two tokens of width one, three of width two, in [-2, 2], lambda_2 at least 1/64 above "
                        "the next"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "twicing/sec-2.3-lowers-functional",
        .note = "J_w(u) = sum_j (1 - lambda_j) c_j^2 in the eigenvectors orthonormal with respect to D. Equality for "
                "the second one; any symmetric w >= 0 gives J_w(Au) <= J_w(u)."},
       symmetric_weights(1),
       {{"one percent less", 0.01, symmetric_weights(0.99)},
        {"keys of their own", 1, lowers_functional({}, 1, {passing_on})}}});
  claims.push_back(
      {{.id = "twicing/eq-10",
        .label = "Eq 10",
        .title = "One step of the solver from the values is self-attention",
        .kind = Kind::identity,
        .tex = R"(\frac{\sum_je^{q(i)^\top k(j)/\sqrt D}\,v(j)}{\sum_je^{q(i)^\top k(j)/\sqrt D}}=)"
               R"(\sum_j\operatorname{softmax}\Bigl(\frac{q(i)^\top k(j)}{\sqrt D}\Bigr)v(j))",
        .assumptions = {"three tokens of width two in [-2, 2]"},
        .expected = Verdict::supported,
        .note = "The second line of Eq 1, which the first line contradicts. One step only: the next layer makes new "
                "queries, keys and values, so that a stack of layers is not this iteration.",
        .depends_on = {"twicing/eq-2"}},
       softmax_average(0.5),
       {{"D^0.505 in the place of sqrt(D)", 0.01, softmax_average(0.505)}}});
  return claims;
}

}  // namespace attest::twicing
