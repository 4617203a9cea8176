#include "kernels/attention/linear/linear.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "kernels/attention/attend/tile_operations.hpp"
#include "kernels/attention/matrix/matrix.hpp"
#include "kernels/parallel/blocks.hpp"
#include "kernels/simd/lanes.hpp"

namespace attest::attention {
namespace {

/// Tokens that are taken at once. Under a causal mask those of one chunk meet pair by pair, and those before it through
/// their sums.
constexpr Index chunk = 64;

using Lane = simd::Lanes<double, 32>;

/// One head of one sequence, in double.
template <typename T>
class Head {
 public:
  Head(const Tensor<T>& q, const Tensor<T>& k, const Tensor<T>& v, const LinearOptions& options, Index b, Index h)
      : q_(q),
        k_(k),
        v_(v),
        causal_(options.causal),
        epsilon_(options.epsilon),
        b_(b),
        h_(h),
        dim_(q.extent(3)),
        width_(v.extent(3) + 1),
        queries_(q.extent(2)),
        keys_(options.key_lengths.empty() ? k.extent(2) : options.key_lengths[static_cast<std::size_t>(b)]),
        state_(dim_, width_),
        d_state_(dim_, width_),
        turned_state_(width_, dim_),
        phi_q_(chunk, dim_),
        phi_k_(chunk, dim_),
        values_(chunk, width_),
        y_(chunk, width_),
        turned_(std::max(dim_, width_), chunk),
        pairs_(chunk, chunk),
        d_phi_(chunk, dim_) {}

  void forward(LinearAttended<T>& result) {
    if (!causal_) sum_keys();
    for (Index first = 0; first < queries_; first += chunk) {
      const Index count = form_sums(first);
      for (Index i = 0; i < count; ++i) {
        const double denominator = y_.at(i)[width_ - 1] + epsilon_;
        result.denominator.data()[row(first + i)] = denominator;
        T* const out = &result.out.at(b_, h_, first + i, 0);
        const double* const y = y_.at(i);
        for (Index d = 0; d + 1 < width_; ++d) out[d] = static_cast<T>(y[d] / denominator);
      }
      if (causal_) add_chunk();
    }
    if (!causal_)
      for (Index d = 0; d < dim_; ++d)
        std::copy_n(state_.at(d), width_, result.state.data() + ((b_ * q_.extent(1) + h_) * dim_ + d) * width_);
  }

  void backward(const LinearAttended<T>& attended, const Tensor<T>& dout, LinearGradients<T>& g) {
    Matrix dy(causal_ ? queries_ : 0, width_);
    backward_queries(attended, dout, dy, g);
    backward_keys(dy, g);
  }

 private:
  Index row(Index i) const { return (b_ * q_.extent(1) + h_) * queries_ + i; }
  Index count_of(Index first, Index tokens) const { return std::clamp<Index>(tokens - first, 0, chunk); }

  /// phi(x) = max(x, 0) + exp(min(x, 0)).
  void load_features(const Tensor<T>& x, Index first, Index count, Matrix& phi) const {
    for (Index i = 0; i < count; ++i) {
      const T* const from = &x.at(b_, h_, first + i, 0);
      double* const to = phi.at(i);
      for (Index d = 0; d < dim_; ++d) to[d] = static_cast<double>(from[d]);
    }
    // Rows are whole registers; what fills them up is never read.
    tile_operations<double>().back()->features(phi.at(0), count * phi.row);
  }

  /// Features and [v_j, 1] of a chunk of keys; how many there are.
  Index load_keys(Index first) {
    loaded_keys_ = count_of(first, keys_);
    if (loaded_keys_ == 0) return 0;
    load_features(k_, first, loaded_keys_, phi_k_);
    for (Index j = 0; j < loaded_keys_; ++j) {
      const T* const from = &v_.at(b_, h_, first + j, 0);
      double* const to = values_.at(j);
      for (Index d = 0; d + 1 < width_; ++d) to[d] = static_cast<double>(from[d]);
      to[width_ - 1] = 1;
    }
    return loaded_keys_;
  }

