// Section 2.1: the signs for "up to a constant factor", Definitions 2.1 and 2.2.
#include <cmath>
#include <string>

#include "theorems/engine/protocols/certification.hpp"
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/engine/protocols/generic_check.hpp"

namespace attest::boosting {
namespace {

using namespace engine;
using rigor::Ball;

double magnitude(double x) { return std::abs(x); }
Ball magnitude(const Ball& x) { return rigor::abs(x); }

/// |f| <= C |g| and |g| <= D |h| give |f| <= factor C D |h|.
Check chains(double factor) {
  return generic_inequality({{"h", 1, -10, 10}, {"C", 1, 0.1, 10}, {"D", 1, 0.1, 10}, {"r", 2, -1, 1}},
                            Relation::less_equal,
                            [factor](const Inputs& in, auto zero) {
                              using Real = decltype(zero);
                              const Real c(in.scalar("C"));
                              const Real d(in.scalar("D"));
                              const Real h(in.scalar("h"));
                              const Real g = Real(in["r"][0]) * d * h;
                              const Real f = Real(in["r"][1]) * c * g;
                              return Pair<Real>{{magnitude(f)}, {Real(factor) * c * d * magnitude(h)}};
                            },
                            {.corners = {{1, 1, 1, 1, 1}}});
}

/// |f_k| <= C_k |g_k| for k = 1, 2 give |f_1 f_2| <= factor C_1 C_2 |g_1 g_2|.
Check multiplies(double factor) {
  return generic_inequality({{"g", 2, -10, 10}, {"C", 2, 0.1, 10}, {"r", 2, -1, 1}}, Relation::less_equal,
                            [factor](const Inputs& in, auto zero) {
                              using Real = decltype(zero);
                              Real product(1);
                              Real bound(factor);
                              for (std::size_t k = 0; k < 2; ++k) {
                                const Real g(in["g"][k]);
                                const Real c(in["C"][k]);
                                product *= Real(in["r"][k]) * c * g;
                                bound *= c * magnitude(g);
                              }
                              return Pair<Real>{{magnitude(product)}, {bound}};
                            },
                            {.corners = {{1, 1, 1, 1, 1, 1}}});
}

enum class Side { lower, upper };

/// c1 g <= f <= c2 g gives f / c2 <= g <= f / c1, whatever the signs: the relation is symmetric.
Check turns_round(Side side, double factor) {
  return generic_inequality({{"g", 1, -10, 10}, {"c", 2, 0.1, 10}, {"s", 1, 0, 1}}, Relation::less_equal,
                            [=](const Inputs& in, auto zero) {
                              using Real = decltype(zero);
                              const Real g(in.scalar("g"));
                              const Real low = Real(in["c"][0]) * g;
                              const Real high = Real(in["c"][1]) * g;
                              const Real f = low + Real(in.scalar("s")) * (high - low);
                              const bool ordered = (in["c"][1] - in["c"][0]) * in.scalar("g") > 0;
                              if (side == Side::lower)
                                return Pair<Real>{{f / Real(in["c"][1])}, {g + Real(factor - 1) * f}, ordered};
                              return Pair<Real>{{g}, {Real(factor) * f / Real(in["c"][0])}, ordered};
                            },
                            {.corners = {{1, 1, 2, 0}, {1, 1, 2, 1}}});
}

/// d h <= g and c g <= f give factor c d h <= f.
Check follows_on(double factor) {
  return generic_inequality({{"h", 1, -10, 10}, {"c", 1, 0.1, 10}, {"d", 1, 0.1, 10}, {"slack", 2, 0, 1}},
                            Relation::less_equal,
                            [factor](const Inputs& in, auto zero) {
                              using Real = decltype(zero);
                              const Real h(in.scalar("h"));
                              const Real g = Real(in.scalar("d")) * h + Real(in["slack"][0]);
                              const Real f = Real(in.scalar("c")) * g + Real(in["slack"][1]);
                              return Pair<Real>{{Real(factor) * Real(in.scalar("c")) * Real(in.scalar("d")) * h}, {f}};
                            },
                            {.corners = {{1, 1, 1, 0, 0}}});
}

Check same_order(Side side, double factor) {
  return composite({{"symmetric", Kind::universal_inequality, turns_round(side, factor)},
                    {"transitive", Kind::universal_inequality, follows_on(side == Side::upper ? 1 : 2 - factor)}});
}

/// There is r = f / g with r <= 1 and |r| > 1: f <= g without |f| <= |g|.
Check inequality_without_order(double least_ratio) {
  BoxProblem p;
  p.domain = "f / g between " + std::string(least_ratio < 0 ? "-2" : "0") + " and 0.99";
  p.coordinates = {"r"};
  p.lower = {least_ratio};
  p.upper = {0.99};
  p.margin = [](std::span<const Ball> x) { return 1 - rigor::abs(x[0]); };
  return exists_on_box(std::move(p));
}

}  // namespace

Claims asymptotic_notation() {
  Claims claims;
  claims.push_back(
      {{.id = "boosting/def-2.1",
        .label = "Def 2.1",
        .title = "At most of the order of: the relation chains and multiplies",
        .kind = Kind::definition,
        .tex = R"(f(n)\lesssim g(n) \iff f(n)=O(g(n)))",
        .assumptions = {"f and g are nonnegative, as everywhere in the paper"},
        .expected = Verdict::supported,
        .note = "A definition asserts nothing; what is judged is that it has the properties with which the "
                "text uses it, and where its words and its formula agree."},
       composite({{"chains", Kind::universal_inequality, chains(1)},
                  {"multiplies", Kind::universal_inequality, multiplies(1)}}),
       {{"chain with 0.99 of the constant", 0.01, chains(0.99)},
        {"product with 0.99 of the constant", 0.01, multiplies(0.99)}}});
  claims.push_back({{.id = "boosting/def-2.1-signs",
                     .label = "Def 2.1 (functions of either sign)",
                     .title = "An inequality up to a constant factor is not O() for functions of either sign",
                     .kind = Kind::existence,
                     .tex = R"(\exists f\le g:\ |f|>|g|)",
                     .assumptions = {"the constant is 1; any other is reached by scaling g"},
                     .expected = Verdict::certified,
                     .printed = false,
                     .amends = "boosting/def-2.1",
                     .note = "f(n) = -n lies below the constant 1 and is not O(1): the words of the definition are "
                             "one-sided, its formula is two-sided."},
                    inequality_without_order(-2),
                    {{"nonnegative functions", 1, inequality_without_order(0)}}});
  claims.push_back({{.id = "boosting/def-2.2",
                     .label = "Def 2.2",
                     .title = "Of the same order: an equivalence relation",
                     .kind = Kind::definition,
                     .tex = R"(f\asymp g \iff \exists c_1,c_2>0:\ c_1g(n)\le f(n)\le c_2g(n)\ \text{for all large } n)",
                     .assumptions = {"c_1 and c_2 do not depend on n; f and g may have any sign"},
                     .expected = Verdict::supported,
                     .note = "Called asymptotic equivalence, but weaker than f/g -> 1, which that name usually means: "
                             "2n and n are of the same order."},
                    composite({{"below", Kind::definition, same_order(Side::lower, 1)},
                               {"above", Kind::definition, same_order(Side::upper, 1)}}),
                    {{"g <= 0.99 f / c_1", 0.01, same_order(Side::upper, 0.99)},
                     {"f / c_2 <= g - 0.01 f", 0.01, same_order(Side::lower, 0.99)}}});
  return claims;
}

}  // namespace attest::boosting
