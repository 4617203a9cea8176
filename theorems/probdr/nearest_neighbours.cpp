// Section 3: the row-wise softmax as a soft nearest-neighbour adjacency, its mask, and the choice of kappa.
#include <algorithm>

#include "theorems/engine/protocols/certification.hpp"
#include "theorems/engine/protocols/sequence.hpp"
#include "theorems/probdr/circle_tokens.hpp"

namespace attest::probdr {
namespace {

using namespace engine;
using rigor::abs;
using rigor::Ball;
using std::abs;

/// exp(kappa cos(t_i - t_j) - M_ij) with the self-adjacency multiplied by `self` (e^-iota, 0 for iota infinite),
/// normalised by rows.
template <class Real>
Matrix<Real> adjacency(const Matrix<Real>& gram, const Real& kappa, const Real& self) {
  Matrix<Real> a(gram.rows, gram.cols);
  for (std::size_t i = 0; i < a.rows; ++i) {
    Real total(0);
    for (std::size_t j = 0; j < a.cols; ++j) {
      // Shifted by the largest possible logit: kappa may be large.
      a(i, j) = exp(kappa * (gram(i, j) - Real(1)));
      if (i == j) a(i, j) *= self;
      total += a(i, j);
    }
    for (std::size_t j = 0; j < a.cols; ++j) a(i, j) /= total;
  }
  return a;
}

Inputs four_points() { return {{"angles", {0, 0.5, 2, 3.25}}}; }

enum class Target { nearest, second_too, itself };

/// sum_ij |A_ij - T_ij| as kappa grows, T the adjacency of the nearest neighbour (of the two nearest, halved; of each
/// point itself), against `limit`.
Check sharpened(Target target, double self, double limit) {
  SequenceProblem p;
  p.claim = Asymptotics::limit;
  p.n = geometric_grid(1, 2, 10);
  p.inputs = four_points();
  p.value = [=](double kappa) {
    const auto gram = circle_gram<Ball>(four_points(), "angles", 4);
    const auto a = adjacency(gram, Ball(kappa), Ball(self));
    Ball distance = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      std::vector<std::size_t> order{0, 1, 2, 3};
      std::sort(order.begin(), order.end(),
                [&](std::size_t j, std::size_t k) { return gram(i, j).mid() > gram(i, k).mid(); });
      for (std::size_t rank = 0; rank < 4; ++rank) {
        Ball wanted = 0;
        if (target == Target::itself && rank == 0) wanted = 1;
        if (target == Target::nearest && rank == 1) wanted = 1;
        if (target == Target::second_too && (rank == 1 || rank == 2)) wanted = 0.5;
        distance += rigor::abs(a(i, order[rank]) - wanted);
      }
    }
    return distance;
  };
  p.reference = [=](double) { return Ball(limit); };
  p.resolution = 0.002;
  return sequence(std::move(p));
}

/// sum_k |A_ik - A_jk| <= factor kappa |x_i - x_j| for the first two of four points, of which the last two may stand
/// for many.
Check similar_rows(double factor) {
  return generic_inequality(
      {{"angles", 4, -3, 3}, {"kappa", 1, 0.01, 20}, {"log2 of copies", 2, 0, 20}}, Relation::less_equal,
      [=](const Inputs& in, auto zero) {
        using Real = decltype(zero);
        const Real kappa(in.scalar("kappa"));
        const auto gram = circle_gram<Real>(in, "angles", 4);
        const auto copies = values(in, "log2 of copies", 2);
        Matrix<Real> weights(2, 4);
        for (std::size_t i = 0; i < 2; ++i) {
          Real total(0);
          for (std::size_t k = 0; k < 4; ++k) {
            weights(i, k) = exp(kappa * gram(i, k));
            if (k >= 2) weights(i, k) *= exp(Real(copies[k - 2]) * log(Real(2)));
            total += weights(i, k);
          }
          for (std::size_t k = 0; k < 4; ++k) weights(i, k) /= total;
        }
        Real distance(0);
        for (std::size_t k = 0; k < 4; ++k) distance += abs(weights(0, k) - weights(1, k));
        // |x_i - x_j| = 2 |sin((t_i - t_j)/2)|, which does not cancel.
        const auto angles = values(in, "angles", 2 + 2);
        const Real chord = Real(2) * abs(sin((Real(angles[0]) - Real(angles[1])) / Real(2)));
        return Pair<Real>{{distance}, {Real(factor) * kappa * chord}, positive(Real(chord - Real(0.001)))};
      },
      {.evaluations = 3000,
       .corners = {{0.0078125, -0.0078125, 1.5707963267948966, -1.5707963267948966, 0.125, 20, 20}}});
}

/// The masked rows of two equal points and a third: sum_k |A_1k - A_2k| >= bound.
Check masked_twins(double bound) {
  return generic_inequality({{"angle", 1, -3, 3}, {"kappa", 1, 0, 20}}, Relation::greater_equal,
                            [=](const Inputs& in, auto zero) {
                              using Real = decltype(zero);
                              const Inputs angles{{"angles", {0, 0, in.scalar("angle")}}};
                              const auto a =
                                  adjacency(circle_gram<Real>(angles, "angles", 3), Real(in.scalar("kappa")), Real(0));
                              Real distance(0);
                              for (std::size_t k = 0; k < 3; ++k) distance += abs(a(0, k) - a(1, k));
                              return Pair<Real>{{distance}, {Real(bound)}};
                            },
                            {.corners = {{1, 0}}});
}

/// tr A at kappa = 4 as the mask iota grows, over the first `points` of the four points, against `limit`.
Check masked_diagonal(std::size_t points, double limit) {
  SequenceProblem p;
  p.claim = Asymptotics::limit;
  p.n = geometric_grid(1, 2, 9);
  p.value = [=](double iota) {
    const auto all = four_points()["angles"];
    const Inputs some{{"angles", {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(points)}}};
    return trace(adjacency(circle_gram<Ball>(some, "angles", points), Ball(4), exp(-Ball(iota))));
  };
  p.reference = [=](double) { return Ball(limit); };
  p.resolution = 0.002;
  return sequence(std::move(p));
}

/// A_11 <= factor/(1 + (n-1) e^(iota - 2 kappa)) for three points.
Check mask_strength(double factor) {
  return generic_inequality(
      {{"angles", 3, -3, 3}, {"kappa", 1, 0, 10}, {"iota", 1, 0, 20}}, Relation::less_equal,
      [=](const Inputs& in, auto zero) {
        using Real = decltype(zero);
        const Real kappa(in.scalar("kappa"));
        const Real iota(in.scalar("iota"));
        const auto a = adjacency(circle_gram<Real>(in, "angles", 3), kappa, Real(exp(-iota)));
        return Pair<Real>{{a(0, 0)}, {Real(factor) / (Real(1) + Real(2) * exp(iota - Real(2) * kappa))}};
      },
      {.evaluations = 1500, .corners = {{0, 3, 3, 0, 4}, {-1.5, 1.625, 1.625, 1, 4}}});
}

/// Three neighbours whose similarities fall by equal steps have weights proportional to 1, r, r^2, r = exp(-kappa
/// step): is there an r in [0, 1] whose largest distance from (1, 0, 0), or for two neighbours from (1/2, 1/2, 0), is
/// below `bound`?
Check nearest_within(int neighbours, double bound) {
  BoxProblem p;
  p.domain = "r = exp(-kappa step) in [0, 1], that is every kappa >= 0";
  p.coordinates = {"r"};
  p.lower = {0};
  p.upper = {1};
  p.margin = [=](std::span<const Ball> x) {
    const Ball& r = x[0];
    const Ball total = 1 + r + rigor::square(r);
    const Ball first = rigor::abs(1 / total - (neighbours == 1 ? 1.0 : 0.5));
    const Ball second = rigor::abs(r / total - (neighbours == 1 ? 0.0 : 0.5));
    return rigor::max(rigor::max(first, second), rigor::square(r) / total) - bound;
  };
  return exists_on_box(std::move(p));
}

}  // namespace