  /// state += phi(k)^T [v, 1] of the chunk.
  void add_chunk() {
    multiply(dim_, loaded_keys_, phi_k_, Turned::yes, values_.at(0), values_.row, state_.at(0), Onto::what_is_there);
  }

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
    load_features(q_, first, count, phi_q_);
    multiply(count, dim_, phi_q_, Turned::no, state_.at(0), state_.row, y_.at(0), Onto::nothing);
    if (causal_ && load_keys(first) > 0) {
      form_pairs(count, phi_q_, phi_k_, dim_);
      multiply(count, loaded_keys_, pairs_, Turned::no, values_.at(0), values_.row, y_.at(0), Onto::what_is_there);
    }
    return count;
  }

  /// d phi -> dx, by phi' = min(phi, 1).
  void write_through_features(const Matrix& phi, Index first, Index count, Tensor<T>& dx) {
    for (Index i = 0; i < count; ++i) {
      double* const row = d_phi_.at(i);
      for (Index d = 0; d < phi.row; d += Lane::count) {
        const Lane feature = Lane::load(phi.at(i) + d), one(1.0);
        (Lane::load(row + d) * if_less(feature, one, feature, one)).store(row + d);
      }
      T* const to = &dx.at(b_, h_, first + i, 0);
      for (Index d = 0; d < dim_; ++d) to[d] = static_cast<T>(row[d]);
    }
  }

  /// The gradients of the sums y, and from them those of q; kept in `dy` under a causal mask, added up otherwise.
  void backward_queries(const LinearAttended<T>& attended, const Tensor<T>& dout, Matrix& dy, LinearGradients<T>& g) {
    if (!causal_) {
      for (Index d = 0; d < dim_; ++d)
        std::copy_n(attended.state.data() + ((b_ * q_.extent(1) + h_) * dim_ + d) * width_, width_, state_.at(d));
      turn(state_, dim_, width_, turned_state_);
    }
    for (Index first = 0; first < queries_; first += chunk) {
      // The output before its rounding: what is taken from it below may nearly cancel.
      const Index count = form_sums(first);
      for (Index i = 0; i < count; ++i) {
        const double inverse = 1 / attended.denominator.data()[row(first + i)];
        const T* const in = &dout.at(b_, h_, first + i, 0);
        const double* const y = y_.at(i);
        double* const to = y_.at(i);
        double means[8] = {};
        Index d = 0;
        for (; d + 8 < width_; d += 8)
          for (Index part = 0; part < 8; ++part) means[part] += static_cast<double>(in[d + part]) * y[d + part];
        for (Index part = 0; d + 1 < width_; ++d, ++part) means[part] += static_cast<double>(in[d]) * y[d];
        for (d = 0; d + 1 < width_; ++d) to[d] = static_cast<double>(in[d]) * inverse;
        to[width_ - 1] = -std::accumulate(means, means + 8, 0.0) * inverse * inverse;
      }
      if (causal_) {
        std::copy_n(y_.at(0), count * dy.row, dy.at(first));
        turn(state_, dim_, width_, turned_state_);
      } else {
        multiply(dim_, count, phi_q_, Turned::yes, y_.at(0), y_.row, d_state_.at(0), Onto::what_is_there);
      }
      multiply(count, width_, y_, Turned::no, turned_state_.at(0), turned_state_.row, d_phi_.at(0), Onto::nothing);
      if (causal_ && loaded_keys_ > 0) {
        form_pairs(count, y_, values_, width_);
        multiply(count, loaded_keys_, pairs_, Turned::no, phi_k_.at(0), phi_k_.row, d_phi_.at(0), Onto::what_is_there);
        add_chunk();
      }
      write_through_features(phi_q_, first, count, g.q);
    }
  }

