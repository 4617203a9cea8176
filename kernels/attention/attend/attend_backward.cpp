#include <algorithm>
#include <cmath>

#include "kernels/attention/attend/attend_view.hpp"
#include "kernels/attention/attend/tile_logits.hpp"
#include "kernels/attention/attend/tile_memory.hpp"
#include "kernels/parallel/blocks.hpp"

namespace attest::attention {
namespace {

// What the backward pass of one thread needs besides the arguments: a constant, whatever the lengths.
template <typename T>
struct Workspace {
  explicit Workspace(const AttendProblem<T>& p)
      : q_lanes(aligned_array<double>(p.dim * tile_queries)),
        keys(aligned_array<double>(tile_keys * p.dim)),
        logits(aligned_array<double>(tile_keys * tile_queries)),
        largest(aligned_array<double>(tile_queries)),
        dout_lanes(aligned_array<T>(p.value_dim * tile_queries)),
        second_dout_lanes(aligned_array<T>(p.value_dim * tile_queries)),
        dq_lanes(aligned_array<T>(p.dim * tile_queries)),
        q_rows(aligned_array<T>(tile_queries * padded<T>(p.dim))),
        dout_rows(aligned_array<T>(tile_queries * padded<T>(p.value_dim))),
        weights(aligned_array<T>(tile_keys * tile_queries)),
        dlogits(aligned_array<T>(tile_keys * tile_queries)),
        factors(aligned_array<T>(p.dropout.rate > 0 ? tile_keys * tile_queries : 0)),
        inverse_normaliser(aligned_array<T>(tile_queries)),
        mean(aligned_array<T>(tile_queries)) {}
  AlignedArray<double> q_lanes, keys, logits, largest;
  AlignedArray<T> dout_lanes, second_dout_lanes, dq_lanes, q_rows, dout_rows, weights, dlogits, factors,
      inverse_normaliser, mean;
};

// The forward pass's results and the gradient of its output.
template <typename T>
struct Outputs {
  HeadsView<const T> out;
  const T* largest;
  const T* normaliser;
  HeadsView<const T> dout;
  const SecondUse<T>* second;
  const T* dlse;
};

// Sums of one part of the queries of one head, rows padded: dk [N_k][padded D], then dv [N_k][padded D_v].
template <typename T>
struct KeySums {
  T* dk;
  T* dv;
};

// sum_d out_d dout_d of one query.
template <typename T>
T product_of_rows(const HeadsView<const T>& out, const HeadsView<const T>& dout, const TilePlace& place, Index i,
                  Index features, T sum) {
  const T *const x = out.row(place.b, place.h, place.first_query + i), *const y = dout.row(place.b, place.h,
                                                                                           place.first_query + i);
  for (Index d = 0; d < features; ++d) sum = std::fma(x[d], y[d], sum);
  return sum;
}

// Largest logits, normalisers, and what is subtracted from the gradients of the weights.
template <typename T>
void load_row_sums(const AttendProblem<T>& p, const Outputs<T>& outputs, const TilePlace& place, Workspace<T>& w) {
  const Index at = (place.b * p.heads + place.h) * p.queries + place.first_query;
  for (Index i = 0; i < place.row; ++i) {
    const bool has_keys = i < place.queries && outputs.normaliser[at + i] != 0;
    w.largest[i] = has_keys ? static_cast<double>(outputs.largest[at + i]) : 0.0;
    w.inverse_normaliser[i] = has_keys ? 1 / outputs.normaliser[at + i] : T(0);
    w.mean[i] = T(0);
    if (!has_keys) continue;
    // sum_j A_ij dA_ij = out_i . dout_i
    w.mean[i] = product_of_rows(outputs.out, outputs.dout, place, i, p.value_dim, T(0));
    if (outputs.second != nullptr)
      w.mean[i] = product_of_rows(outputs.second->out, outputs.second->dout, place, i, p.value_dim, w.mean[i]);
    // d lse_i / d logit_ij = A_ij
    if (outputs.dlse != nullptr) w.mean[i] -= outputs.dlse[at + i];
  }
}

template <typename T>
void load_queries(const AttendProblem<T>& p, const Outputs<T>& outputs, const TilePlace& place, Workspace<T>& w) {
  const Index b = place.b, h = place.h, first = place.first_query, count = place.queries;
  copy_transposed(p.q, b, h, first, count, p.dim, static_cast<double>(p.scale), place.row, w.q_lanes.get());
  copy_transposed(outputs.dout, b, h, first, count, p.value_dim, T(1), place.row, w.dout_lanes.get());
  copy_rows(p.q, b, h, first, count, p.dim, p.scale, w.q_rows.get());
  copy_rows(outputs.dout, b, h, first, count, p.value_dim, T(1), w.dout_rows.get());
  if (outputs.second != nullptr)
    copy_transposed(outputs.second->dout, b, h, first, count, p.value_dim, T(1), place.row, w.second_dout_lanes.get());
  std::fill_n(w.dq_lanes.get(), p.dim * place.row, T(0));
  load_row_sums(p, outputs, place, w);
}

template <typename T>
void form_logits(const AttendProblem<T>& p, const TilePlace& place, Workspace<T>& w) {
  const WideRows k = wide_rows(p.k, place.b, place.h, place.first_key, place.keys, p.dim, w.keys.get());
  chosen_operations(p).logit_product({.rows = place.keys,
                                      .columns = place.row,
                                      .inner = p.dim,
                                      .a = k.data,
                                      .a_row = k.row,
                                      .a_inner = 1,
                                      .b = w.q_lanes.get(),
                                      .b_row = place.row,
                                      .c = w.logits.get(),
                                      .c_row = place.row});
  adjust_logits(p, place, w.logits.get());
}

// dA += V dout^T for one use of the weights.
template <typename T>
void form_weight_gradients(const AttendProblem<T>& p, const TilePlace& place, const HeadsView<const T>& v,
                           const T* dout_lanes, typename TileProduct<T>::Keep keep, Workspace<T>& w) {
  chosen_operations(p).product({.rows = place.keys,
                                .columns = place.row,
                                .inner = p.value_dim,
                                .a = v.row(place.b, place.h, place.first_key),
                                .a_row = v.token,
                                .a_inner = 1,
                                .b = dout_lanes,
                                .b_row = place.row,
                                .c = w.dlogits.get(),
                                .c_row = place.row,
                                .keep = keep});
}

// The weights with dropout, and the gradients of the logits unless `values_alone`.
template <typename T>
void form_weights_and_logit_gradients(const AttendProblem<T>& p, const Outputs<T>& outputs, const TilePlace& place,
                                      bool values_alone, Workspace<T>& w) {
  using Keep = typename TileProduct<T>::Keep;
  form_logits(p, place, w);
  if (!values_alone) form_weight_gradients(p, place, p.v, w.dout_lanes.get(), Keep::nothing, w);
  if (outputs.second != nullptr)
    form_weight_gradients(p, place, outputs.second->v, w.second_dout_lanes.get(), Keep::all, w);
  if (p.dropout.rate > 0) {
    dropout_factors(p, place, w.factors.get());
    if (!values_alone) multiply_entries(place, w.dlogits.get(), w.factors.get());
  }
  chosen_operations(p).logit_gradients(w.logits.get(), w.weights.get(), values_alone ? nullptr : w.dlogits.get(),
                                       place.keys, place.row, w.largest.get(), w.inverse_normaliser.get(),
                                       w.mean.get());
  if (p.dropout.rate > 0) multiply_entries(place, w.weights.get(), w.factors.get());
}

// sums += tile^T rows, for the keys of the tile: dv from the weights and dout, dk from dlogits and q.
template <typename T>
void add_to_keys(const AttendProblem<T>& p, const TilePlace& place, const T* tile, const T* rows, Index features,
                 T* sums) {
  const Index width = padded<T>(features);
  chosen_operations(p).product({.rows = place.keys,
                                .columns = width,
                                .inner = place.queries,
                                .a = tile,
                                .a_row = place.row,
                                .a_inner = 1,
                                .b = rows,
                                .b_row = width,
                                .c = sums + place.first_key * width,
                                .c_row = width,
                                .keep = TileProduct<T>::Keep::all});
}

template <typename T>
void add_to_queries(const AttendProblem<T>& p, const TilePlace& place, Workspace<T>& w) {
  chosen_operations(p).product({.rows = p.dim,
                                .columns = place.row,
                                .inner = place.keys,
                                .a = p.k.row(place.b, place.h, place.first_key),
                                .a_row = 1,
                                .a_inner = p.k.token,
                                .b = w.dlogits.get(),
                                .b_row = place.row,
                                .c = w.dq_lanes.get(),
                                .c_row = place.row,
                                .keep = TileProduct<T>::Keep::all});
}

template <typename T>
void add_to_bias(const AttendProblem<T>& p, const TilePlace& place, const Workspace<T>& w, T* dense_bias) {
  for (Index i = 0; i < place.queries; ++i) {
    T* const row = dense_bias + (place.h * p.queries + place.first_query + i) * p.keys + place.first_key;
    for (Index j = 0; j < place.keys; ++j) row[j] += w.dlogits[j * place.row + i];
  }
}

// Adds the queries of `place` to the sums and writes their dq.
template <typename T>
void backward_block(const AttendProblem<T>& p, const Outputs<T>& outputs, TilePlace place, Workspace<T>& w,
                    const KeySums<T>& sums, const AttendGradientViews<T>& gradients) {
  place.row = padded<T>(place.queries);
  const bool values_alone = gradients.q.data == nullptr;
  load_queries(p, outputs, place, w);
  const Index end = keys_end(p.mask, place.b, place.first_query, place.queries, p.keys);
  for (Index first_key = 0; first_key < end; first_key += tile_keys) {
    place.first_key = first_key;
    place.keys = std::min(tile_keys, end - first_key);
    form_weights_and_logit_gradients(p, outputs, place, values_alone, w);
    add_to_keys(p, place, w.weights.get(), w.dout_rows.get(), p.value_dim, sums.dv);
    if (values_alone) continue;
    add_to_keys(p, place, w.dlogits.get(), w.q_rows.get(), p.dim, sums.dk);
    add_to_queries(p, place, w);
    if (gradients.dense_bias != nullptr) add_to_bias(p, place, w, gradients.dense_bias);
  }
  for (Index i = 0; i < place.queries && !values_alone; ++i) {
    T* const row = gradients.q.row(place.b, place.h, place.first_query + i);
    for (Index d = 0; d < p.dim; ++d) row[d] = p.scale * w.dq_lanes[d * place.row + i];
  }
}

// In how many parts the queries of one head are summed, a function of the extents alone: enough work for 16 threads,
// and 512 queries in each part but the last, so that the partial sums stay small beside the inputs.
template <typename T>
Index query_parts(const AttendProblem<T>& p) {
  return std::clamp<Index>(16 / (p.batch * p.heads), 1, (p.queries + 511) / 512);
}

// The sums over keys of every head and part.
template <typename T>
class PartialSums {
 public:
  PartialSums(const AttendProblem<T>& p, bool with_keys)
      : parts(query_parts(p)),
        key_width_(with_keys ? padded<T>(p.dim) : 0),
        value_width_(padded<T>(p.value_dim)),
        keys_(p.keys),
        memory_(aligned_array<T>(p.batch * p.heads * parts * size())) {}

