#include <algorithm>
#include <cmath>

#include "kernels/attention/attend/attend_view.hpp"
#include "kernels/attention/attend/block_logits.hpp"
#include "kernels/attention/attend/key_sums.hpp"
#include "kernels/attention/attend/tile_memory.hpp"
#include "kernels/attention/attend/visible_part.hpp"
#include "kernels/parallel/blocks.hpp"

namespace attest::attention {
namespace {

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

// A block of queries on its way through the keys. Uses this thread's arrays: one at a time.
template <typename T>
class QueryBlock {
 public:
  using Keep = typename TileProduct<T>::Keep;

  QueryBlock(const AttendProblem<T>& p, const KeyNorms<T>& key_norms, const Outputs<T>& outputs, const TilePlace& place,
             const AttendGradientViews<T>& gradients)
      : p_(p),
        run_(chosen_operations(p)),
        outputs_(outputs),
        gradients_(gradients),
        values_alone_(gradients.q.data == nullptr),
        whole_tiles_(gradients.dense_bias != nullptr),
        logits_(p, key_norms, place),
        weights_(scratch<T>(Scratch::tile, tile_keys * tile_queries)),
        dlogits_(scratch<T>(Scratch::tile_gradients, tile_keys * tile_queries)),
        dq_(scratch<T>(Scratch::sums, tile_queries * padded<T>(p.dim))),
        dout_rows_(padded_rows(outputs.dout, place.b, place.h, place.first_query, place.queries, p.value_dim, T(1),
                               Scratch::gradient_rows)),
        dout_lanes_(lanes(outputs.dout, place, Scratch::gradient_lanes)),
        largest_(scratch<T>(Scratch::row_numbers, 3 * tile_queries)),
        inverse_normaliser_(largest_ + tile_queries),
        mean_(inverse_normaliser_ + tile_queries),
        wide_largest_(scratch<double>(Scratch::wide_row_numbers, tile_queries)) {
    if (outputs.second != nullptr)
      second_dout_lanes_ = lanes(outputs.second->dout, place, Scratch::second_gradient_lanes);
    if (!values_alone_)
      q_rows_ =
          padded_rows(p.q, place.b, place.h, place.first_query, place.queries, p.dim, p.scale, Scratch::query_rows);
    load_row_numbers(place);
  }

  // Adds a tile, the first of the block or not, to the gradients of its keys and values, of the bias, and of the
  // queries.
  void add_tile(const TilePlace& place, bool first_tile, KeySums<T>& sums, T* dense_bias) {
    form_weights_and_logit_gradients(place);
    const bool first_use = place.first_key >= sums.touched;
    if (first_use) sums.touched = place.first_key + place.keys;
    add_to_keys(place, weights_, dout_rows_, sums.dv + place.first_key * sums.dv_row, sums.dv_row, p_.value_dim,
                first_use, ahead(place, outputs_.out, p_.queries, p_.value_dim),
                ahead_sums(place, gradients_.v, sums.dv, sums.dv_row, p_.value_dim));
    if (values_alone_) return;
    add_to_keys(place, dlogits_, q_rows_, sums.dk + place.first_key * sums.dk_row, sums.dk_row, p_.dim, first_use,
                ahead(place, gradients_.q, p_.queries, p_.dim),
                ahead_sums(place, gradients_.k, sums.dk, sums.dk_row, p_.dim));
    add_to_queries(place, first_tile);
    if (dense_bias != nullptr) add_to_bias(place, dense_bias);
  }

  void write_queries(const TilePlace& place, bool has_keys, const HeadsView<T>& to) const {
    const Index width = padded<T>(p_.dim);
    for (Index i = 0; i < place.queries; ++i) {
      T* const row = to.row(place.b, place.h, place.first_query + i);
      for (Index d = 0; d < p_.dim; ++d) row[d] = has_keys ? p_.scale * dq_[i * width + d] : T(0);
    }
  }

 private:
  template <typename Entry>
  Ahead ahead(const TilePlace& place, const HeadsView<Entry>& x, Index rows, Index features) const {
    return next_head(p_, place.b, place.h, x, rows, features);
  }

  // The sums of the keys that are next.
  Ahead ahead_sums(const TilePlace& place, const HeadsView<T>& gradient, T* sums, Index row, Index features) const {
    const HeadsView<T> of_head{sums, 0, 0, row};
    return next_keys(p_, place.b, place.h, place.first_key, p_.keys <= tile_keys ? gradient : of_head, features);
  }

