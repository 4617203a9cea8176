#include "kernels/attention/cost/architecture.hpp"

#include <set>
#include <stdexcept>

#include <fmt/format.h>

namespace attest::attention {
namespace {

double number(std::int64_t n) { return static_cast<double>(n); }

}  // namespace

Cost linear_layer_cost(std::int64_t rows, std::int64_t in, std::int64_t out, bool bias, std::int64_t element_bytes) {
  const double outputs = number(rows) * number(out), macs = outputs * number(in), added = bias ? outputs : 0;
  Cost cost;
  cost.forward_macs = macs;
  cost.forward_flops = 2 * macs + added;
  cost.backward_macs = 2 * macs;
  cost.backward_flops = 4 * macs + added;
  cost.forward_bytes = outputs * number(element_bytes);
  cost.backward_bytes = 2 * cost.forward_bytes;
  return cost;
}

Cost attention_layer_cost(const AttentionLayer& l, const AttentionCost& attention) {
  if (!l.factors.empty() && static_cast<std::int64_t>(l.factors.size()) != l.heads)
    throw std::invalid_argument(
        fmt::format("attention_layer_cost: {} pooling factors for {} heads", l.factors.size(), l.heads));
  const std::int64_t rows = l.batch * l.tokens, inner = l.heads * l.head_dim;
  Cost cost = linear_layer_cost(rows, l.width, inner, l.projection_bias, l.element_bytes) +
              linear_layer_cost(rows, inner, l.width, l.output_bias, l.element_bytes);
  std::set<std::int64_t> pooled_by;
  for (std::int64_t head = 0; head < l.heads; ++head) {
    const std::int64_t factor = l.factors.empty() ? 1 : l.factors[static_cast<std::size_t>(head)];
    if (factor < 1)
      throw std::invalid_argument(fmt::format("attention_layer_cost: pooling factor {} is below 1", factor));
    const std::int64_t keys = (l.tokens + factor - 1) / factor;
    const Cost projection = linear_layer_cost(l.batch * keys, l.width, l.head_dim, l.projection_bias, l.element_bytes);
    cost += projection + projection;
    cost += attention({.batch = l.batch,
                       .heads = 1,
                       .queries = l.tokens,
                       .keys = keys,
                       .dim = l.head_dim,
                       .value_dim = l.head_dim,
                       .element_bytes = l.element_bytes,
                       .keeps_weights = l.keeps_weights,
                       .causal = l.causal});
    // The tokens, `width` wide, are pooled where keys and values would be.
    if (factor > 1 && pooled_by.insert(factor).second)
      cost += pool_cost({.batch = l.batch, .dim = l.width, .value_dim = 0, .element_bytes = l.element_bytes}, factor,
                        keys, l.tokens);
  }
  return cost;
}

Cost feed_forward_cost(std::int64_t rows, std::int64_t width, std::int64_t hidden, std::int64_t element_bytes) {
  Cost cost = linear_layer_cost(rows, width, hidden, true, element_bytes) +
              linear_layer_cost(rows, hidden, width, true, element_bytes);
  cost.forward_flops += number(rows) * number(hidden);
  cost.backward_flops += 2 * number(rows) * number(hidden);
  return cost;
}

Architecture deit_tiny() {
  return {.layers = 12,
          .tokens = 197,
          .width = 192,
          .heads = 3,
          .head_dim = 64,
          .hidden = 768,
          .patches = 196,
          .patch_inputs = Index{3} * 16 * 16,
          .class_token = true,
          .learned_positions = 197,
          .classes = 1000};
}

MacCount count_macs(const Architecture& a, const std::vector<AttentionCost>& attention) {
  if (attention.size() != 1 && static_cast<std::int64_t>(attention.size()) != a.layers)
    throw std::invalid_argument(fmt::format("count_macs: {} attention costs for {} layers; give one or one per layer",
                                            attention.size(), a.layers));
  const CostShape shape{.heads = a.heads,
                        .queries = a.tokens,
                        .keys = a.tokens,
                        .dim = a.head_dim,
                        .value_dim = a.head_dim,
                        .keeps_weights = true};
  MacCount count;
  count.embedding = number(a.patches) * number(a.patch_inputs) * number(a.width);
  for (std::int64_t layer = 0; layer < a.layers; ++layer)
    count.attention += attention[attention.size() == 1 ? 0 : static_cast<std::size_t>(layer)](shape).forward_macs;
  const double layers = number(a.layers), tokens = number(a.tokens), width = number(a.width);
  count.projections = layers * tokens * width * 4 * number(a.heads * a.head_dim);
  count.feed_forward = layers * tokens * width * 2 * number(a.hidden);
  count.head = width * number(a.classes) + tokens * width * number(a.vocabulary);
  return count;
}

ParameterCount count_parameters(const Architecture& a) {
  const double layers = number(a.layers), width = number(a.width), inner = number(a.heads * a.head_dim),
               hidden = number(a.hidden);
  ParameterCount p;
  if (a.patches > 0) p.embedding = (number(a.patch_inputs) + 1) * width;
  p.embedding += number(a.vocabulary) * width + (a.class_token ? width : 0);
  p.positions = number(a.learned_positions) * width;
  p.attention = layers * (4 * width * inner + (a.projection_bias ? 3 * inner : 0) + (a.output_bias ? width : 0));
  p.feed_forward = layers * (2 * width * hidden + hidden + width);
  p.normalisation = layers * 4 * width + (a.final_norm ? 2 * width : 0);
  p.head = (a.classes > 0 ? (width + 1) * number(a.classes) : 0) + number(a.vocabulary);
  return p;
}

}  // namespace attest::attention
