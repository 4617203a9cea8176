#include "theorems/papers.hpp"

#include <array>

namespace attest::engine {

std::span<const Paper> papers() {
  static constexpr std::array<Paper, 4> all = {{
      {"boosting", "Revisiting Transformers with Insights from Image Filtering and Boosting"},
      {"primal-dual", "A Primal-Dual Framework for Transformers and Neural Networks"},
      {"twicing", "Transformer Meets Twicing: Harnessing Unattended Residual Information"},
      {"probdr",
       "Transformers as Unrolled Inference in Probabilistic Laplacian Eigenmaps: An Interpretation and Potential "
       "Improvements"},
  }};
  return all;
}

}  // namespace attest::engine
