// Section 1, Section 5 / Appendix D.1 and Appendix E: what is said of trained networks, and the part that arithmetic
// reaches.
#include <algorithm>
#include <cmath>

#include "theorems/engine/protocols/awaiting.hpp"
#include "theorems/engine/protocols/certification.hpp"
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/engine/protocols/generic_check.hpp"
#include "theorems/twicing/nonlocal_functional.hpp"

namespace attest::twicing {
namespace {

using namespace engine;
using rigor::Ball;

/// Twelve times u <- u + A u with A = (a, 1-a; 1-a, a), lambda = 2a - 1: differences times (1 + lambda)^12, sums times
/// `growth`^12.
Check with_residual_connections(double growth, double rate = 1) {
  return generic_identity({{"a", 1, 0, 1}, {"u", 2, -2, 2}},
                          [=](const Inputs& in, auto zero) {
                            using Real = decltype(zero);
                            const Real a(in.scalar("a"));
                            const auto start = values(in, "u", 2);
                            Real u(start[0]), v(start[1]);
                            const Real sum = u + v;
                            const Real difference = u - v;
                            Real sum_factor(1), difference_factor(1);
                            for (int layer = 0; layer < 12; ++layer) {
                              const Real next = u + a * u + (Real(1) - a) * v;
                              v = v + (Real(1) - a) * u + a * v;
                              u = next;
                              sum_factor *= Real(growth);
                              difference_factor *= Real(1) + Real(rate) * (Real(2) * a - Real(1));
                            }
                            return Pair<Real>{{u + v, u - v}, {sum_factor * sum, difference_factor * difference}};
                          },
                          // Twelve layers of seven roundings, values below 2^12 * 4.
                          {.evaluations = 500, .rounding_bound = 84 * 0x1p-52, .scale = 4096 * 4});
}

/// The mean cosine of two different tokens in the plane. `resolved` becomes false where one is shorter than 1/8:
/// doubles could not tell its direction.
template <class Real>
Real mean_cosine(const Signal<Real>& tokens, bool& resolved) {
  using std::sqrt;
  const auto product = [&](std::size_t i, std::size_t j) {
    return Real(tokens(i, 0) * tokens(j, 0) + tokens(i, 1) * tokens(j, 1));
  };
  Real total(0);
  int pairs = 0;
  for (std::size_t i = 0; i < tokens.points(); ++i) {
    resolved = resolved && positive(Real(product(i, i) - Real(1.0 / 64)));
    for (std::size_t j = 0; j < i; ++j, ++pairs) total += product(i, j) / sqrt(Real(product(i, i) * product(j, j)));
  }
  return total / Real(pairs);
}

enum class Twicing { as_defined, reversed };

/// 2 + mean cosine of the tokens of (2A - A^2) V plus `margin`, against 2 + that of A V. Reversed: A^2 V, which takes
/// the residual away.
Check more_diverse(std::size_t count, double margin, Twicing twicing, std::vector<std::vector<double>> corners = {}) {
  return generic_inequality({{"logits", count * count, -3, 3}, {"V", 2 * count, -2, 2}}, Relation::less_equal,
                            [=](const Inputs& in, auto zero) {
                              using Real = decltype(zero);
                              using std::exp;
                              Weights<Real> w(values(in, "logits", count * count), count);
                              for (Real& weight : w.values) weight = exp(weight);
                              const Weights<Real> a = row_stochastic(w);
                              const Signal<Real> plain = applied(a, Signal<Real>(values(in, "V", 2 * count), 2));
                              const Signal<Real> again = applied(a, plain);
                              const Signal<Real> other = twicing == Twicing::as_defined
                                                             ? moved(plain, moved(plain, again, Real(-1)), Real(1))
                                                             : again;
                              Pair<Real> pair;
                              pair.lhs = {Real(2) + mean_cosine(other, pair.admissible) + Real(margin)};
                              pair.rhs = {Real(2) + mean_cosine(plain, pair.admissible)};
                              return pair;
                            },
                            {.evaluations = 4000, .corners = std::move(corners)});
}

/// A third token, to which the other two attend in different measure: found by search.
const std::vector<double> three_tokens{1, 0, -3, -3, 0, 1, -3, 3, -1, 1, 0, -2, -1, 1, 1};

/// Table 9 in hundredths of a percent, column by column: top-1 and top-5 on ImageNet, PGD, FGSM, SPSA.
Inputs table_9() {
  return {{"DeiT", {7200, 9114, 816, 2237, 2988, 6326, 6641, 9029}},
          {"layers 10-12", {7231, 9124, 866, 2258, 3163, 6474, 6647, 9049}},
          {"layers 7-12", {7245, 9135, 867, 2290, 3160, 6479, 6648, 9052}},
          {"layers 1-12", {7260, 9133, 915, 2410, 3228, 6567, 6712, 9053}}};
}

/// How many of the eight columns have a property of their gains in 3, 6 and 12 layers, which are whole numbers.
template <class Property>
Check columns(Relation relation, int count, Property has) {
  EnumerationProblem p;
  p.domain = "the eight columns of Table 9";
  p.cases = 1;
  p.relation = relation;
  p.case_inputs = [](std::int64_t) { return table_9(); };
  p.ball_sides = [=](const Inputs& in) {
    int found = 0;
    for (std::size_t c = 0; c < 8; ++c) {
      const double baseline = in["DeiT"][c];
      found += has(in["layers 10-12"][c] - baseline, in["layers 7-12"][c] - baseline, in["layers 1-12"][c] - baseline);
    }
    return BallSides{Ball(found), Ball(count)};
  };
  return enumerate(std::move(p));
}

/// Some gain a layer explains all three, each up to `rounding` hundredths.
auto proportional(double rounding) {
  return [rounding](double three, double six, double twelve) {
    const double least = std::max({(three - rounding) / 3, (six - rounding) / 6, (twelve - rounding) / 12});
    const double greatest = std::min({(three + rounding) / 3, (six + rounding) / 6, (twelve + rounding) / 12});
    return least <= greatest ? 1 : 0;
  };
}

int increasing(double three, double six, double twelve) { return 0 < three && three <= six && six <= twelve ? 1 : 0; }
int positive_gains(double three, double six, double twelve) { return std::min({three, six, twelve}) > 0 ? 1 : 0; }

Check gains(int increasing_columns, int positive_columns) {
  return composite(
      {{"gains that rise with the layers", Kind::figure, columns(Relation::equal, increasing_columns, increasing)},
       {"gains at all", Kind::figure, columns(Relation::equal, positive_columns, positive_gains)}});
}

}  // namespace

Claims token_diversity() {
  Claims claims;
  claims.push_back(
      {{.id = "twicing/sec-1-vanishing-eigenvalues",
        .label = "Sec 1 (vanishing eigenvalues are a major cause of collapse)",
        .title = "Vanishing eigenvalues of the smoothing matrix are a major cause of representation collapse",
        .kind = Kind::implication,
        .tex = R"(\lambda_j^n\to0\ (j\ge2)\implies\text{the tokens of a transformer become alike})",
        .assumptions = {"a trained transformer, not the iteration of one fixed A"},
        .expected = Verdict::undecided,
        .note = "Under one fixed A the tokens collapse at the rate of these eigenvalues, which is judged at Eq 12 and "
                "after it. 'A major cause' in transformers is a statement about trained networks with residual "
                "connections, new matrices in each layer and feed-forward halves; 'major' is no assertion that can be "
                "judged.",
        .depends_on = {"twicing/sec-3.1-spectrum", "twicing/eq-12", "twicing/sec-3.1-convergence"}},
       awaits(
           "token similarity by layer of networks trained alike, with and without twicing, with and without residual "
           "connections, beside the spectra of their attention matrices",
           "a cause in trained networks shows only where it is removed and the rest kept"),
       {}});
  claims.push_back(
      {{.id = "twicing/sec-1-residual-connections",
        .label = "Sec 1 (collapse with residual connections)",
        .title = "With residual connections no eigenvalue vanishes, and the tokens still become alike",
        .kind = Kind::identity,
        .tex = R"(u\leftarrow u+Au:\quad u_1-u_2\to(1+\lambda_2)^{12}(u_1-u_2),\quad u_1+u_2\to2^{12}(u_1+u_2))",
        .assumptions = {"two tokens, A symmetric, twelve layers"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "twicing/sec-1-vanishing-eigenvalues",
        .note = "The eigenvalues of I + A are 2 and 1 + lambda_2, both at least 1 where lambda_2 >= 0; relative to the "
                "mean the difference shrinks by ((1 + lambda_2)/2)^n. Collapse is a matter of ratios of eigenvalues, "
                "not of their vanishing."},
       with_residual_connections(2),
       {{"lambda_2 one percent larger", 0.01, with_residual_connections(2, 1.01)},
        {"sums one percent larger a layer", 0.01, with_residual_connections(2.02)}}});
  claims.push_back(
      {{.id = "twicing/sec-5-diversity",
        .label = "Sec 5 / D.1 (twicing keeps tokens more diverse: cosine similarity)",
        .title = "Token cosine similarity grows more slowly with twicing",
        .kind = Kind::figure,
        .tex = R"(\overline{\cos}_{\,\ell}(\text{DeiT-Twicing})<\overline{\cos}_{\,\ell}(\text{DeiT}),)"
               R"(\quad\ell=1,\dots,12)",
        .assumptions = {"DeiT-tiny trained on ImageNet, 100 random samples"},
        .expected = Verdict::undecided,
        .note = "Shown as curves without numbers or spread over seeds (Figures 1 and 8). What a layer guarantees is "
                "judged beside this."},
       awaits("mean token cosine similarity by layer of DeiT-tiny trained with and without twicing, paired seeds",
              "the tokens are those of trained networks"),
       {}});
  claims.push_back(
      {{.id = "twicing/sec-5-diversity-two-tokens",
        .label = "Sec 5 / D.1 (twicing keeps tokens more diverse: two tokens)",
        .title = "Twicing leaves two tokens no more similar than attention does",
        .kind = Kind::universal_inequality,
        .tex = R"(\cos\bigl((2A-A^2)V\bigr)_{12}\le\cos(AV)_{12}\quad\text{for two tokens})",
        .assumptions = {"any attention matrix of two tokens; judged with logits in [-3, 3], V in [-2, 2], and tokens "
                        "of norm above 1/8"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "twicing/sec-5-diversity",
        .note = "Twicing moves two tokens apart on the line through them, so that the origin sees them at a wider "
                "angle. For three tokens a layer of twicing can leave them more alike."},
       more_diverse(2, 0, Twicing::as_defined),
       {{"a hundredth less", 0.01, more_diverse(2, 0.01, Twicing::as_defined)},
        {"the residual taken away instead", 1, more_diverse(2, 0, Twicing::reversed)},
        {"three tokens", 1, more_diverse(3, 0, Twicing::as_defined, {three_tokens})}}});
  claims.push_back(
      {{.id = "twicing/app-e-proportional",
        .label = "App E (improvement proportional to the number of twicing layers)",
        .title = "In most columns of Table 9 the gain rises with the number of layers with twicing",
        .kind = Kind::figure,
        .tex = R"(\#\{0<g_3\le g_6\le g_{12}\}\ge5)",
        .assumptions = {"'almost always proportional' read as: in most of the eight columns the gain is positive and "
                        "rises with the layers",
                        "numbers as printed, single runs"},
        .expected = Verdict::certified,
        .note = "In proportion 3 : 6 : 12 the gains are in no column, which is judged apart. That twicing in few "
                "initial layers offers no significant gain has no numbers."},
       columns(Relation::greater_equal, 5, increasing),
       {{"in seven columns", 0.4, columns(Relation::greater_equal, 7, increasing)}}});
  claims.push_back({{.id = "twicing/app-e-proportional-strictly",
                     .label = "App E (improvement proportional to the number of twicing layers, 3 : 6 : 12)",
                     .title = "In no column of Table 9 are the gains in proportion to the layers",
                     .kind = Kind::figure,
                     .tex = R"(\#\{\text{columns of Table 9 with gains } 3g,\ 6g,\ 12g\}=0)",
                     .assumptions = {"gains known to a hundredth, as differences of two rounded numbers"},
                     .expected = Verdict::certified,
                     .printed = false,
                     .amends = "twicing/app-e-proportional"},
                    columns(Relation::equal, 0, proportional(1)),
                    {{"in one column", 1, columns(Relation::equal, 1, proportional(1))},
                     {"gains known to half a percent", 50, columns(Relation::equal, 0, proportional(50))}}});
  claims.push_back({{.id = "twicing/app-e-increasing",
                     .label = "App E (improvement with the number of twicing layers)",
                     .title = "Twicing gains in all eight columns of Table 9, and the more the more layers in six",
                     .kind = Kind::figure,
                     .tex = R"(\#\{0<g_3\le g_6\le g_{12}\}=6,\quad\#\{g_3,g_6,g_{12}>0\}=8)",
                     .assumptions = {"numbers as printed, single runs"},
                     .expected = Verdict::certified,
                     .printed = false,
                     .amends = "twicing/app-e-proportional",
                     .note = "Not so for ImageNet top 5 and FGSM top 1."},
                    gains(6, 8),
                    {{"in seven columns", 0.17, gains(7, 8), "gains that rise with the layers"},
                     {"gains in seven columns", 0.125, gains(6, 7), "gains at all"}}});
  return claims;
}

}  // namespace attest::twicing