Claims nearest_neighbours() {
  Claims claims;
  claims.push_back(
      {{.id = "probdr/soft-neighbours",
        .label = "Sec 3 row-wise softmax is a proxy to the nearest-neighbour adjacency",
        .title = "As kappa grows the masked softmax becomes the adjacency of the nearest neighbour",
        .kind = Kind::limit,
        .tex =
            R"(\sum_{ij}\big|\sigma(\kappa XX^\top - \infty I)_{ij} - [j = \arg\max_{k\ne i}x_i^\top x_k]\big| \to 0 \quad (\kappa\to\infty))",
        .assumptions = {"self-adjacency masked", "every point has one nearest neighbour: four points on a circle",
                        "unit rows, so that the largest inner product is the nearest point"},
        .expected = Verdict::supported,
        .note = "One neighbour each, and rows sum to one: of a graph of k >= 2 neighbours, and of its symmetric "
                "adjacency, the softmax is no limit.",
        .depends_on = {"probdr/similar-rows", "probdr/random-projection"}},
       sharpened(Target::nearest, 0, 0),
       {{"off by 0.01", 0.01, sharpened(Target::nearest, 0, 0.01)},
        {"two nearest neighbours", 1, sharpened(Target::second_too, 0, 0)},
        {"mask dropped", 1, sharpened(Target::nearest, 1, 0)}}});
  claims.push_back(
      {{.id = "probdr/soft-neighbours-unmasked",
        .label = "Sec 3 row-wise softmax is a proxy to the nearest-neighbour adjacency (no mask)",
        .title = "Without a mask every point's nearest neighbour is itself, and L~ vanishes",
        .kind = Kind::limit,
        .tex =
            R"(\sum_{ij}|\sigma(\kappa XX^\top)_{ij} - \delta_{ij}| \to 0, \text{ that is } \tilde L \to 0 \quad (\kappa\to\infty))",
        .assumptions = {"unit rows, distinct: four points on a circle"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "probdr/soft-neighbours",
        .note = "The experiments of Section 4.1 use kappa = 30 and no mask is mentioned."},
       sharpened(Target::itself, 1, 0),
       {{"off by 0.01", 0.01, sharpened(Target::itself, 1, 0.01)}}});
  claims.push_back(
      {{.id = "probdr/similar-rows",
        .label = "Sec 3 similar points give similar softmax rows",
        .title = "Rows of the softmax differ by at most kappa times the distance of the points",
        .kind = Kind::universal_inequality,
        .tex = R"(\textstyle\sum_k|\tilde A_{ik}-\tilde A_{jk}| \le \kappa\,\|x_i-x_j\|)",
        .assumptions = {"unit rows: points on a circle, two of them repeated up to 2^20 times (any real number)",
                        "no mask"},
        .expected = Verdict::supported,
        .note = "The printed sentence has no constant. 1 is best possible: two points between two opposite crowds.",
        .depends_on = {"probdr/gram-estimate"}},
       similar_rows(1),
       {{"constant one percent smaller", 0.01, similar_rows(0.99)}}});
  claims.push_back(
      {{.id = "probdr/similar-rows-masked",
        .label = "Sec 3 similar points give similar softmax rows (with the mask)",
        .title = "With self-adjacency masked, even equal points have different rows",
        .kind = Kind::universal_inequality,
        .tex = R"(x_1 = x_2,\ n = 3,\ M = \infty I \ \Rightarrow\ \textstyle\sum_k|\tilde A_{1k}-\tilde A_{2k}| \ge 1)",
        .assumptions = {"three points on the circle, kappa from 0 to 20"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "probdr/similar-rows",
        .note = "Each of two equal points attends to the other and not to itself; as kappa grows the distance tends to "
                "2, the most that two rows can differ."},
       masked_twins(1),
       {{"one percent more", 0.01, masked_twins(1.01)}}});
  claims.push_back({{.id = "probdr/mask",
                     .label = "Sec 3 mask iota I, iota -> infinity, removes self-adjacency",
                     .title = "An infinite mask removes self-adjacency",
                     .kind = Kind::limit,
                     .tex = R"(\sigma(\kappa XX^\top - \iota I)_{ii} \to 0 \quad (\iota\to\infty))",
                     .assumptions = {"two points or more: here four on a circle, kappa = 4"},
                     .expected = Verdict::supported},
                    masked_diagonal(4, 0),
                    {{"off by 0.01", 0.01, masked_diagonal(4, 0.01)}, {"one point only", 1, masked_diagonal(1, 0)}}});
  claims.push_back({{.id = "probdr/mask-strength",
                     .label = "Sec 3 mask iota I, iota -> infinity, removes self-adjacency (how large)",
                     .title = "How large a mask must be: it works against 2 kappa",
                     .kind = Kind::universal_inequality,
                     .tex = R"(\sigma(\kappa XX^\top - \iota I)_{ii} \le \frac{1}{1+(n-1)e^{\iota-2\kappa}})",
                     .assumptions = {"unit rows: three points on a circle", "attained where all others are opposite"},
                     .expected = Verdict::supported,
                     .printed = false,
                     .amends = "probdr/mask"},
                    mask_strength(1),
                    {{"one percent less", 0.01, mask_strength(0.99)}}});
  claims.push_back(
      {{.id = "probdr/tuned-kappa",
        .label = "Sec 3 kappa can be tuned so that A~ is close to a reference kNN matrix",
        .title = "Some kappa brings the softmax within a thousandth of the adjacency of the nearest neighbour",
        .kind = Kind::existence,
        .tex = R"(\exists\kappa\ge0:\ \max_j\big|\tilde A_{ij} - [j \text{ nearest to } i]\big| < 0.001)",
        .assumptions = {"the reference of one neighbour each, 'close to' as within 0.001: the paper has neither number",
                        "a point with three neighbours whose similarities fall by equal steps, self-adjacency masked"},
        .expected = Verdict::certified,
        .note = "Any closeness is reached for one neighbour (probdr/soft-neighbours); not for two: "
                "probdr/tuned-kappa-best.",
        .depends_on = {"probdr/soft-neighbours"}},
       nearest_within(1, 0.001),
       {{"two neighbours, within 0.19", 1, nearest_within(2, 0.19)}}});
  claims.push_back(
      {{.id = "probdr/tuned-kappa-best",
        .label = "Sec 3 kappa can be tuned so that A~ is close to a reference kNN matrix (two neighbours)",
        .title = "For two neighbours the best kappa is off by less than 0.191, and by more than 0.1909",
        .kind = Kind::existence,
        .tex =
            R"(\min_{\kappa\ge0}\max_j\big|\tilde A_{ij} - \tfrac12[j \text{ among the two nearest of } i]\big| < 0.191)",
        .assumptions = {"a point with three neighbours whose similarities fall by equal steps, self-adjacency masked",
                        "the adjacency divided by k = 2, so that its rows sum to one"},
        .expected = Verdict::certified,
        .printed = false,
        .amends = "probdr/tuned-kappa",
        .note = "The minimum is (3 - sqrt 5)/4, at exp(-kappa step) = (sqrt 5 - 1)/2."},
       nearest_within(2, 0.191),
       {{"0.1909 in place of 0.191", 0.0005, nearest_within(2, 0.1909)}}});
  return claims;
}

}  // namespace attest::probdr