  const T* lanes(const HeadsView<const T>& from, const TilePlace& place, Scratch use) const {
    T* const to = scratch<T>(use, p_.value_dim * tile_queries);
    transposed_rows(p_, from, place.b, place.h, place.first_query, place.queries, p_.value_dim, T(1), place.row, to);
    return to;
  }

  // mean_i += sum_d out_id dout_id, in the order of dA = V dout^T: of a row with one key their difference is zero.
  void add_row_products(const HeadsView<const T>& out, const T* dout_lanes, const TilePlace& place) {
    const T* const out_lanes = lanes(out, place, Scratch::output_lanes);
    for (Index d = 0; d < p_.value_dim; ++d)
      for (Index i = 0; i < place.row; ++i)
        mean_[i] = std::fma(out_lanes[d * place.row + i], dout_lanes[d * place.row + i], mean_[i]);
  }

  // Largest logits, normalisers, and what is subtracted from the gradients of the weights.
  void load_row_numbers(const TilePlace& place) {
    const Index at = (place.b * p_.heads + place.h) * p_.queries + place.first_query;
    // sum_j A_ij dA_ij = out_i . dout_i
    std::fill_n(mean_, place.row, T(0));
    add_row_products(outputs_.out, dout_lanes_, place);
    if (outputs_.second != nullptr) add_row_products(outputs_.second->out, second_dout_lanes_, place);
    for (Index i = 0; i < place.row; ++i) {
      const bool has_keys = i < place.queries && outputs_.normaliser[at + i] != 0;
      largest_[i] = has_keys ? outputs_.largest[at + i] : T(0);
      wide_largest_[i] = static_cast<double>(largest_[i]);
      inverse_normaliser_[i] = has_keys ? 1 / outputs_.normaliser[at + i] : T(0);
      if (!has_keys) mean_[i] = T(0);
      // d lse_i / d logit_ij = A_ij
      if (has_keys && outputs_.dlse != nullptr) mean_[i] -= outputs_.dlse[at + i];
    }
  }

  // dA += V dout^T for one use of the weights.
  void form_weight_gradients(const TilePlace& place, const HeadsView<const T>& v, const T* dout_lanes, Keep keep) {
    const TileProduct<T> product{.rows = place.keys,
                                 .columns = place.row,
                                 .inner = p_.value_dim,
                                 .a = v.row(place.b, place.h, place.first_key),
                                 .a_row = v.token,
                                 .a_inner = 1,
                                 .b = dout_lanes,
                                 .b_row = place.row,
                                 .c = dlogits_,
                                 .c_row = place.row,
                                 .keep = keep,
                                 .ahead = {next_keys(p_, place.b, place.h, place.first_key, v, p_.value_dim),
                                           ahead(place, outputs_.dout, p_.queries, p_.value_dim)}};
    if (whole_tiles_)
      run_.product(product);
    else
      VisiblePart(p_, place).of_pairs(run_, product);
  }

  // The weights with dropout, and the gradients of the logits.
  void form_weights_and_logit_gradients(const TilePlace& place) {
    const bool narrow = logits_.form(place, false, weights_);
    T* const dlogits = values_alone_ ? nullptr : dlogits_;
    if (!values_alone_) form_weight_gradients(place, p_.v, dout_lanes_, Keep::nothing);
    if (outputs_.second != nullptr) form_weight_gradients(place, outputs_.second->v, second_dout_lanes_, Keep::all);
    T* const factors = p_.dropout.rate > 0 ? scratch<T>(Scratch::factors, tile_keys * tile_queries) : nullptr;
    if (factors != nullptr) {
      dropout_factors(p_, place, factors);
      if (!values_alone_) multiply_entries(place, dlogits_, factors);
    }
    if (narrow)
      run_.logit_gradients(weights_, dlogits, place.keys, place.row, largest_, inverse_normaliser_, mean_);
    else
      run_.wide_logit_gradients(logits_.wide(), weights_, dlogits, place.keys, place.row, wide_largest_,
                                inverse_normaliser_, mean_);
    if (factors != nullptr) multiply_entries(place, weights_, factors);
  }

  // sums += tile^T rows, for the keys of the tile: dv from the weights and dout, dk from dlogits and q.
  void add_to_keys(const TilePlace& place, const T* tile, const Rows<T>& rows, T* sums, Index sums_row, Index features,
                   bool first_use, const Ahead& read, const Ahead& written) const {
    VisiblePart(p_, place).over_queries<T>(run_, {.rows = place.keys,
                                                  .columns = padded<T>(features),
                                                  .inner = place.queries,
                                                  .a = tile,
                                                  .a_row = place.row,
                                                  .a_inner = 1,
                                                  .b = rows.data,
                                                  .b_row = rows.row,
                                                  .c = sums,
                                                  .c_row = sums_row,
                                                  .keep = first_use ? Keep::nothing : Keep::all,
                                                  .ahead = {read, written}});
  }

