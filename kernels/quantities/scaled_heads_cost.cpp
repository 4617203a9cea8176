// What scaled heads save of a transformer layer's operations and memory.
#include <cmath>

#include "kernels/attention/cost/architecture.hpp"
#include "kernels/quantity/quantity.hpp"

namespace attest::quantities {
namespace {

struct Layer {
  std::int64_t tokens, width, hidden;
  double visible;
  bool keeps_weights;

  attention::Cost cost(std::int64_t factor) const {
    const attention::AttentionLayer heads{.tokens = tokens,
                                          .width = width,
                                          .heads = 2,
                                          .head_dim = width / 2,
                                          .factors = {1, factor},
                                          .keeps_weights = keeps_weights};
    const auto one_head = [this](const attention::CostShape& shape) {
      const double pairs = attention::computed_pairs(shape);
      return visible < 1 ? attention::sparse_cost(shape, visible * pairs) : attention::attend_cost(shape);
    };
    return attention::attention_layer_cost(heads, one_head) + attention::feed_forward_cost(tokens, width, hidden);
  }
};

Outcomes outcomes(const Arguments& at) {
  const auto width = at.integer("D");
  const Layer layer{at.integer("N"), width, static_cast<std::int64_t>(std::llround(at.real("f") * at.real("D"))),
                    at.real("visible"), at.word("weights") == "kept"};
  const attention::Cost plain = layer.cost(1), scaled = layer.cost(at.integer("s"));
  const double dropped = (1 - 1 / at.real("s")) / 2, seen = at.real("visible") * at.real("N");
  const double law = dropped * (seen + at.real("D")) / (seen + (2 + at.real("f")) * at.real("D"));
  const double training = (scaled.forward_flops + scaled.backward_flops) / (plain.forward_flops + plain.backward_flops);
  return {{"inference_flops", Outcome::exact(scaled.forward_flops / plain.forward_flops)},
          {"training_flops", Outcome::exact(training)},
          {"inference_memory", Outcome::exact(scaled.forward_bytes / plain.forward_bytes)},
          {"training_memory", Outcome::exact(scaled.backward_bytes / plain.backward_bytes)},
          {"law", Outcome::exact(1 - law)}};
}

}  // namespace

namespace definitions {

Quantity scaled_heads_cost() {
  Quantity q;
  q.name = "scaled_heads_cost";
  q.title = "Cost of a layer with scaled heads against softmax attention";
  q.formula = R"(\frac{\mathrm{cost}(\text{factors } 1, s)}{\mathrm{cost}(\text{factors } 1, 1)})";
  q.source = "A Primal-Dual Framework for Transformers and Neural Networks, Section 4 and Figures 1 to 4";
  q.parameters = {
      Parameter::integer("N", 4096, 2, 1'000'000, "tokens"),
      Parameter::integer("D", 64, 2, 65536, "width of the model, in two heads"),
      Parameter::real("f", 2, 0.5, 16, "width of the feed-forward network over D"),
      Parameter::integer("s", 2, 1, 64, "factor by which the second head's keys and values are pooled"),
      Parameter::real("visible", 1, 1e-3, 1, "part of the keys that a query sees; below 1 the attention is sparse"),
      Parameter::word("weights", "kept", {"kept", "streamed"},
                      "whether the attention weights are held in memory, as eager frameworks do"),
  };
  q.results = {
      {"inference_flops", "what is left of the operations of a forward pass"},
      {"training_flops", "what is left of the operations of a forward and a backward pass"},
      {"inference_memory", "what is left of the peak memory of a forward pass"},
      {"training_memory", "what is left of the peak memory of a forward and a backward pass"},
      {"law", "1 - (1 - m)(N + D)/(N + (2 + f) D), m = (1 + 1/s)/2, of multiply-adds alone", Role::reference},
  };
  q.evaluate = [](const Arguments& at, const Execution&) { return outcomes(at); };
  return q;
}

}  // namespace definitions
}  // namespace attest::quantities
