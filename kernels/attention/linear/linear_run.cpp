#include "kernels/attention/linear/linear_run.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "kernels/attention/attend/tile_operations.hpp"
#include "kernels/attention/real_tokens.hpp"
#include "kernels/parallel/blocks.hpp"
#include "kernels/simd/lanes.hpp"

namespace attest::attention {
namespace {

/// Tokens that are taken at once. Under a causal mask those of one chunk meet pair by pair, and those before it through
/// their sums.
constexpr Index chunk = 64;

using Lane = simd::Lanes<double, 32>;

/// The terms of a dot product are added up in eight sums.
constexpr Index parts = 8;
static_assert(parts == Index{2} * Lane::count);

/// c[d] += sum_i rows[i][d] factors[i] for features d first .. first + registers * Lane::count - 1, with the bits of a
/// product: of one column, which would fill a whole register.
template <int registers>
void add_column(const Matrix& rows, Index count, const double* factors, Index factors_apart, Index first, double* c,
                Index c_apart) {
  Lane sums[registers];
  for (Index i = 0; i < count; ++i) {
    const Lane factor(factors[i * factors_apart]);
#pragma GCC unroll 4
    for (int r = 0; r < registers; ++r)
      sums[r] = fused(Lane::load(rows.at(i) + first + Index{r} * Lane::count), factor, sums[r]);
  }
  double entries[Index{registers} * Lane::count];
#pragma GCC unroll 4
  for (int r = 0; r < registers; ++r) sums[r].store(entries + Index{r} * Lane::count);
  for (Index l = 0; l < Index{registers} * Lane::count; ++l) c[(first + l) * c_apart] += entries[l];
}

/// One head of one sequence.
class Head {
 public:
  Head(const LinearProblem& problem, Index b, Index h)
      : problem_(problem),
        causal_(problem.options.causal),
        b_(b),
        h_(h),
        dim_(problem.dim),
        width_(problem.value_dim + 1),
        whole_(padded<double>(problem.value_dim)),
        queries_(problem.queries),
        keys_(real_tokens(problem.options.key_lengths, b, problem.keys)),
        state_(dim_, width_),
        d_state_(dim_, width_),
        turned_state_(width_, dim_),
        phi_q_(chunk, dim_),
        phi_k_(chunk, dim_),
        values_(chunk, width_),
        y_(chunk, width_),
        turned_(std::max(dim_, width_), chunk),
        pairs_(chunk, chunk),
        d_phi_(chunk, dim_) {
    for (Index j = 0; j < chunk; ++j) values_.at(j)[width_ - 1] = 1;
  }

  void forward(LinearSums& sums, const StoreRows& out) {
    if (!causal_) sum_keys();
    for (Index first = 0; first < queries_; first += chunk) {
      const Index count = form_sums(first);
      for (Index i = 0; i < count; ++i) {
        double* const y = y_.at(i);
        const double denominator = y[width_ - 1] + problem_.options.epsilon;
        sums.denominator.data()[row(first + i)] = denominator;
        const Lane by(denominator);
        for (Index d = 0; d < y_.row; d += Lane::count) (Lane::load(y + d) / by).store(y + d);
      }
      out(place(first, count), y_);
      if (causal_) add_chunk();
    }
    if (!causal_)
      for (Index d = 0; d < dim_; ++d) std::copy_n(state_.at(d), width_, sums.state.data() + saved_row(d));
  }

  void backward(const LinearSums& sums, const LoadRows& dout, const LinearGradientRows& gradients) {
    Matrix dy(causal_ ? queries_ : 0, width_);
    backward_queries(sums, dout, dy, gradients.q);
    backward_keys(dy, gradients);
  }

 private:
  Index row(Index i) const { return (b_ * problem_.heads + h_) * queries_ + i; }
  Index count_of(Index first, Index tokens) const { return std::clamp<Index>(tokens - first, 0, chunk); }
  RowsPlace place(Index first, Index count) const { return {b_, h_, first, count}; }
  Index saved_row(Index d) const { return ((b_ * problem_.heads + h_) * dim_ + d) * width_; }

  /// phi(x) = max(x, 0) + exp(min(x, 0)).
  void load_features(const LoadRows& x, Index first, Index count, Matrix& phi) const {
    x(place(first, count), phi);
    // Rows are whole registers; what fills them up is never read.
    tile_operations<double>().back()->features(phi.at(0), count * phi.row);
  }

  /// Features and [v_j, 1] of a chunk of keys; how many there are.
  Index load_keys(Index first) {
    loaded_keys_ = count_of(first, keys_);
    if (loaded_keys_ == 0) return 0;
    load_features(problem_.k, first, loaded_keys_, phi_k_);
    problem_.v(place(first, loaded_keys_), values_);
    return loaded_keys_;
  }

