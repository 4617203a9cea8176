#include "theorems/trained_models.hpp"

#include <fmt/format.h>

namespace attest::engine {
namespace {

TrainedSide softmax(const std::string& metric) { return {"softmax", "standard", metric}; }

/// A question about DeiT-tiny: 12 layers, 3 heads, width 192.
TrainedQuestion about_deit_tiny(const char* claim, std::string name, TrainedSide a, TrainedSide b, Relation relation,
                                std::vector<std::string> data_sets) {
  return {claim, std::move(name), std::move(a), std::move(b), relation, std::move(data_sets), 12, 192, 3, 5};
}

/// A question about the models of the table of skills: 2 layers, 2 heads, width 16; "a has the smaller error".
TrainedQuestion about_skill(const char* claim, const std::string& skill, TrainedSide a) {
  const std::string metric = a.metric;
  return {claim, skill, std::move(a), softmax(metric), Relation::less, {skill + "-generated"}, 2, 16, 2, 5};
}

/// A question about eight untrained blocks of width 128 (attest measure --blocks): "lower than of the projection
/// alone".
TrainedQuestion about_blocks(const char* claim, const std::string& attention, const std::string& metric,
                             const std::string& data_set) {
  return {claim,
          fmt::format("{}, {}", attention, metric),
          {attention, "standard", metric},
          {"none", "standard", metric},
          Relation::less,
          {data_set},
          8,
          128,
          1,
          5};
}

std::string cosine_behind(int layer) { return fmt::format("token_cosine_layer_{}", layer); }

}  // namespace

const std::vector<TrainedQuestion>& trained_questions() {
  static const std::vector<TrainedQuestion> questions = [] {
    // "Consistent gains": of nanoGPT (6 layers, 6 heads, width 384) on text, and on ImageNet at 16 x 16.
    std::vector<TrainedQuestion> all;
    const TrainedSide diffusion{"graph-diffusion", "standard", "validation_loss"};
    all.push_back({.claim = "probdr/diffusion-improves",
                   .name = "Shakespeare",
                   .a = diffusion,
                   .b = softmax("validation_loss"),
                   .relation = Relation::less,
                   .data_sets = {"shakespeare"},
                   .layers = 6,
                   .width = 384,
                   .heads = 6});
    all.push_back({.claim = "probdr/diffusion-improves",
                   .name = "images",
                   .a = diffusion,
                   .b = softmax("validation_loss"),
                   .relation = Relation::less,
                   .data_sets = {"imagenet"}});
    for (const auto& [claim, data] : {std::pair{"probdr/diffusion-improves-tiny-text", "shakespeare"},
                                      {"probdr/diffusion-improves-tiny-images", "fashion-mnist"}})
      all.push_back({.claim = claim,
                     .name = data,
                     .a = diffusion,
                     .b = softmax("validation_loss"),
                     .relation = Relation::less,
                     .data_sets = {data},
                     .layers = 2,
                     .width = 32,
                     .heads = 2});
    for (const char* attention : {"softmax", "graph-diffusion"}) {
      all.push_back(about_blocks("probdr/blocks-cluster-classes", attention, "nearest_distance", "mnist"));
      all.push_back(about_blocks("probdr/blocks-part-from-classes", attention, "same_class", "mnist"));
      all.push_back(about_blocks("probdr/blocks-less-pure", attention, "purity", "fashion-mnist"));
    }
    all.push_back(about_skill("twicing/denoising-tiny", "denoising", {"twicing", "standard", "test_rmse"}));
    all.push_back(about_skill("boosting/recovery-tiny", "recovery", {"softmax", "boosting", "test_rmse"}));
    all.push_back(about_deit_tiny("boosting/fig-6", "tokens become alike with residual connections",
                                  softmax(cosine_behind(12)), softmax(cosine_behind(1)), Relation::greater, {}));
    all.push_back(about_deit_tiny("boosting/fig-6", "less so with boosting", {"softmax", "boosting", cosine_behind(12)},
                                  softmax(cosine_behind(12)), Relation::less, {}));
    for (int layer = 1; layer <= 12; ++layer)
      all.push_back(about_deit_tiny("twicing/sec-5-diversity", fmt::format("layer {}", layer),
                                    {"twicing", "standard", cosine_behind(layer)}, softmax(cosine_behind(layer)),
                                    Relation::less, {"imagenet"}));
    return all;
  }();
  return questions;
}

}  // namespace attest::engine
