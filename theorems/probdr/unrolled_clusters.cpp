// Section 4.1: what many untrained blocks do to the latents.
#include "theorems/engine/protocols/awaiting.hpp"
#include "theorems/engine/protocols/sequence.hpp"
#include "theorems/probdr/unrolled_block.hpp"
#include "theorems/probdr/wishart.hpp"

namespace attest::probdr {
namespace {

using namespace engine;
using rigor::Ball;

/// `blocks` blocks P(X + 2 eta (A~ - I) X); the regulariser's half is the identity.
template <class Real>
Matrix<Real> unrolled(Matrix<Real> x, const Real& kappa, const Real& eta, int blocks) {
  for (int k = 0; k < blocks; ++k) x = on_sphere(data_step(adjacency(x, kappa), x, eta));
  return x;
}

/// sum of |x_i - x_j|^2 over the pairs of one cluster, clusters being consecutive tokens, `size` each.
Ball spread(const Matrix<Ball>& x, std::size_t size) {
  Ball total;
  for (std::size_t i = 0; i < x.rows; ++i)
    for (std::size_t j = i + 1; j < x.rows && j / size == i / size; ++j)
      for (std::size_t k = 0; k < x.cols; ++k) total += rigor::square(x(i, k) - x(j, k));
  return total;
}

/// Bits for the unrolled blocks: an enclosure loses a few at each.
constexpr std::int64_t block_precision = 512;

struct Tokens {
  std::vector<double> angles;
  double kappa;
  std::size_t cluster;  ///< tokens a cluster
};

Ball spread_after(const Tokens& tokens, int blocks) {
  const rigor::PrecisionScope scope(block_precision);
  const Inputs in{{"angles", tokens.angles}};
  return spread(
      unrolled(rows_on_circle<Ball>(in, tokens.angles.size()), Ball(tokens.kappa), Ball::from_decimal("0.4"), blocks),
      tokens.cluster);
}

/// The spread tends to `limit` as the blocks grow in number.
Check collapses(Tokens tokens, double limit) {
  SequenceProblem p;
  p.claim = Asymptotics::limit;
  p.n = geometric_grid(2, 2, 5);
  p.inputs = Inputs{{"angles", tokens.angles}, {"kappa", {tokens.kappa}}, {"eta", {0.4}}};
  p.value = [tokens](double n) { return spread_after(tokens, static_cast<int>(n)); };
  p.reference = [limit](double) { return Ball(limit); };
  return sequence(std::move(p));
}

const Tokens two_clusters{{0, 0.15, 0.35, 1.8, 1.95, 2.2}, 30, 3};
const Tokens one_arc{{0, 0.15, 0.35, 1.8, 1.95, 2.2}, 2, 6};
const Tokens one_cluster{{0, 0.05, 0.12}, 30, 3};

/// The root of the spread shrinks by factor (1 - 2 eta) a block.
Check contraction(double factor) {
  SequenceProblem p;
  p.claim = Asymptotics::limit;
  p.n = geometric_grid(1, 2, 5);
  p.inputs = Inputs{{"angles", one_cluster.angles}, {"kappa", {one_cluster.kappa}}, {"eta", {0.4}}};
  p.value = [](double n) {
    const int blocks = static_cast<int>(n);
    return rigor::sqrt(spread_after(one_cluster, blocks + 1) / spread_after(one_cluster, blocks));
  };
  p.reference = [factor](double) { return factor * Ball::from_rational(1, 5); };
  p.resolution = 0.0005;
  return sequence(std::move(p));
}

/// The share of |X|^2 in the span of the eigenvectors of the path of four tokens to its two least non-zero eigenvalues.
template <class Real>
Real share_of_eigenmap(const Matrix<Real>& x) {
  Real share(0);
  for (int m = 1; m <= 2; ++m)
    for (std::size_t k = 0; k < x.cols; ++k) {
      Real product(0);
      for (std::size_t i = 0; i < 4; ++i)
        product += cos(Real(m) * pi_as(x(0, 0)) * (Real(static_cast<double>(i)) + Real(0.5)) / Real(4)) * x(i, k);
      share += product * product / Real(2);
    }
  return share / Real(4);
}

template <class Real>
Matrix<Real> arc(const Real& spacing) {
  Matrix<Real> x(4, 2);
  for (std::size_t i = 0; i < 4; ++i) {
    const Real angle = spacing * Real(static_cast<double>(i) - 1.5);
    x(i, 0) = cos(angle);
    x(i, 1) = sin(angle);
  }
  return x;
}

/// After eight blocks the share is at least `kept` times that before.
Check approaches_eigenmap(double kept) {
  return generic_inequality({{"spacing", 1, 0.2, 0.7}, {"kappa", 1, 1, 6}, {"eta", 1, 0.1, 0.4}},
                            Relation::greater_equal,
                            [=](const Inputs& in, auto zero) {
                              using Real = decltype(zero);
                              const auto x = arc(Real(in.scalar("spacing")));
                              const auto y = unrolled(x, Real(in.scalar("kappa")), Real(in.scalar("eta")), 8);
                              return Pair<Real>{{share_of_eigenmap(y)}, {Real(kept) * share_of_eigenmap(x)}};
                            },
                            {.evaluations = 300, .corners = {{0.5, 2, 0.4}}});
}

Check leaves_eigenmap(double limit) {
  SequenceProblem p;
  p.claim = Asymptotics::limit;
  p.n = geometric_grid(2, 2, 5);
  p.inputs = Inputs{{"spacing", {0.5}}, {"kappa", {2}}, {"eta", {0.4}}};
  p.value = [](double n) {
    const rigor::PrecisionScope scope(block_precision);
    return share_of_eigenmap(unrolled(arc(Ball(0.5)), Ball(2), Ball::from_decimal("0.4"), static_cast<int>(n)));
  };
  p.reference = [limit](double) { return Ball(limit); };
  return sequence(std::move(p));
}

enum class Attention { moving, frozen };

/// T(X + Y) = T(X) + factor T(Y) for the data step T, its attention made of the argument or of another Z.
Check additive(Attention kind, double factor, double largest_kappa = 3) {
  return generic_identity(
      {{"X", 4, -1, 1}, {"Y", 4, -1, 1}, {"Z", 4, -1, 1}, {"kappa", 1, 0.005, largest_kappa}},
      [=](const Inputs& in, auto zero) {
        using Real = decltype(zero);
        const auto step = [&](const Matrix<Real>& x) {
          const auto source = kind == Attention::moving ? x : matrix<Real>(in, "Z", 2, 2);
          return data_step(adjacency(source, Real(in.scalar("kappa"))), x, Real(0.4));
        };
        const auto x = matrix<Real>(in, "X", 2, 2);
        const auto y = matrix<Real>(in, "Y", 2, 2);
        return Pair<Real>{step(add(x, y, Real(1))).entries, add(step(x), step(y), Real(factor)).entries};
      },
      {.evaluations = 500, .scale = 1});
}

}  // namespace

Claims unrolled_clusters() {
  Claims claims;
  claims.push_back(
      {{.id = "probdr/blocks-collapse-clusters",
        .label = "Sec 4.1 more blocks make the latents collapse into extremely tight clusters",
        .title = "The spread within clusters tends to zero with the number of blocks",
        .kind = Kind::limit,
        .tex = R"(\sum_{\text{cluster}}|\mathbf x_i-\mathbf x_j|^2\to0\qquad(n_{\mathrm{blocks}}\to\infty))",
        .assumptions = {"kappa = 30, eta = 0.4, as in the experiment",
                        "two synthetic clusters of three tokens on the "
                        "circle, in place of images"},
        .expected = Verdict::supported,
        .note = "As the paper observed on MNIST. The sum of all similarities, which every block raises, is greatest at "
                "collapse.",
        .depends_on = {"probdr/block-raises-energy"}},
       collapses(two_clusters, 0),
       {{"spread 0.03 left", 0.03, collapses(two_clusters, 0.03)}}});
  claims.push_back(
      {{.id = "probdr/blocks-contraction",
        .label = "Sec 4.1 more blocks make the latents collapse into extremely tight clusters (how fast)",
        .title = "A cluster shrinks by the factor 1 - 2 eta a block",
        .kind = Kind::limit,
        .tex = R"(\frac{\mathrm{spread}_{k+1}}{\mathrm{spread}_k}\to1-2\eta)",
        .assumptions = {"one cluster, kappa = 30, eta = 0.4: three tokens on the circle"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "probdr/blocks-collapse-clusters",
        .note = "Where the rows nearly agree A~ averages them, and X + 2 eta (A~ - I) X keeps 1 - 2 eta of the "
                "deviations."},
       contraction(1),
       {{"one percent more", 0.01, contraction(1.01)}}});
  claims.push_back({{.id = "probdr/blocks-collapse-to-a-point",
                     .label = "Sec 4.1 more blocks make the latents collapse into extremely tight clusters (and then)",
                     .title = "The clusters are passing: in the end all tokens are one",
                     .kind = Kind::limit,
                     .tex = R"(\sum_{ij}|\mathbf x_i-\mathbf x_j|^2\to0\qquad(n_{\mathrm{blocks}}\to\infty))",
                     .assumptions = {"six tokens within a half circle", "kappa = 2, eta = 0.4"},
                     .expected = Verdict::supported,
                     .printed = false,
                     .amends = "probdr/blocks-collapse-clusters"},
                    collapses(one_arc, 0),
                    {{"spread 0.03 left", 0.03, collapses(one_arc, 0.03)}}});
  claims.push_back(
      {{.id = "probdr/blocks-cluster-classes",
        .label = "Sec 1/4.1 eight untrained blocks cluster the images by class",
        .title = "Eight untrained blocks cluster MNIST images by class",
        .kind = Kind::figure,
        .tex = R"(n_{\mathrm{blocks}}=8,\ \kappa=30,\ \eta=0.4,\ d_q=128:\ \text{clusters} = \text{classes})",
        .assumptions = {"flattened MNIST images, Gaussian random projection to 128 dimensions"},
        .expected = Verdict::undecided,
        .note = "The paper shows one scatter plot of two of 128 coordinates and no number. The blocks cluster what is "
                "close in the projection; whether that is a class is a matter of the images."},
       awaits("a measured purity of the clusters after eight blocks on MNIST or Fashion-MNIST, against that of k-means "
              "on the same projection",
              "classes are a property of the images, and no image enters a check"),
       {}});
  claims.push_back(
      {{.id = "probdr/blocks-reach-eigenmap",
        .label = "Sec 3/4.1 the blocks move X towards the Laplacian eigenmaps solution",
        .title = "Blocks move the latents towards the Laplacian eigenvectors",
        .kind = Kind::universal_inequality,
        .tex =
            R"(\frac{|\mathbf U_q^\top\mathbf X^{(8)}|^2}{|\mathbf X^{(8)}|^2}\ge\frac{|\mathbf U_q^\top\mathbf X^{(0)}|^2}{|\mathbf X^{(0)}|^2})",
        .assumptions = {"four tokens in a row on the circle: their nearest-neighbour graph is the path",
                        "U_q its eigenvectors to the two least non-zero eigenvalues", "eight blocks"},
        .expected = Verdict::refuted,
        .finding = Finding::imprecise,
        .note = "The step damps every eigenvector but the constant one, whose eigenvalue is zero, and nothing takes "
                "that out: the projection acts on rows, not on columns.",
        .depends_on = {"probdr/optimum-on-sphere", "probdr/block-is-gradient-descent"}},
       approaches_eigenmap(1),
       {{"one percent of the share kept", 0.99, approaches_eigenmap(0.01)}}});
  claims.push_back({{.id = "probdr/blocks-leave-eigenmap",
                     .label = "Sec 3/4.1 the blocks move X towards the Laplacian eigenmaps solution (what they do)",
                     .title = "With the number of blocks the latents become orthogonal to the Laplacian eigenmap",
                     .kind = Kind::limit,
                     .tex = R"(\frac{|\mathbf U_q^\top\mathbf X^{(k)}|^2}{|\mathbf X^{(k)}|^2}\to0)",
                     .assumptions = {"four tokens in a row on the circle, kappa = 2, eta = 0.4"},
                     .expected = Verdict::supported,
                     .printed = false,
                     .amends = "probdr/blocks-reach-eigenmap",
                     .note = "They tend to the constant vector, the eigenvector that Laplacian eigenmaps discards."},
                    leaves_eigenmap(0),
                    {{"a share of 0.03 left", 0.03, leaves_eigenmap(0.03)}}});
  claims.push_back(
      {{.id = "probdr/blocks-are-linear",
        .label = "Abstract 'at initialisation, transformers perform linear dimensionality reduction'",
        .title = "The map from data to latents is linear",
        .kind = Kind::identity,
        .tex =
            R"(T(\mathbf X+\mathbf Y)=T(\mathbf X)+T(\mathbf Y),\quad T(\mathbf X)=\mathbf X+2\eta(\tilde{\mathbf A}(\mathbf X)-\mathbf I)\mathbf X)",
        .assumptions = {"'linear' read of the map that the blocks compute",
                        "two rows in the plane, eta = 0.4, before LayerNorm"},
        .expected = Verdict::refuted,
        .finding = Finding::imprecise,
        .note = "The paper puts 'linear' in quotation marks and means the model's covariance X X', a linear kernel. In "
                "that sense it is the definition of the model; of the computed map it is false.",
        .depends_on = {"probdr/block-is-gradient-descent"}},
       additive(Attention::moving, 1),
       {{"kappa at most 0.01", 0.01, additive(Attention::moving, 1, 0.01)}},
       {{"attention frozen", 1, additive(Attention::frozen, 1)}}});
  claims.push_back(
      {{.id = "probdr/blocks-are-linear-frozen",
        .label = "Abstract 'at initialisation, transformers perform linear dimensionality reduction' (frozen)",
        .title = "With its attention frozen, a data step is linear",
        .kind = Kind::identity,
        .tex = R"(T_{\mathbf A}(\mathbf X+\mathbf Y)=T_{\mathbf A}(\mathbf X)+T_{\mathbf A}(\mathbf Y))",
        .assumptions = {"A~ made of latents other than X and Y", "two rows in the plane, eta = 0.4, no LayerNorm"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "probdr/blocks-are-linear"},
       additive(Attention::frozen, 1),
       {{"one percent more", 0.01, additive(Attention::frozen, 1.01)},
        {"attention not frozen", 1, additive(Attention::moving, 1)}}});
  return claims;
}

}  // namespace attest::probdr
