#include "kernels/attention/cost/cost.hpp"

#include <algorithm>

namespace attest::attention {
namespace {

/// Counts of one head of one sequence, in doubles: products of extents overflow 32 bits and stay exact up to 2^53.
struct PerHead {
  double queries, keys, dim, value_dim, pairs;
  explicit PerHead(const CostShape& s)
      : queries(static_cast<double>(s.queries)),
        keys(static_cast<double>(s.keys)),
        dim(static_cast<double>(s.dim)),
        value_dim(static_cast<double>(s.value_dim)),
        pairs(computed_pairs(s)) {}
};

/// MACs, other operations and held elements of one head, forward and backward.
struct Counts {
  double macs = 0, others = 0, elements = 0, back_macs = 0, back_others = 0, back_elements = 0;
};

Cost total(const CostShape& s, const Counts& c) {
  const double heads = static_cast<double>(s.batch) * static_cast<double>(s.heads);
  const double bytes = heads * static_cast<double>(s.element_bytes);
  Cost cost;
  cost.forward_macs = heads * c.macs;
  cost.forward_flops = heads * (2 * c.macs + c.others);
  cost.backward_macs = heads * c.back_macs;
  cost.backward_flops = heads * (2 * c.back_macs + c.back_others);
  cost.forward_bytes = bytes * c.elements;
  cost.backward_bytes = bytes * c.back_elements;
  return cost;
}

Counts attend_counts(const PerHead& n, bool keeps_weights) {
  const double d = n.dim, v = n.value_dim, p = n.pairs;
  if (keeps_weights)
    return {.macs = p * (d + v),
            .others = 6 * p,
            .elements = p,
            .back_macs = p * (2 * d + 2 * v + 1),
            .back_others = 3 * p,
            .back_elements = 2 * p};
  return {.macs = p * (d + v),
          .others = 5 * p + n.queries * (v + 2),
          .elements = 2 * n.queries,
          .back_macs = p * (3 * d + 2 * v) + n.queries * v,
          .back_others = 6 * p,
          .back_elements = 3 * n.queries};
}

/// W = 2 V - U before the second pass; d U = -d W, d V = 2 d W + its own, sums of both passes' d q and d k after it.
Counts twice_counts(const PerHead& n) {
  const double values = n.queries * n.value_dim;
  return {.others = 2 * values,
          .elements = 2 * values,
          .back_others = 3 * values + (n.queries + n.keys) * n.dim,
          .back_elements = 4 * values + (n.queries + n.keys) * n.dim};
}

}  // namespace

Cost& Cost::operator+=(const Cost& other) {
  forward_flops += other.forward_flops;
  backward_flops += other.backward_flops;
  forward_bytes += other.forward_bytes;
  backward_bytes += other.backward_bytes;
  forward_macs += other.forward_macs;
  backward_macs += other.backward_macs;
  return *this;
}

double computed_pairs(const CostShape& s) {
  if (!s.causal || s.keeps_weights) return static_cast<double>(s.queries) * static_cast<double>(s.keys);
  const auto triangle = static_cast<double>(std::min(s.queries, s.keys));
  return triangle * (triangle + 1) / 2 +
         static_cast<double>(s.queries - std::min(s.queries, s.keys)) * static_cast<double>(s.keys);
}

Cost attend_cost(const CostShape& shape) { return total(shape, attend_counts(PerHead(shape), shape.keeps_weights)); }

Cost sparse_cost(const CostShape& shape, double pairs) {
  PerHead n(shape);
  n.pairs = pairs;
  Cost cost = total(shape, attend_counts(n, false));
  constexpr double index_bytes = 8;
  const double index_memory = index_bytes * (pairs + n.queries + 1);  // one pattern for all heads and sequences
  cost.forward_bytes += index_memory;
  cost.backward_bytes += index_memory;
  return cost;
}

Cost logit_bias_cost(const CostShape& shape, double flops_to_form, bool learnable) {
  const double pairs = computed_pairs(shape), each = (flops_to_form + 1) * pairs;
  return total(shape, {.others = each, .back_others = (shape.keeps_weights ? 0 : each) + (learnable ? pairs : 0)});
}

Cost twicing_cost(const CostShape& shape) {
  const PerHead n(shape);
  const double p = n.pairs, values = n.queries * n.value_dim;
  if (!shape.keeps_weights) {
    // W = 2 V - U between two passes. Going back one pass for d W = A^T d out = -d U, and one for everything else, with
    // d A = d U V^T + d out W^T.
    const Counts once = attend_counts(n, false);
    return total(shape, {.macs = 2 * once.macs,
                         .others = 2 * once.others + 2 * values,
                         .elements = 2 * values + 2 * n.queries,
                         .back_macs = p * (4 * n.dim + 4 * n.value_dim) + 2 * values,
                         .back_others = 9 * p + 5 * values,
                         .back_elements = 3 * values + 3 * n.queries});
  }
  // A is formed once; R = V - A V and d U = d out - A^T d out are the arrays beside it.
  return total(shape, {.macs = p * (n.dim + 2 * n.value_dim),
                       .others = 6 * p + values,
                       .elements = p + values,
                       .back_macs = p * (2 * n.dim + 4 * n.value_dim + 1),
                       .back_others = 3 * p + values,
                       .back_elements = 2 * p + 2 * values});
}

Cost linear_cost(const CostShape& shape) {
  const PerHead n(shape);
  const double d = n.dim, v = n.value_dim, q = n.queries, k = n.keys, features = (q + k) * d, state = d * v + d;
  Counts c{.macs = (q + k) * d * v + q * d,
           .others = 2 * features + k * d + q * (v + 1),
           .elements = state + q,
           .back_macs = q * v + 2 * (q + k) * d * v + q * d * v + 2 * q * d,
           .back_others = q * (2 * v + 2) + k * d + 4 * features,
           .back_elements = 2 * state + q};
  if (shape.causal) {  // the sums over past keys are formed again instead of kept for every query
    c.back_macs += k * d * v;
    c.back_others += k * d;
  }
  return total(shape, c);
}

Cost linear_twicing_cost(const CostShape& shape) {
  return linear_cost(shape) + linear_cost(shape) + total(shape, twice_counts(PerHead(shape)));
}

Cost linformer_cost(const CostShape& shape, std::int64_t rank) {
  const PerHead n(shape);
  CostShape projected = shape;
  projected.keys = rank;
  const double rows = static_cast<double>(rank), width = n.dim + n.value_dim, macs = n.keys * rows * width;
  return attend_cost(projected) +
         total(shape,
               {.macs = macs, .elements = rows * width, .back_macs = 2 * macs, .back_elements = 2 * rows * width});
}

Cost recentre_cost(const CostShape& shape, bool normalised, bool learnable) {
  const PerHead n(shape);
  const double d = n.dim, keys = n.keys * d, all = (n.queries + n.keys) * d;
  Counts c{.others = keys + 2 * d + all,
           .elements = all + d,
           .back_macs = learnable ? d : 0,
           .back_others = all + 3 * d + keys,
           .back_elements = 2 * all + 2 * d};
  if (normalised) {
    c.macs += keys;
    c.others += keys + 4 * d + all;
    c.elements += d;
    c.back_macs += all + keys;
    c.back_others += 2 * all + 5 * d + keys;
    c.back_elements += d;
  }
  return total(shape, c);
}

Cost pool_cost(const CostShape& one_head, std::int64_t factor, std::int64_t pooled, std::int64_t covered) {
  if (factor == 1) return {};
  const PerHead n(one_head);
  const double width = n.dim + n.value_dim, rows = static_cast<double>(pooled) * width;
  return total(one_head, {.others = static_cast<double>(covered) * width + rows,
                          .elements = rows,
                          .back_others = rows,
                          .back_elements = 2 * rows});
}

Cost convolution_cost(const CostShape& shape, std::int64_t taps) {
  const PerHead n(shape);
  const double elements = (n.queries + n.keys) * n.dim, macs = elements * static_cast<double>(taps);
  return total(shape, {.macs = macs, .elements = elements, .back_macs = 2 * macs, .back_elements = 2 * elements});
}

Cost scaling_cost(const CostShape& shape, double elements, bool learnable) {
  return total(shape, {.others = elements,
                       .elements = elements,
                       .back_macs = learnable ? elements : 0,
                       .back_others = elements,
                       .back_elements = 2 * elements});
}

Cost combination_cost(const CostShape& shape, double forward, double backward) {
  const double outputs = static_cast<double>(shape.queries) * static_cast<double>(shape.value_dim);
  return total(shape, {.others = forward * outputs, .back_others = backward * outputs});
}

Cost nystrom_cost(const CostShape& shape, std::int64_t landmarks, int iterations) {
  const PerHead n(shape);
  const double d = n.dim, v = n.value_dim, q = n.queries, k = n.keys, m = static_cast<double>(landmarks);
  const double square = m * m, cube = square * m, steps = iterations, pairs = q * m + square + m * k;
  const double tokens = (q + k) * d, means = 2 * m * d, values = m * k * v + square * v + q * m * v;
  // Per pair of the three softmax matrices 5 flops forward (there is no scale) and, going back, 1 MAC and 2 flops.
  return total(shape, {.macs = pairs * d + steps * 4 * cube + values,
                       .others = 2 * tokens + means + 5 * pairs + 2 * square + m + steps * 4 * square,
                       .elements = pairs + square + 2 * m * v + tokens + means,
                       .back_macs = pairs * (2 * d + 1) + steps * 8 * cube + 2 * values + square,
                       .back_others = 2 * pairs + steps * 4 * square + 2 * square + m + 3 + means + 2 * tokens,
                       .back_elements = 2 * pairs + (4 * steps + 4) * square + 4 * m * v + 2 * tokens + 2 * means});
}

}  // namespace attest::attention
