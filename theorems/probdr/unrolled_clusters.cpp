// Section 4.1: what many untrained blocks X <- P(X + 2 eta (A~ - I) X) do to the latents, A~ = softmax(kappa X X') with
// or without a causal mask, P the division of every row by its length, eta = 0.4; the regulariser's half is the
// identity. Rows of zero mean in d_q dimensions are rows in d_q - 1 dimensions after a rotation: rows on the unit
// circle stand for d_q = 3.
#include "kernels/generic/small_matrix.hpp"
#include "theorems/engine/protocols/awaiting.hpp"
#include "theorems/engine/protocols/sequence.hpp"

namespace attest::probdr {
namespace {

using namespace engine;
using rigor::Ball;
using Rows = generic::Matrix<Ball>;

enum class Mask { none, causal };

Rows rows_on_circle(const std::vector<double>& angles) {
  Rows x(angles.size(), 2);
  for (std::size_t i = 0; i < x.rows; ++i) {
    x(i, 0) = rigor::cos(Ball(angles[i]));
    x(i, 1) = rigor::sin(Ball(angles[i]));
  }
  return x;
}

/// P(X + 2 eta (A~ - I) X).
Rows block(const Rows& x, double kappa, Mask mask) {
  const Ball twice_eta = Ball::from_decimal("0.8");
  const Rows gram = outer_gram(x);
  Rows y = x;
  for (std::size_t i = 0; i < x.rows; ++i) {
    const std::size_t seen = mask == Mask::causal ? i + 1 : x.rows;
    std::vector<Ball> weights;
    Ball total;
    for (std::size_t j = 0; j < seen; ++j) {
      weights.push_back(rigor::exp(Ball(kappa) * (gram(i, j) - 1)));
      total += weights[j];
    }
    Ball squares;
    for (std::size_t k = 0; k < x.cols; ++k) {
      // sum_j A_ij (x_j - x_i), without cancellation between A~ and I.
      for (std::size_t j = 0; j < seen; ++j) y(i, k) += twice_eta * weights[j] / total * (x(j, k) - x(i, k));
      squares += rigor::square(y(i, k));
    }
    for (std::size_t k = 0; k < x.cols; ++k) y(i, k) /= rigor::sqrt(squares);
  }
  return y;
}

/// Bits for the unrolled blocks: an enclosure loses a few at each.
constexpr std::int64_t block_precision = 512;

struct Tokens {
  std::vector<double> angles;
  double kappa;
  std::size_t cluster = 1;  ///< tokens a cluster: clusters are consecutive tokens
  Mask mask = Mask::none;
};

Rows unrolled(const Tokens& tokens, int blocks) {
  Rows x = rows_on_circle(tokens.angles);
  for (int k = 0; k < blocks; ++k) x = block(x, tokens.kappa, tokens.mask);
  return x;
}

/// sum of |x_i - x_j|^2 over the pairs of one cluster.
Ball spread_after(const Tokens& tokens, int blocks) {
  const rigor::PrecisionScope scope(block_precision);
  const Rows x = unrolled(tokens, blocks);
  Ball total;
  for (std::size_t i = 0; i < x.rows; ++i)
    for (std::size_t j = i + 1; j < x.rows && j / tokens.cluster == i / tokens.cluster; ++j)
      for (std::size_t k = 0; k < x.cols; ++k) total += rigor::square(x(i, k) - x(j, k));
  return total;
}

SequenceProblem over_blocks(const Tokens& tokens, std::vector<double> numbers) {
  SequenceProblem p;
  p.claim = Asymptotics::limit;
  p.n = std::move(numbers);
  p.inputs = Inputs{{"angles", tokens.angles}, {"kappa", {tokens.kappa}}, {"eta", {0.4}}};
  return p;
}

/// The spread tends to `limit` as the blocks grow in number.
Check collapses(const Tokens& tokens, double limit) {
  SequenceProblem p = over_blocks(tokens, geometric_grid(2, 2, 5));
  p.value = [tokens](double n) { return spread_after(tokens, static_cast<int>(n)); };
  p.reference = [limit](double) { return Ball(limit); };
  return sequence(std::move(p));
}

const Tokens two_clusters{{0, 0.15, 0.35, 1.8, 1.95, 2.2}, 30, 3};
const Tokens one_arc{{0, 0.15, 0.35, 1.8, 1.95, 2.2}, 2, 6};
const Tokens one_cluster{{0, 0.05, 0.12}, 30, 3};
const Tokens one_causal_cluster{{0, 0.05, 0.12}, 30, 3, Mask::causal};
const Tokens in_a_row{{-0.75, -0.25, 0.25, 0.75}, 2};

/// The root of the spread shrinks by `factor` times `fifths`/5 a block: 1 - 2 eta = 1/5, 1 - eta = 3/5.
Check contraction(const Tokens& tokens, int fifths, double factor) {
  const bool causal = tokens.mask == Mask::causal;
  SequenceProblem p = over_blocks(tokens, causal ? geometric_grid(4, 2, 5) : geometric_grid(1, 2, 5));
  p.value = [tokens](double n) {
    const int blocks = static_cast<int>(n);
    return rigor::sqrt(spread_after(tokens, blocks + 1) / spread_after(tokens, blocks));
  };
  p.reference = [=](double) { return factor * Ball::from_rational(fifths, 5); };
  p.resolution = causal ? 0.002 : 0.0005;
  return sequence(std::move(p));
}

/// The share of |X|^2 in the span of the eigenvectors of the path of four tokens to its two least non-zero eigenvalues.
Ball share_of_eigenmap(const Rows& x) {
  Ball share;
  for (int m = 1; m <= 2; ++m)
    for (std::size_t k = 0; k < x.cols; ++k) {
      Ball product;
      for (int i = 0; i < 4; ++i)
        product += rigor::cos(Ball(m * (2 * i + 1)) * Ball::pi() / 8) * x(static_cast<std::size_t>(i), k);
      share += rigor::square(product) / 2;
    }
  return share / 4;
}

Check leaves_eigenmap(double limit) {
  SequenceProblem p = over_blocks(in_a_row, geometric_grid(2, 2, 5));
  p.value = [](double n) {
    const rigor::PrecisionScope scope(block_precision);
    return share_of_eigenmap(unrolled(in_a_row, static_cast<int>(n)));
  };
  p.reference = [limit](double) { return Ball(limit); };
  return sequence(std::move(p));
}

// What is said of the claims on images.
const std::vector<std::string> images = {
    "flattened images, a thousand in each run, Gaussian random projection, d_q and weights as in Section 4.1",
    "with A and with A - I; the means of paired runs, whose differences are symmetric about their centre"};
constexpr const char* blocks = "runs of attest measure --blocks on MNIST and Fashion-MNIST";
constexpr const char* measured = "no image enters a check";

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
       contraction(one_cluster, 1, 1),
       {{"one percent more", 0.01, contraction(one_cluster, 1, 1.01)}}});
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
        .title = "Eight untrained blocks bring images closer to their nearest ones than to the others",
        .kind = Kind::figure,
        .tex =
            R"(\frac{\overline{\min_{j\ne i}|\mathbf x_i-\mathbf x_j|}}{\overline{|\mathbf x_i-\mathbf x_j|}}\Big|_{\text{8 blocks}}<\frac{\overline{\min_{j\ne i}|\mathbf x_i-\mathbf x_j|}}{\overline{|\mathbf x_i-\mathbf x_j|}}\Big|_{\text{projection}},\qquad\kappa=30,\ \eta=0.4,\ d_q=128)",
        .assumptions = images,
        .expected = Verdict::supported,
        .note =
            "'Transformer blocks cluster points in the latent space' (Figure 1, one scatter plot of two "
            "coordinates, no number). Section 1 says 'cluster tightly by class'. Clustering is judged here, classes "
            "at probdr/blocks-part-from-classes and probdr/blocks-less-pure."},
       awaits(blocks, measured),
       {}});
  claims.push_back(
      {{.id = "probdr/blocks-part-from-classes",
        .label = "Sec 1/4.1 eight untrained blocks cluster the images by class (nearest images)",
        .title = "After eight untrained blocks the nearest image is less often of the same class than before",
        .kind = Kind::figure,
        .tex =
            R"(\Pr[\text{nearest image of the same class}]\big|_{\text{8 blocks}}<\Pr[\text{nearest image of the same class}]\big|_{\text{projection}})",
        .assumptions = images,
        .expected = Verdict::supported,
        .printed = false,
        .amends = "probdr/blocks-cluster-classes",
        .note = "On MNIST and on Fashion-MNIST (simulations/results/clusters-mnist.json and "
                "simulations/results/clusters-fashion-mnist.json)."},
       awaits(blocks, measured),
       {}});
  claims.push_back(
      {{.id = "probdr/blocks-less-pure",
        .label = "Sec 1/4.1 eight untrained blocks cluster the images by class (purity)",
        .title = "On Fashion-MNIST ten clusters by k-means are less pure after eight untrained blocks than before",
        .kind = Kind::figure,
        .tex =
            R"(\text{purity of ten clusters}\big|_{\text{8 blocks}}<\text{purity of ten clusters}\big|_{\text{projection}})",
        .assumptions = images,
        .expected = Verdict::supported,
        .printed = false,
        .amends = "probdr/blocks-cluster-classes",
        .note = "k-means is run on the latents, with as many clusters as classes. On MNIST the mean purity rises "
                "slightly, and the intervals of the differences contain zero "
                "(simulations/results/clusters-mnist.json). There it does not speak against classes; nearest images "
                "do, at probdr/blocks-part-from-classes."},
       awaits(blocks, measured),
       {}});
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
      {{.id = "probdr/causal-contraction",
        .label = "Sec 4.1 more blocks make the latents collapse into extremely tight clusters (under a causal mask)",
        .title = "Under a causal mask a cluster shrinks by the factor 1 - eta a block, not 1 - 2 eta",
        .kind = Kind::limit,
        .tex = R"(\frac{\mathrm{spread}_{k+1}}{\mathrm{spread}_k}\to1-\eta)",
        .assumptions = {"one cluster, kappa = 30, eta = 0.4: three tokens on the circle"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "probdr/blocks-contraction",
        .note = "Where rows nearly agree, token k averages the first k: the deviations shrink by 1 - 2 eta (1 - 1/k), "
                "slowest for the second token."},
       contraction(one_causal_cluster, 3, 1),
       {{"one percent more", 0.01, contraction(one_causal_cluster, 3, 1.01)}}});
  return claims;
}

}  // namespace attest::probdr
