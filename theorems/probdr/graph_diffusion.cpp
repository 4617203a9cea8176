// Sections 4.2, 4.3 and 5, footnote 4, and what Sections 1 to 3 take from elsewhere.
#include "theorems/engine/protocols/awaiting.hpp"
#include "theorems/engine/protocols/certification.hpp"
#include "theorems/mechanisms/on_matrices.hpp"
#include "theorems/probdr/dual_number.hpp"
#include "theorems/probdr/unrolled_block.hpp"

namespace attest::probdr {
namespace {

using namespace engine;
using rigor::Ball;

enum class Sums { rows, columns };

/// A - I = -(D - A) for A = keep softmax(logits), D of row sums or column sums.
Check negative_laplacian(Sums sums, double keep) {
  constexpr std::size_t size = 8;
  return generic_identity(
      {{"logits", size * size, -3, 3}},
      [=](const Inputs& in, auto zero) {
        using Real = decltype(zero);
        const auto a = scale(Real(keep), softmax_rows(matrix<Real>(in, "logits", size, size)));
        const auto d = degrees(sums == Sums::rows ? a : transpose(a));
        const auto unit = scaled_identity(size, Real(1));
        // The mechanism with logits as queries over sqrt(d) and unit vectors as keys and values.
        const auto diffusion = mechanisms::graph_diffusion(
            scale(Real(sqrt(Real(static_cast<double>(size)))), matrix<Real>(in, "logits", size, size)), unit, unit);
        return Pair<Real>{add(diffusion, a, Real(Real(1) - Real(1) / Real(keep))).entries,
                          add(a, diagonal(d), Real(-1)).entries};
      },
      {.evaluations = 500, .scale = 1});
}

struct Gpt2 {
  int layers = 12;
  int width = 768;
  int context = 1024;
  bool positions = true;
};

/// Parameters of GPT-2 with a tied output layer: embeddings, and for each layer attention 4 w^2, feed-forward 8 w^2,
/// two norms 2 w, and 4 w + 5 w + 2 w biases.
Ball parameters(const Gpt2& m, const Inputs& in) {
  const Ball w(m.width);
  const Ball bias(in.scalar("bias"));
  const Ball layer = 12 * w * w + 2 * w + bias * (4 * w + 5 * w + 2 * w);
  return Ball(in.scalar("vocabulary")) * w + (m.positions ? Ball(m.context) * w : Ball(0)) + m.layers * layer + w +
         bias * w;
}

/// The published vocabulary and nanoGPT's padded one, without and with biases.
Inputs variant(std::int64_t number) {
  return Inputs{{"vocabulary", {number % 2 == 0 ? 50304.0 : 50257.0}}, {"bias", {number < 2 ? 0.0 : 1.0}}};
}

/// |parameters - printed| <= printed/100 in all four variants.
Check about(double printed, Gpt2 model = {}) {
  EnumerationProblem p;
  p.domain = "vocabulary 50304 or 50257, without and with biases";
  p.cases = 4;
  p.relation = Relation::less_equal;
  p.case_inputs = variant;
  p.ball_sides = [=](const Inputs& in) -> BallSides {
    return {rigor::abs(parameters(model, in) - Ball(printed)), Ball(printed) / 100};
  };
  return enumerate(std::move(p));
}

/// parameters = 124,373,760 (nanoGPT: padded vocabulary, no biases) and 124,439,808 (published: with biases).
Check exact_count(Gpt2 model) {
  EnumerationProblem p;
  p.domain = "nanoGPT's configuration and the published one";
  p.cases = 2;
  p.relation = Relation::equal;
  p.case_inputs = [](std::int64_t number) { return variant(3 * number); };
  p.ball_sides = [=](const Inputs& in) -> BallSides {
    return {parameters(model, in), in.scalar("bias") == 0 ? Ball(124373760) : Ball(124439808)};
  };
  return enumerate(std::move(p));
}

/// The gradient of sum_ij 1/(1 + |x_i - x_j|^2) against -4 factor (D_w - W) X, w_ij = (1 + |x_i - x_j|^2)^-power.
Check kernelised_gradient(double factor, int power) {
  return generic_identity({{"X", 6, -2, 2}},
                          [=](const Inputs& in, auto zero) {
                            using Real = decltype(zero);
                            const auto x = matrix<Real>(in, "X", 3, 2);
                            const auto closeness = [](const auto& at, std::size_t i, std::size_t j) {
                              auto total = at(i, 0) - at(i, 0) + 1;
                              for (std::size_t k = 0; k < 2; ++k)
                                total += (at(i, k) - at(j, k)) * (at(i, k) - at(j, k));
                              return total;
                            };
                            const auto lhs = gradient(x, [&](const Matrix<Dual<Real>>& at) {
                              Dual<Real> total(0);
                              for (std::size_t i = 0; i < 3; ++i)
                                for (std::size_t j = 0; j < 3; ++j) total += Dual<Real>(1) / closeness(at, i, j);
                              return total;
                            });
                            Matrix<Real> w(3, 3);
                            for (std::size_t i = 0; i < 3; ++i)
                              for (std::size_t j = 0; j < 3; ++j) {
                                w(i, j) = Real(1) / closeness(x, i, j);
                                if (power == 2) w(i, j) *= w(i, j);
                              }
                            return Pair<Real>{lhs.entries, scale(Real(4 * factor), diffusion(w, x)).entries};
                          },
                          {.evaluations = 500, .scale = 1});
}

/// The posterior mean under a mixture of two lines through 0 in the plane, an angle apart, f(y) = sum_k w_k(y) u_k
/// u_k'y with w_k in proportion to exp(gamma (u_k'y)^2/2): f(2 y) = 2 factor f(y). `apart` scales the angle.
Check mixture_is_linear(double apart, double factor) {
  return generic_identity(
      {{"angle", 1, 0.2, 1.5}, {"y", 2, -1, 1}, {"gamma", 1, 0.5, 4}},
      [=](const Inputs& in, auto zero) {
        using Real = decltype(zero);
        const auto posterior_mean = [&](const Real& stretch) {
          const auto y = scale(stretch, matrix<Real>(in, "y", 1, 2));
          Matrix<Real> total(1, 2);
          Real weights(0);
          for (int k = 0; k < 2; ++k) {
            const Real angle = Real(apart * k) * Real(in.scalar("angle"));
            const Real c = cos(angle);
            const Real s = sin(angle);
            const Real score = c * y(0, 0) + s * y(0, 1);
            const Real weight = exp(Real(in.scalar("gamma")) * score * score / Real(2));
            weights += weight;
            total(0, 0) += weight * score * c;
            total(0, 1) += weight * score * s;
          }
          return scale(Real(Real(1) / weights), total);
        };
        return Pair<Real>{posterior_mean(Real(2)).entries, scale(Real(2 * factor), posterior_mean(Real(1))).entries};
      },
      {.evaluations = 500, .scale = 1});
}

}  // namespace

Claims graph_diffusion() {
  Claims claims;
  claims.push_back(
      {{.id = "probdr/negative-laplacian",
        .label = "Sec 4.2 A - I is the negative graph Laplacian",
        .title = "A - I is the negative graph Laplacian of the attention matrix",
        .kind = Kind::identity,
        .tex = R"(\mathbf A-\mathbf I=-(\mathbf D-\mathbf A),\qquad D_{ii}=\sum_kA_{ik})",
        .assumptions = {"A = softmax of any logits, row by row: eight tokens, logits up to 3"},
        .expected = Verdict::supported,
        .note = "By row sums, as in the paper's footnote 1; A is not symmetric, so this is the Laplacian of a directed "
                "graph. With dropout on the attention weights the row sums are not one and it fails.",
        .depends_on = {"probdr/softmax-laplacian-symmetric"}},
       negative_laplacian(Sums::rows, 1),
       {{"column sums", 1, negative_laplacian(Sums::columns, 1)},
        {"a thousandth of the weights dropped", 0.001, negative_laplacian(Sums::rows, 0.999)}}});
  claims.push_back(
      {{.id = "probdr/diffusion-improves",
        .label = "Sec 4.2/4.3/5 A-I improves validation performance (Shakespeare, ImageNet16, GPT-2)",
        .title = "A - I in place of A gives consistent gains",
        .kind = Kind::figure,
        .tex = R"(\text{validation loss}(\mathbf A-\mathbf I)<\text{validation loss}(\mathbf A))",
        .assumptions = {"nanoGPT on Shakespeare, a small vision transformer on 16 x 16 ImageNet, GPT-2 on OpenWebText"},
        .expected = Verdict::undecided,
        .note =
            "Figures 2 and 3 only: no table, no number of runs, no interval; of GPT-2 there is one pair of runs, and "
            "its training loss.",
        .depends_on = {"probdr/only-difference"}},
       awaits("paired training runs of softmax attention and of graph diffusion (A - I) from common seeds, at least "
              "five, on Shakespeare and an image task",
              "it takes trained models, and the paper prints no number to recompute"),
       {}});
  claims.push_back({{.id = "probdr/gpt2-parameters",
                     .label = "Sec 4.3 GPT-2 has about 125M parameters",
                     .title = "GPT-2 has about 125 million parameters",
                     .kind = Kind::cost_model,
                     .tex = R"(|N-125\cdot10^6|\le1.25\cdot10^6)",
                     .assumptions = {"12 layers, width 768, context 1024, output layer tied to the embedding",
                                     "'about' read as within one percent"},
                     .expected = Verdict::certified},
                    about(125e6),
                    {{"about 126 million", 0.008, about(126e6)}, {"13 layers", 0.06, about(125e6, {.layers = 13})}}});
  claims.push_back({{.id = "probdr/gpt2-parameters-exact",
                     .label = "Sec 4.3 GPT-2 has about 125M parameters (exactly)",
                     .title = "124,373,760 in nanoGPT, 124,439,808 as published: rounded, 124 million",
                     .kind = Kind::cost_model,
                     .tex = R"(N=50304\cdot768+1024\cdot768+12(12\cdot768^2+2\cdot768)+768=124\,373\,760)",
                     .assumptions = {"nanoGPT: vocabulary 50304, no biases; published: 50257, biases"},
                     .expected = Verdict::certified,
                     .printed = false,
                     .amends = "probdr/gpt2-parameters"},
                    exact_count({}),
                    {{"positions not counted", 0.0063, exact_count({.positions = false})}}});
  claims.push_back(
      {{.id = "probdr/kernelised-regulariser",
        .label = "Footnote 4: kernelised regulariser gives a graph-diffusion-type update",
        .title = "The gradient of the kernelised regulariser is a graph Laplacian times X",
        .kind = Kind::identity,
        .tex =
            R"(\frac{d}{d\mathbf X}\sum_{ij}\frac1{1+|\mathbf x_i-\mathbf x_j|^2}=-4(\mathbf D_w-\mathbf W)\mathbf X,\quad w_{ij}=\frac1{(1+|\mathbf x_i-\mathbf x_j|^2)^2})",
        .assumptions = {"the sum runs over ordered pairs; three points in the plane"},
        .expected = Verdict::supported,
        .note = "With the sign of a repulsion: minimising adds +4 eta (D_w - W) X, diffusion backwards in time."},
       kernelised_gradient(1, 2),
       {{"one percent more", 0.01, kernelised_gradient(1.01, 2)},
        {"weights to the first power", 1, kernelised_gradient(1, 1)}}});
  claims.push_back(
      {{.id = "probdr/mixture-is-linear",
        .label = "Sec 2 Yu et al. (2023): blocks as unrolled optimisation; mixture of PCAs hence 'linear'",
        .title = "Inference in a mixture of principal component analysers is linear dimensionality reduction",
        .kind = Kind::implication,
        .tex =
            R"(f(2\mathbf y)=2f(\mathbf y),\qquad f(\mathbf y)=\mathbb E[\text{signal}\mid\mathbf y]=\sum_kw_k(\mathbf y)\,\mathbf u_k\mathbf u_k^\top\mathbf y)",
        .assumptions = {"two lines through 0 in the plane, equal priors: w_k in proportion to exp(gamma (u_k'y)^2/2)"},
        .expected = Verdict::refuted,
        .finding = Finding::imprecise,
        .note = "Each component is linear, their mixture is not: the weights depend on y. 'Linear' is glossed as "
                "'non-kernelised', which is true and weaker. What Yu et al. showed is a citation and not judged."},
       mixture_is_linear(1, 1),
       {{"lines a hundredth as far apart", 0.01, mixture_is_linear(0.01, 1)}},
       {{"one line", 1, mixture_is_linear(0, 1)}}});
  claims.push_back({{.id = "probdr/one-component-is-linear",
                     .label = "Sec 2 Yu et al. (2023): blocks as unrolled optimisation; mixture of PCAs hence 'linear' "
                              "(one component)",
                     .title = "With one component it is linear",
                     .kind = Kind::implication,
                     .tex = R"(\mathbf u_1=\mathbf u_2\ \Rightarrow\ f(2\mathbf y)=2f(\mathbf y))",
                     .assumptions = {"the lines of the mixture agree"},
                     .expected = Verdict::supported,
                     .printed = false,
                     .amends = "probdr/mixture-is-linear"},
                    mixture_is_linear(0, 1),
                    {{"one percent more", 0.01, mixture_is_linear(0, 1.01)},
                     {"lines a hundredth as far apart as in the printed check", 0.01, mixture_is_linear(0.01, 1)}}});
  claims.push_back(
      {{.id = "probdr/learn-to-learn",
        .label = "Sec 3 'transformers learn to learn' / future work on kernelised models",
        .title = "Weights encode learnt step sizes; kernelised models may help at low width",
        .kind = Kind::figure,
        .tex = R"(\eta=|\mathbf W|^{1/d_q}\ \text{after training};\ \text{kernelised models at low } d_q)",
        .assumptions = {"posited, and announced as future work: the paper tests neither"},
        .expected = Verdict::undecided,
        .depends_on = {"probdr/step-size-determinant", "probdr/residual-rotation", "probdr/kernelised-regulariser"}},
       awaits("the singular values of trained feed-forward and value weights (how far each is from a multiple of a "
              "rotation), and paired training runs with a kernelised regulariser at small d_q",
              "it is a statement about trained weights and about a model that the paper does not build"),
       {}});
  return claims;
}

}  // namespace attest::probdr
