// Section 4.2: A - I as the library has it; Sections 3 to 5: what waits for trained models.
#include <tuple>

#include <fmt/format.h>

#include "theorems/engine/protocols/awaiting.hpp"
#include "theorems/engine/protocols/input_matrix.hpp"
#include "theorems/mechanisms/on_matrices.hpp"

namespace attest::probdr {
namespace {

using namespace engine;
using namespace generic;

enum class Sums { rows, columns };

/// A - I = -(D - A) for A = keep softmax(logits), D of row sums or column sums.
Check negative_laplacian(Sums sums, double keep) {
  constexpr std::size_t size = 8;
  return generic_identity(
      {{"logits", size * size, -3, 3}},
      [=](const Inputs& in, auto zero) {
        using Real = decltype(zero);
        const auto a = scale(Real(keep), softmax_rows(matrix<Real>(in, "logits", size, size)));
        std::vector<Real> d(size, Real(0));
        for (std::size_t i = 0; i < size; ++i)
          for (std::size_t j = 0; j < size; ++j) d[i] += sums == Sums::rows ? a(i, j) : a(j, i);
        const auto unit = scaled_identity(size, Real(1));
        // The mechanism with logits as queries over sqrt(d) and unit vectors as keys and values.
        const auto diffusion = mechanisms::graph_diffusion(
            scale(Real(sqrt(Real(static_cast<double>(size)))), matrix<Real>(in, "logits", size, size)), unit, unit);
        return Pair<Real>{add(diffusion, a, Real(Real(1) - Real(1) / Real(keep))).entries,
                          add(a, diagonal(d), Real(-1)).entries};
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
        .assumptions = {"nanoGPT on Shakespeare, a small vision transformer on 16 x 16 ImageNet"},
        .expected = Verdict::undecided,
        .note = "Figure 2 only: no table, no number of runs, no interval. Of GPT-2 the paper shows the training loss: "
                "probdr/diffusion-converges-faster.",
        .depends_on = {"probdr/only-difference"}},
       awaits("paired training runs of softmax attention and of graph diffusion (A - I) from common seeds, "
              "on Shakespeare and an image task",
              "it takes trained models, and the paper prints no number to recompute"),
       {}});
  claims.push_back(
      {{.id = "probdr/diffusion-converges-faster",
        .label = "Sec 4.3 GPT-2 converges faster with graph diffusion",
        .title = "GPT-2's training loss is lower with A - I than with A at every iteration before convergence",
        .kind = Kind::figure,
        .tex = R"(\text{training loss}_k(\mathbf A-\mathbf I)<\text{training loss}_k(\mathbf A))",
        .assumptions = {"GPT-2 on OpenWebText; k any iteration before convergence"},
        .expected = Verdict::undecided,
        .note = "The text: 'the graph diffusion run converges slightly faster' (Figure 3), of one pair of runs. The "
                "training loss is another quantity than the validation loss of probdr/diffusion-improves.",
        .depends_on = {"probdr/only-difference"}},
       awaits("paired training runs of GPT-2 on OpenWebText with A and with A - I from common seeds",
              "it takes trained models, and the paper prints no number to recompute"),
       {}});
  for (const auto& [id, data, file, verdict] :
       {std::tuple{"probdr/diffusion-improves-tiny-text", "Shakespeare", "diffusion-text", Verdict::refuted},
        {"probdr/diffusion-improves-tiny-images", "Fashion-MNIST", "diffusion-images", Verdict::supported}})
    claims.push_back(
        {{.id = id,
          .label = fmt::format("Sec 4.2/4.3/5 A-I improves validation performance (tiny models, {})", data),
          .title = fmt::format("A - I in place of A lowers the validation loss of tiny models on {}", data),
          .kind = Kind::figure,
          .tex = R"(\text{validation loss}(\mathbf A-\mathbf I)<\text{validation loss}(\mathbf A))",
          .assumptions = {fmt::format("2 layers, 2 heads and width 32, trained as "
                                      "simulations/experiments/quick/{}.toml says",
                                      file)},
          .expected = verdict,
          .printed = false,
          .depends_on = {"probdr/only-difference"}},
         awaits(fmt::format("paired training runs of simulations/experiments/quick/{}.toml", file),
                "it takes trained models"),
         {}});
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