  /// state += phi^T rows of `count` tokens. The last column alone would take a register for itself where the others
  /// fill theirs.
  void add_to_state(const Matrix& phi, Index count, const double* rows, Matrix& state) const {
    const bool alone = whole_ < state.row && dim_ % parts == 0;
    multiply(dim_, count, phi, Turned::yes, rows, alone ? whole_ : state.row, state.row, state.at(0),
             Onto::what_is_there);
    if (!alone) return;
    const double* const factors = rows + width_ - 1;
    double* const column = state.at(0) + width_ - 1;
    Index d = 0;
    for (; d + 2 * parts <= dim_; d += 2 * parts) add_column<4>(phi, count, factors, state.row, d, column, state.row);
    for (; d < dim_; d += parts) add_column<2>(phi, count, factors, state.row, d, column, state.row);
  }

  /// state += phi(k)^T [v, 1] of the chunk.
  void add_chunk() { add_to_state(phi_k_, loaded_keys_, values_.at(0), state_); }

  void sum_keys() {
    for (Index first = 0; first < keys_; first += chunk) {
      load_keys(first);
      add_chunk();
    }
  }

  /// pairs = a b^T of the loaded chunk's queries and keys, and zero where the query is before the key.
  void form_pairs(Index queries, const Matrix& a, const Matrix& b, Index features) {
    turn(b, loaded_keys_, features, turned_);
    multiply(queries, features, a, Turned::no, turned_.at(0), turned_.row, pairs_.at(0), Onto::nothing);
    for (Index i = 0; i < queries; ++i) std::fill(pairs_.at(i) + std::min(i + 1, chunk), pairs_.at(i) + chunk, 0.0);
  }

  /// y = sum_j phi(q_i).phi(k_j) [v_j, 1] over the keys that each query of the chunk sees; how many queries.
  Index form_sums(Index first) {
    const Index count = count_of(first, queries_);
    load_features(problem_.q, first, count, phi_q_);
    multiply(count, dim_, phi_q_, Turned::no, state_.at(0), state_.row, y_.at(0), Onto::nothing);
    if (causal_ && load_keys(first) > 0) {
      form_pairs(count, phi_q_, phi_k_, dim_);
      multiply(count, loaded_keys_, pairs_, Turned::no, values_.at(0), values_.row, y_.at(0), Onto::what_is_there);
    }
    return count;
  }

  /// d phi -> dx, by phi' = min(phi, 1).
  void store_through_features(const Matrix& phi, Index first, Index count, const StoreRows& dx) {
    const Lane one(1.0);
    double* const d_phi = d_phi_.at(0);
    const double* const features = phi.at(0);
    for (Index at = 0; at < count * phi.row; at += Lane::count) {
      const Lane feature = Lane::load(features + at);
      (Lane::load(d_phi + at) * if_less(feature, one, feature, one)).store(d_phi + at);
    }
    dx(place(first, count), d_phi_);
  }

  /// The gradient of y = [u, s] from that of out = u / (s + epsilon), in place of y: [dout, -dout.u / (s + epsilon)] /
  /// (s + epsilon).
  void sums_to_gradients(const double* dout, double denominator, double* y) const {
    const Index values = width_ - 1;
    const double inverse = 1 / denominator;
    // Entries that fill up a row are zero in dout.
    Lane low, high;
    for (Index d = 0; d + parts <= values; d += parts) {
      low = low + Lane::load(dout + d) * Lane::load(y + d);
      high = high + Lane::load(dout + d + Lane::count) * Lane::load(y + d + Lane::count);
    }
    double sums[parts];
    low.store(sums);
    high.store(sums + Lane::count);
    for (Index d = values / parts * parts, part = 0; d < values; ++d, ++part) sums[part] += dout[d] * y[d];
    const Lane factor(inverse);
    for (Index d = 0; d < whole_; d += Lane::count) (Lane::load(dout + d) * factor).store(y + d);
    y[values] = -std::accumulate(sums, sums + parts, 0.0) * inverse * inverse;
  }

