#include <algorithm>
#include <cmath>
#include <tuple>

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
};

// Sums of one part of the queries of one head, rows padded: dk [N_k][padded D], then dv [N_k][padded D_v].
template <typename T>
struct KeySums {
  T* dk;
  T* dv;
};

template <typename T>
void load_queries(const AttendProblem<T>& p, const Outputs<T>& outputs, const TilePlace& place, Workspace<T>& w) {
  const auto& [row, b, h, first, count] = std::tuple(place.row, place.b, place.h, place.first_query, place.queries);
  copy_transposed(p.q, b, h, first, count, p.dim, static_cast<double>(p.scale), row, w.q_lanes.get());
  copy_transposed(outputs.dout, b, h, first, count, p.value_dim, T(1), row, w.dout_lanes.get());
  copy_rows(p.q, b, h, first, count, p.dim, p.scale, w.q_rows.get());
  copy_rows(outputs.dout, b, h, first, count, p.value_dim, T(1), w.dout_rows.get());
  if (outputs.second != nullptr)
    copy_transposed(outputs.second->dout, b, h, first, count, p.value_dim, T(1), row, w.second_dout_lanes.get());
  std::fill_n(w.dq_lanes.get(), p.dim * row, T(0));
  const Index at = (b * p.heads + h) * p.queries + first;
  for (Index i = 0; i < row; ++i) {
    const bool has_keys = i < count && outputs.normaliser[at + i] != 0;
    w.largest[i] = has_keys ? static_cast<double>(outputs.largest[at + i]) : 0.0;
    w.inverse_normaliser[i] = has_keys ? 1 / outputs.normaliser[at + i] : T(0);
    // sum_j A_ij dA_ij = out_i . dout_i
    T mean = 0;
    const auto add_product = [&](const HeadsView<const T>& out, const HeadsView<const T>& dout) {
      const T *const x = out.row(b, h, first + i), *const y = dout.row(b, h, first + i);
      for (Index d = 0; d < p.value_dim; ++d) mean = std::fma(x[d], y[d], mean);
    };
    if (has_keys) add_product(outputs.out, outputs.dout);
    if (has_keys && outputs.second != nullptr) add_product(outputs.second->out, outputs.second->dout);
    w.mean[i] = mean;
  }
}

// Adds the queries of `place` to the sums and writes their dq.
template <typename T>
void backward_block(const AttendProblem<T>& p, const Outputs<T>& outputs, TilePlace place, Workspace<T>& w,
                    const KeySums<T>& sums, const AttendGradientViews<T>& gradients) {
  using Keep = typename TileProduct<T>::Keep;
  const TileOperations<T>& run = chosen_operations(p);
  const Index columns = place.row = padded<T>(place.queries), b = place.b, h = place.h;
  const bool values_alone = gradients.q.data == nullptr;
  load_queries(p, outputs, place, w);
  const Index end = keys_end(p.mask, b, place.first_query, place.queries, p.keys);
  for (Index first_key = 0; first_key < end; first_key += tile_keys) {
    place.first_key = first_key;
    place.keys = std::min(tile_keys, end - first_key);
    const T* const k = p.k.row(b, h, first_key);
    const WideRows wide_k = wide_rows(p.k, b, h, first_key, place.keys, p.dim, w.keys.get());
    run.logit_product({.rows = place.keys,
                       .columns = columns,
                       .inner = p.dim,
                       .a = wide_k.data,
                       .a_row = wide_k.row,
                       .a_inner = 1,
                       .b = w.q_lanes.get(),
                       .b_row = columns,
                       .c = w.logits.get(),
                       .c_row = columns});
    adjust_logits(p, place, w.logits.get());
    if (!values_alone)
      run.product({.rows = place.keys,
                   .columns = columns,
                   .inner = p.value_dim,
                   .a = p.v.row(b, h, first_key),
                   .a_row = p.v.token,
                   .a_inner = 1,
                   .b = w.dout_lanes.get(),
                   .b_row = columns,
                   .c = w.dlogits.get(),
                   .c_row = columns});
    if (outputs.second != nullptr)
      run.product({.rows = place.keys,
                   .columns = columns,
                   .inner = p.value_dim,
                   .a = outputs.second->v.row(b, h, first_key),
                   .a_row = outputs.second->v.token,
                   .a_inner = 1,
                   .b = w.second_dout_lanes.get(),
                   .b_row = columns,
                   .c = w.dlogits.get(),
                   .c_row = columns,
                   .keep = Keep::all});
    if (p.dropout.rate > 0) {
      dropout_factors(p, place, w.factors.get());
      if (!values_alone) multiply_entries(place, w.dlogits.get(), w.factors.get());
    }
    run.logit_gradients(w.logits.get(), w.weights.get(), values_alone ? nullptr : w.dlogits.get(), place.keys, columns,
                        w.largest.get(), w.inverse_normaliser.get(), w.mean.get());
    if (p.dropout.rate > 0) multiply_entries(place, w.weights.get(), w.factors.get());

    const Index width = padded<T>(p.dim), value_width = padded<T>(p.value_dim);
    run.product({.rows = place.keys,
                 .columns = value_width,
                 .inner = place.queries,
                 .a = w.weights.get(),
                 .a_row = columns,
                 .a_inner = 1,
                 .b = w.dout_rows.get(),
                 .b_row = value_width,
                 .c = sums.dv + first_key * value_width,
                 .c_row = value_width,
                 .keep = Keep::all});
    if (values_alone) continue;
    run.product({.rows = place.keys,
                 .columns = width,
                 .inner = place.queries,
                 .a = w.dlogits.get(),
                 .a_row = columns,
                 .a_inner = 1,
                 .b = w.q_rows.get(),
                 .b_row = width,
                 .c = sums.dk + first_key * width,
                 .c_row = width,
                 .keep = Keep::all});
    run.product({.rows = p.dim,
                 .columns = columns,
                 .inner = place.keys,
                 .a = k,
                 .a_row = 1,
                 .a_inner = p.k.token,
                 .b = w.dlogits.get(),
                 .b_row = columns,
                 .c = w.dq_lanes.get(),
                 .c_row = columns,
                 .keep = Keep::all});
    if (gradients.dense_bias != nullptr)
      for (Index i = 0; i < place.queries; ++i) {
        T* const row = gradients.dense_bias + (h * p.queries + place.first_query + i) * p.keys + first_key;
        for (Index j = 0; j < place.keys; ++j) row[j] += w.dlogits[j * columns + i];
      }
  }
  for (Index i = 0; i < place.queries && !values_alone; ++i) {
    T* const row = gradients.q.row(b, h, place.first_query + i);
    for (Index d = 0; d < p.dim; ++d) row[d] = p.scale * w.dq_lanes[d * columns + i];
  }
}