  void add_to_queries(const TilePlace& place, bool first_tile) const {
    const Index width = padded<T>(p_.dim);
    const Rows<T> k = padded_rows(p_.k, place.b, place.h, place.first_key, place.keys, p_.dim, T(1), Scratch::key_rows);
    TileProduct<T> product = sums_over_keys(place, dlogits_, k, dq_, width);
    product.keep = first_tile ? Keep::nothing : Keep::all;
    VisiblePart(p_, place).over_keys(run_, product);
  }

  void add_to_bias(const TilePlace& place, T* dense_bias) const {
    for (Index i = 0; i < place.queries; ++i) {
      T* const row = dense_bias + (place.h * p_.queries + place.first_query + i) * p_.keys + place.first_key;
      for (Index j = 0; j < place.keys; ++j) row[j] += dlogits_[j * place.row + i];
    }
  }

  const AttendProblem<T>& p_;
  const TileOperations<T>& run_;
  const Outputs<T>& outputs_;
  const AttendGradientViews<T>& gradients_;
  bool values_alone_, whole_tiles_;
  BlockLogits<T> logits_;
  T *weights_, *dlogits_, *dq_;
  Rows<T> dout_rows_, q_rows_;
  const T *dout_lanes_, *second_dout_lanes_ = nullptr;
  T *largest_, *inverse_normaliser_, *mean_;
  double* wide_largest_;
};

// Part `part` of the queries of one head.
template <typename T>
void backward_part(const AttendProblem<T>& p, const KeyNorms<T>& key_norms, const Outputs<T>& outputs, Index b, Index h,
                   Index part, const PartialSums<T>& all_sums, const AttendGradientViews<T>& gradients) {
  const Index blocks = (p.queries + tile_queries - 1) / tile_queries;
  KeySums<T> sums = all_sums.of(b * p.heads + h, part);
  // Every parts-th block, so that a causal mask leaves all parts alike.
  for (Index block = part; block < blocks; block += all_sums.parts) {
    TilePlace place{.b = b, .h = h, .first_query = block * tile_queries};
    place.queries = std::min(tile_queries, p.queries - place.first_query);
    place.row = padded<T>(place.queries);
    if (gradients.dense_bias != nullptr && b == 0)
      std::fill_n(gradients.dense_bias + (h * p.queries + place.first_query) * p.keys, place.queries * p.keys, T(0));
    QueryBlock<T> queries(p, key_norms, outputs, place, gradients);
    const KeyTiles keys = key_tiles(p, place);
    if (keys.first > sums.touched) all_sums.fill_up_to(keys.first, sums);
    for_each_tile(keys, place, [&](const TilePlace& tile) {
      queries.add_tile(tile, tile.first_key == keys.first, sums, gradients.dense_bias);
    });
    if (gradients.q.data != nullptr) queries.write_queries(place, keys.end > keys.first, gradients.q);
  }
  all_sums.fill_up_to(p.keys, sums);
}

}  // namespace

template <typename T>
void attend_backward_view(const AttendProblem<T>& p, HeadsView<const T> out, const T* largest, const T* normaliser,
                          HeadsView<const T> dout, const AttendGradientViews<T>& gradients, const SecondUse<T>* second,
                          const T* dlse) {
  const Outputs<T> outputs{out, largest, normaliser, dout, second, dlse};
  KeyNorms<T> key_norms(p);
  const PartialSums<T> sums(p, gradients);
  const Index heads = p.batch * p.heads;

  // The gradient of the bias sums over sequences: then one task goes through all of them, in order.
  const Index sequences_per_task = gradients.dense_bias != nullptr ? p.batch : 1;
  const auto for_each = heads_are_tiles(p) ? parallel::for_each_block_in_runs : parallel::for_each_block;
  for_each(heads / sequences_per_task * sums.parts, p.threads, [&](Index task) {
    const Index part = task % sums.parts, h = task / sums.parts % p.heads;
    const Index first_sequence = task / sums.parts / p.heads * sequences_per_task;
    for (Index b = first_sequence; b < first_sequence + sequences_per_task; ++b) {
      key_norms.form(b, h);
      backward_part(p, key_norms, outputs, b, h, part, sums, gradients);
    }
  });
  if (sums.in_place()) return;

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