  /// The gradients of k and v, from the last chunk to the first, by the sum of phi(q_i)^T dy_i, which a causal mask
  /// makes on the way.
  void backward_keys(const Matrix& dy, LinearGradients<T>& g) {
    if (!causal_) turn(d_state_, dim_, width_, turned_state_);
    const Index chunks = (std::max(keys_, queries_) + chunk - 1) / chunk;
    for (Index first = (chunks - 1) * chunk; first >= 0; first -= chunk) {
      const Index keys = load_keys(first);
      if (keys > 0) {
        if (causal_) turn(d_state_, dim_, width_, turned_state_);
        Matrix& d_values = y_;
        multiply(keys, width_, values_, Turned::no, turned_state_.at(0), turned_state_.row, d_phi_.at(0),
                 Onto::nothing);
        multiply(keys, dim_, phi_k_, Turned::no, d_state_.at(0), d_state_.row, d_values.at(0), Onto::nothing);
        if (const Index queries = causal_ ? count_of(first, queries_) : 0; queries > 0) {
          load_features(q_, first, queries, phi_q_);
          form_pairs(queries, phi_q_, phi_k_, dim_);
          multiply(keys, queries, pairs_, Turned::yes, dy.at(first), dy.row, d_values.at(0), Onto::what_is_there);
          Matrix of_chunk(chunk, width_);
          std::copy_n(dy.at(first), queries * dy.row, of_chunk.at(0));
          form_pairs(queries, of_chunk, values_, width_);
          multiply(keys, queries, pairs_, Turned::yes, phi_q_.at(0), phi_q_.row, d_phi_.at(0), Onto::what_is_there);
        }
        write_through_features(phi_k_, first, keys, g.k);
        for (Index j = 0; j < keys; ++j) {
          T* const to = &g.v.at(b_, h_, first + j, 0);
          for (Index d = 0; d + 1 < width_; ++d) to[d] = static_cast<T>(d_values.at(j)[d]);
        }
      }
      if (causal_) add_queries(dy, first);
    }
  }

  /// d_state += phi(q)^T dy of a chunk of queries.
  void add_queries(const Matrix& dy, Index first) {
    const Index count = count_of(first, queries_);
    if (count == 0) return;
    load_features(q_, first, count, phi_q_);
    multiply(dim_, count, phi_q_, Turned::yes, dy.at(first), dy.row, d_state_.at(0), Onto::what_is_there);
  }

  const Tensor<T>&q_, &k_, &v_;
  bool causal_;
  double epsilon_;
  Index b_, h_, dim_, width_, queries_, keys_, loaded_keys_ = 0;
  Matrix state_, d_state_, turned_state_, phi_q_, phi_k_, values_, y_, turned_, pairs_, d_phi_;
};

}  // namespace

template <typename T>
LinearAttended<T> linear_attend(const Tensor<T>& q, const Tensor<T>& k, const Tensor<T>& v,
                                const LinearOptions& options) {
  if (!(options.epsilon > 0)) throw std::invalid_argument("linear_attend: epsilon must be above 0");
  const Index batch = q.extent(0), heads = q.extent(1), queries = q.extent(2), value_dim = v.extent(3);
  LinearAttended<T> result{Tensor<T>({batch, heads, queries, value_dim}), Tensor<double>(),
                           Tensor<double>({batch, heads, queries})};
  if (!options.causal) result.state = Tensor<double>({batch, heads, q.extent(3), value_dim + 1});
  parallel::for_each_block(batch * heads, options.threads, [&](std::int64_t head) {
    Head<T>(q, k, v, options, head / heads, head % heads).forward(result);
  });
  return result;
}

template <typename T>
LinearGradients<T> linear_attend_backward(const Tensor<T>& q, const Tensor<T>& k, const Tensor<T>& v,
                                          const LinearOptions& options, const LinearAttended<T>& attended,
                                          const Tensor<T>& dout) {
  const Index heads = q.extent(1);
  LinearGradients<T> g{Tensor<T>(q.shape()), Tensor<T>(k.shape()), Tensor<T>(v.shape())};
  parallel::for_each_block(q.extent(0) * heads, options.threads, [&](std::int64_t head) {
    Head<T>(q, k, v, options, head / heads, head % heads).backward(attended, dout, g);
  });
  return g;
}

#define ATTEST_INSTANTIATE(T)                                                                              \
  template LinearAttended<T> linear_attend(const Tensor<T>&, const Tensor<T>&, const Tensor<T>&,           \
                                           const LinearOptions&);                                          \
  template LinearGradients<T> linear_attend_backward(const Tensor<T>&, const Tensor<T>&, const Tensor<T>&, \
                                                     const LinearOptions&, const LinearAttended<T>&,       \
                                                     const Tensor<T>&);
ATTEST_INSTANTIATE(float)
ATTEST_INSTANTIATE(double)
#undef ATTEST_INSTANTIATE

}  // namespace attest::attention