// In how many parts the queries of one head are summed, a function of the extents alone: enough work for 16 threads,
// and 512 queries in each part but the last, so that the partial sums stay small beside the inputs.
template <typename T>
Index query_parts(const AttendProblem<T>& p) {
  return std::clamp<Index>(16 / (p.batch * p.heads), 1, (p.queries + 511) / 512);
}

}  // namespace

template <typename T>
void attend_backward_view(const AttendProblem<T>& p, HeadsView<const T> out, const T* largest, const T* normaliser,
                          HeadsView<const T> dout, const AttendGradientViews<T>& gradients,
                          const SecondUse<T>* second) {
  const Outputs<T> outputs{out, largest, normaliser, dout, second};
  const Index parts = query_parts(p), value_width = padded<T>(p.value_dim);
  const Index width = gradients.k.data != nullptr ? padded<T>(p.dim) : 0;
  const Index sums_size = p.keys * (width + value_width), heads = p.batch * p.heads;
  const auto memory = aligned_array<T>(heads * parts * sums_size);
  const auto sums_of = [&](Index head, Index part) {
    T* const start = memory.get() + (head * parts + part) * sums_size;
    return KeySums<T>{start, start + p.keys * width};
  };

  // The gradient of the bias sums over sequences: then one task goes through all of them, in order.
  const Index sequences_a_task = gradients.dense_bias != nullptr ? p.batch : 1;
  const Index blocks = (p.queries + tile_queries - 1) / tile_queries;
  parallel::for_each_block(heads / sequences_a_task * parts, p.threads, [&](Index task) {
    Workspace<T> workspace(p);
    const Index part = task % parts, h = task / parts % p.heads;
    const Index first_sequence = task / parts / p.heads * sequences_a_task;
    for (Index b = first_sequence; b < first_sequence + sequences_a_task; ++b) {
      const KeySums<T> sums = sums_of(b * p.heads + h, part);
      std::fill_n(sums.dk, sums_size, T(0));
      // Every parts-th block, so that a causal mask leaves all parts alike.
      for (Index block = part; block < blocks; block += parts) {
        const Index first = block * tile_queries, count = std::min(tile_queries, p.queries - first);
        if (gradients.dense_bias != nullptr && b == 0)
          std::fill_n(gradients.dense_bias + (h * p.queries + first) * p.keys, count * p.keys, T(0));
        backward_block(p, outputs, {.b = b, .h = h, .first_query = first, .queries = count}, workspace, sums,
                       gradients);
      }
    }
  });

  constexpr Index keys_a_task = 512;
  const Index key_blocks = (p.keys + keys_a_task - 1) / keys_a_task;
  parallel::for_each_block(heads * key_blocks, p.threads, [&](Index task) {
    const Index head = task / key_blocks, first = task % key_blocks * keys_a_task;
    const auto add_parts = [&](const HeadsView<T>& to, Index features, Index row_width, T* KeySums<T>::*which) {
      for (Index j = first; j < std::min(first + keys_a_task, p.keys); ++j) {
        T* const row = to.row(head / p.heads, head % p.heads, j);
        std::copy_n(sums_of(head, 0).*which + j * row_width, features, row);
        for (Index part = 1; part < parts; ++part) {
          const T* const from = sums_of(head, part).*which + j * row_width;
          for (Index d = 0; d < features; ++d) row[d] += from[d];
        }
      }
    };
    if (gradients.k.data != nullptr) add_parts(gradients.k, p.dim, width, &KeySums<T>::dk);
    add_parts(gradients.v, p.value_dim, value_width, &KeySums<T>::dv);
  });
}

template void attend_backward_view(const AttendProblem<float>&, HeadsView<const float>, const float*, const float*,
                                   HeadsView<const float>, const AttendGradientViews<float>&, const SecondUse<float>*);
template void attend_backward_view(const AttendProblem<double>&, HeadsView<const double>, const double*, const double*,
                                   HeadsView<const double>, const AttendGradientViews<double>&,
                                   const SecondUse<double>*);

}  // namespace attest::attention
