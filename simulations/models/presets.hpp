// Published model configurations by name.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simulations/models/model_spec.hpp"

namespace attest::models {

/// Names that preset_model knows.
std::vector<std::string> preset_names();

/// The model of that name, with standard attention and residuals in every layer; nothing for another name.
///
/// wikitext-small: decoder, 16 layers, 8 heads of 16, width 128, feedforward 2048, context 256, dropout 0.1
/// ("Revisiting Transformers with Insights from Image Filtering and Boosting", Section 5.1; "Transformer Meets
/// Twicing", Appendix B). deit-tiny: 12 layers, 3 heads of 64, width 192, feedforward 768, patches of 16, class token,
/// stochastic depth 0.1 (the same papers, after Touvron et al. 2021); deit-mini and deit-micro, no paper's, are smaller
/// ones for pictures of 28 pixels: 6 layers on patches of 4, 2 layers on patches of 7 with the mean of the tokens. lra:
/// encoder of the Long Range Arena, 2 layers, 2 heads of 32, width 64, feedforward 128, mean of the tokens (boosting
/// paper, Section 5.2); lra-pairs: the same on two texts. segmenter-tiny and segmenter-mini: deit-tiny and deit-mini
/// with a linear decoder of patches (Strudel et al. 2021). series: 2 layers, 8 heads
/// ("A Primal-Dual Framework for Transformers and Neural Networks", Appendix A.1), and what that paper takes over from
/// Zerveas et al. 2021: width 128, feedforward 256, dropout 0.1, all tokens side by side; with layer normalisation
/// before the sub-layers, as all models here have it, where theirs has batch normalisation after them. nanogpt-cpu: 4
/// layers, 4 heads, width 128, context 64; nanogpt: 6 layers, 6 heads, width 384, context 256, dropout 0.2 (Karpathy
/// 2022).
std::optional<ModelSpec> preset_model(std::string_view name);

}  // namespace attest::models