  const Index parts;

  // Of one head and part, all zero.
  KeySums<T> cleared(Index head, Index part) const {
    const KeySums<T> sums = of(head, part);
    std::fill_n(sums.dk, size(), T(0));
    return sums;
  }

  // Row j of dk or dv: the parts added in order.
  void add_up(Index head, Index j, T* KeySums<T>::*which, Index features, T* row) const {
    const Index width = which == &KeySums<T>::dk ? key_width_ : value_width_;
    std::copy_n(of(head, 0).*which + j * width, features, row);
    for (Index part = 1; part < parts; ++part) {
      const T* const from = of(head, part).*which + j * width;
      for (Index d = 0; d < features; ++d) row[d] += from[d];
    }
  }

 private:
  Index size() const { return keys_ * (key_width_ + value_width_); }
  KeySums<T> of(Index head, Index part) const {
    T* const start = memory_.get() + (head * parts + part) * size();
    return {start, start + keys_ * key_width_};
  }

  Index key_width_, value_width_, keys_;
  AlignedArray<T> memory_;
};

// Part `part` of the queries of one head.
template <typename T>
void backward_part(const AttendProblem<T>& p, const Outputs<T>& outputs, Index b, Index h, Index part, Workspace<T>& w,
                   const PartialSums<T>& all_sums, const AttendGradientViews<T>& gradients) {
  const Index blocks = (p.queries + tile_queries - 1) / tile_queries;
  const KeySums<T> sums = all_sums.cleared(b * p.heads + h, part);
  // Every parts-th block, so that a causal mask leaves all parts alike.
  for (Index block = part; block < blocks; block += all_sums.parts) {
    const Index first = block * tile_queries, count = std::min(tile_queries, p.queries - first);
    if (gradients.dense_bias != nullptr && b == 0)
      std::fill_n(gradients.dense_bias + (h * p.queries + first) * p.keys, count * p.keys, T(0));
    backward_block(p, outputs, {.b = b, .h = h, .first_query = first, .queries = count}, w, sums, gradients);
  }
}

}  // namespace

template <typename T>
void attend_backward_view(const AttendProblem<T>& p, HeadsView<const T> out, const T* largest, const T* normaliser,
                          HeadsView<const T> dout, const AttendGradientViews<T>& gradients, const SecondUse<T>* second,
                          const T* dlse) {
  const Outputs<T> outputs{out, largest, normaliser, dout, second, dlse};
  const PartialSums<T> sums(p, gradients.k.data != nullptr);
  const Index heads = p.batch * p.heads;

  // The gradient of the bias sums over sequences: then one task goes through all of them, in order.
  const Index sequences_per_task = gradients.dense_bias != nullptr ? p.batch : 1;
  parallel::for_each_block(heads / sequences_per_task * sums.parts, p.threads, [&](Index task) {
    Workspace<T> workspace(p);
    const Index part = task % sums.parts, h = task / sums.parts % p.heads;
    const Index first_sequence = task / sums.parts / p.heads * sequences_per_task;
    for (Index b = first_sequence; b < first_sequence + sequences_per_task; ++b)
      backward_part(p, outputs, b, h, part, workspace, sums, gradients);
  });

  constexpr Index keys_per_task = 512;
  const Index key_blocks = (p.keys + keys_per_task - 1) / keys_per_task;
  parallel::for_each_block(heads * key_blocks, p.threads, [&](Index task) {
    const Index head = task / key_blocks, first = task % key_blocks * keys_per_task;
    const Index b = head / p.heads, h = head % p.heads;
    for (Index j = first; j < std::min(first + keys_per_task, p.keys); ++j) {
      if (gradients.k.data != nullptr) sums.add_up(head, j, &KeySums<T>::dk, p.dim, gradients.k.row(b, h, j));
      sums.add_up(head, j, &KeySums<T>::dv, p.value_dim, gradients.v.row(b, h, j));
    }
  });
}

template void attend_backward_view(const AttendProblem<float>&, HeadsView<const float>, const float*, const float*,
                                   HeadsView<const float>, const AttendGradientViews<float>&, const SecondUse<float>*,
                                   const float*);
template void attend_backward_view(const AttendProblem<double>&, HeadsView<const double>, const double*, const double*,
                                   HeadsView<const double>, const AttendGradientViews<double>&,
                                   const SecondUse<double>*, const double*);

}  // namespace attest::attention
