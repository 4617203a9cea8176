// Eq 2.14: the bilateral filter as h_p -> infinity.
#include "theorems/boosting/patches.hpp"
#include "theorems/engine/protocols/generic_check.hpp"
#include "theorems/engine/protocols/sequence.hpp"

namespace attest::boosting {
namespace {

using namespace engine;
using rigor::Ball;

/// K_BF -> factor K_NLM for positions (0, 0) and (3, 4), patches (0, 0) and (1, 1), h_y = 1.
Check forgets_positions(double factor) {
  SequenceProblem p;
  p.claim = Asymptotics::limit;
  p.n = geometric_grid(16, 4, 10);
  p.value = [](double h_p) {
    Matrix<Ball> positions(2, 2);
    positions.entries = {0, 0, 3, 4};
    Matrix<Ball> patches(2, 2);
    patches.entries = {0, 0, 1, 1};
    return exp(log_bilateral(positions, positions, patches, patches, rigor::square(Ball(h_p)), Ball(1))(0, 1));
  };
  p.reference = [factor](double) { return factor * exp(Ball(-2)); };
  p.resolution = 1e-6;
  return sequence(std::move(p));
}

/// 0 <= K_NLM - K_BF <= factor K_NLM D^2 / h_p^2, for two positions at a distance D.
Check how_fast(double factor) {
  return generic_inequality(
      {{"D", 1, 0.05, 1}, {"h_p", 1, 1, 10}, {"distance of patches", 1, 0, 2}}, Relation::less_equal,
      [factor](const Inputs& in, auto zero) {
        using Real = decltype(zero);
        const Real x = Real(in.scalar("D")) / Real(in.scalar("h_p"));
        const Real content(in.scalar("distance of patches"));
        const Real nonlocal = exp(Real(0) - content * content);
        // The difference cancels to eleven digits at the least x, 0.005, where the slack is x^2 / 2 of it.
        return Pair<Real>{{nonlocal - nonlocal * exp(Real(0) - x * x)}, {Real(factor) * nonlocal * x * x}};
      },
      {.evaluations = 4000});
}

}  // namespace

Claims nonlocal_means() {
  Claims claims;
  claims.push_back(
      {{.id = "boosting/eq-2.14",
        .label = "Eq 2.14 (h_p -> infinity)",
        .title = "The bilateral kernel becomes that of nonlocal means",
        .kind = Kind::limit,
        .tex =
            R"(\lim_{h_p\to\infty}K_{BF}(\mathbf p_i,\mathbf p_j,\mathbf y_i,\mathbf y_j) = K_{NLM}(\mathbf p_i,\mathbf p_j,\mathbf y_i,\mathbf y_j))",
        .assumptions = {"positions and patches fixed"},
        .expected = Verdict::supported},
       forgets_positions(1),
       {{"a limit one tenth of a percent lower", 0.001, forgets_positions(0.999)}}});
  claims.push_back({{.id = "boosting/eq-2.14-rate",
                     .label = "Eq 2.14 (h_p -> infinity) (how fast)",
                     .title = "How far the bilateral kernel is from nonlocal means",
                     .kind = Kind::universal_inequality,
                     .tex = R"(K_{NLM} - K_{BF} \le \frac{\|\mathbf p_i-\mathbf p_j\|^2}{h_p^2}\,K_{NLM})",
                     .assumptions = {"any positions and patches"},
                     .expected = Verdict::supported,
                     .printed = false,
                     .amends = "boosting/eq-2.14",
                     .note = "Sharp to first order. So the limit is uniform over an image of bounded extent, and not "
                             "over an unbounded one, where K_BF -> 0 at any h_p."},
                    how_fast(1),
                    {{"one percent less", 0.01, how_fast(0.99)}}});
  return claims;
}

}  // namespace attest::boosting