  /// The gradients of the sums y, and from them those of q; kept in `dy` under a causal mask, added up otherwise.
  void backward_queries(const LinearSums& sums, const LoadRows& dout, Matrix& dy, const StoreRows& dq) {
    Matrix dout_rows(chunk, width_);
    if (!causal_) {
      for (Index d = 0; d < dim_; ++d) std::copy_n(sums.state.data() + saved_row(d), width_, state_.at(d));
      turn(state_, dim_, width_, turned_state_);
    }
    for (Index first = 0; first < queries_; first += chunk) {
      // The output before its rounding: what is taken from it below may nearly cancel.
      const Index count = form_sums(first);
      dout(place(first, count), dout_rows);
      for (Index i = 0; i < count; ++i)
        sums_to_gradients(dout_rows.at(i), sums.denominator.data()[row(first + i)], y_.at(i));
      if (causal_) {
        std::copy_n(y_.at(0), count * dy.row, dy.at(first));
        turn(state_, dim_, width_, turned_state_);
      } else {
        add_to_state(phi_q_, count, y_.at(0), d_state_);
      }
      multiply(count, width_, y_, Turned::no, turned_state_.at(0), turned_state_.row, d_phi_.at(0), Onto::nothing);
      if (causal_ && loaded_keys_ > 0) {
        form_pairs(count, y_, values_, width_);
        multiply(count, loaded_keys_, pairs_, Turned::no, phi_k_.at(0), phi_k_.row, d_phi_.at(0), Onto::what_is_there);
        add_chunk();
      }
      store_through_features(phi_q_, first, count, dq);
    }
  }

  /// The gradients of k and v by the sum of phi(q_i)^T dy_i, which a causal mask makes on the way, from the last chunk
  /// to the first.
  void backward_keys(const Matrix& dy, const LinearGradientRows& gradients) {
    if (!causal_) {
      turn(d_state_, dim_, width_, turned_state_);
      for (Index first = 0; first < keys_; first += chunk) {
        load_keys(first);
        through_d_state();
        store_keys(first, gradients);
      }
      return;
    }
    const Index chunks = (std::max(keys_, queries_) + chunk - 1) / chunk;
    for (Index first = (chunks - 1) * chunk; first >= 0; first -= chunk) {
      const Index keys = load_keys(first), queries = count_of(first, queries_);
      if (queries > 0) load_features(problem_.q, first, queries, phi_q_);
      if (keys > 0) {
        turn(d_state_, dim_, width_, turned_state_);
        through_d_state();
        if (queries > 0) through_pairs(dy, first, queries);
        store_keys(first, gradients);
      }
      if (queries > 0) add_to_state(phi_q_, queries, dy.at(first), d_state_);
    }
  }

  /// d phi = [v, 1] d_state^T and d v = phi d_state of the loaded keys, the latter in place of y.
  void through_d_state() {
    multiply(loaded_keys_, width_, values_, Turned::no, turned_state_.at(0), turned_state_.row, d_phi_.at(0),
             Onto::nothing);
    multiply(loaded_keys_, dim_, phi_k_, Turned::no, d_state_.at(0), whole_, d_state_.row, y_.at(0), Onto::nothing);
  }

  /// What the queries of the same chunk add.
  void through_pairs(const Matrix& dy, Index first, Index queries) {
    form_pairs(queries, phi_q_, phi_k_, dim_);
    multiply(loaded_keys_, queries, pairs_, Turned::yes, dy.at(first), whole_, dy.row, y_.at(0), Onto::what_is_there);
    Matrix of_chunk(chunk, width_);
    std::copy_n(dy.at(first), queries * dy.row, of_chunk.at(0));
    form_pairs(queries, of_chunk, values_, width_);
    multiply(loaded_keys_, queries, pairs_, Turned::yes, phi_q_.at(0), phi_q_.row, d_phi_.at(0), Onto::what_is_there);
  }

  void store_keys(Index first, const LinearGradientRows& gradients) {
    store_through_features(phi_k_, first, loaded_keys_, gradients.k);
    gradients.v(place(first, loaded_keys_), y_);
  }

  const LinearProblem& problem_;
  bool causal_;
  Index b_, h_, dim_, width_, whole_, queries_, keys_, loaded_keys_ = 0;
  Matrix state_, d_state_, turned_state_, phi_q_, phi_k_, values_, y_, turned_, pairs_, d_phi_;
};

}  // namespace

LinearSums run_linear(const LinearProblem& p, const StoreRows& out) {
  if (!(p.options.epsilon > 0)) throw std::invalid_argument("linear_attend: epsilon must be above 0");
  LinearSums sums{Tensor<double>(), Tensor<double>({p.batch, p.heads, p.queries})};
  if (!p.options.causal) sums.state = Tensor<double>({p.batch, p.heads, p.dim, p.value_dim + 1});
  parallel::for_each_block(p.batch * p.heads, p.options.threads,
                           [&](std::int64_t head) { Head(p, head / p.heads, head % p.heads).forward(sums, out); });
  return sums;
}

void run_linear_backward(const LinearProblem& p, const LinearSums& sums, const LoadRows& dout,
                         const LinearGradientRows& gradients) {
  parallel::for_each_block(p.batch * p.heads, p.options.threads, [&](std::int64_t head) {
    Head(p, head / p.heads, head % p.heads).backward(sums, dout, gradients);
  });
}

}  // namespace attest::attention
