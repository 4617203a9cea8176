#include "kernels/attention/sparse/strided.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "kernels/attention/attend/attend_view.hpp"
#include "kernels/attention/attend/block_logits.hpp"
#include "kernels/attention/attend/tile_memory.hpp"
#include "kernels/parallel/blocks.hpp"

namespace attest::attention {
namespace {

/// Tokens 0 .. count - 1 whose place leaves `remainder` when divided by `stride`.
Index tokens_of(Index count, Index remainder, Index stride) {
  return std::max<Index>(count - remainder + stride - 1, 0) / stride;
}

/// Remainders first .. first + count - 1, which have equally many queries and equally many keys.
struct Remainders {
  Index first, count, queries, keys;
};

std::vector<Remainders> remainders(Index queries, Index keys, Index stride) {
  const std::set<Index> ends{queries % stride, keys % stride, std::min(stride, queries)};
  std::vector<Remainders> all;
  Index first = 0;
  for (const Index end : ends) {
    if (end <= first || first >= queries) continue;
    all.push_back({first, end - first, tokens_of(queries, first, stride), tokens_of(keys, first, stride)});
    first = end;
  }
  return all;
}

/// The tokens of sequence b that leave the remainders from `first`: the remainder takes the place of the sequence.
template <typename T>
HeadsView<T> of_remainders(HeadsView<T> view, Index b, Index first, Index stride) {
  return {view.data + b * view.batch + first * view.token, view.token, view.head, stride * view.token};
}

template <typename T>
AttendProblem<T> whole_problem(const Tensor<T>& q, const Tensor<T>& k, const Tensor<T>& v,
                               const StridedOptions<T>& options) {
  return {.batch = q.extent(0),
          .heads = q.extent(1),
          .queries = q.extent(2),
          .keys = k.extent(2),
          .dim = q.extent(3),
          .value_dim = v.extent(3),
          .q = heads_view(q),
          .k = heads_view(k),
          .v = heads_view(v),
          .scale = options.scale,
          .mask = {.causal = options.causal,
                   .key_lengths = options.key_lengths.empty() ? nullptr : options.key_lengths.data()},
          .threads = options.threads};
}

/// A problem whose keys' norms are known to all that is made of it.
template <typename T>
struct WithKeyNorms {
  explicit WithKeyNorms(AttendProblem<T> p) : problem(p), squares(squared_key_norms(p)) {
    problem.key_squares = {squares.get(), p.heads * p.keys, p.keys, 1};
  }
  AttendProblem<T> problem;

 private:
  AlignedArray<float> squares;
};

/// Keys nearer than the stride, the query's own aside.
template <typename T>
AttendProblem<T> near_problem(const AttendProblem<T>& whole, Index stride) {
  AttendProblem<T> near = whole;
  near.band = {stride - 1, stride - 1, false};
  return near;
}

/// body(problem, b, remainders): the dense attentions of every sequence.
template <typename T, typename Body>
void for_each_class(const AttendProblem<T>& whole, Index stride, const Body& body) {
  std::vector<Index> lengths;
  for (Index b = 0; b < whole.batch; ++b)
    for (const Remainders& r : remainders(whole.queries, whole.keys, stride)) {
      if (r.keys == 0) continue;
      AttendProblem<T> problem = whole;
      problem.batch = r.count;
      problem.queries = r.queries;
      problem.keys = r.keys;
      problem.q = of_remainders(whole.q, b, r.first, stride);
      problem.k = of_remainders(whole.k, b, r.first, stride);
      problem.v = of_remainders(whole.v, b, r.first, stride);
      if (const KeySquares& all = whole.key_squares; all.data != nullptr)
        problem.key_squares = {all.data + b * all.batch + r.first * all.token, all.token, all.head, stride * all.token};
      if (whole.mask.key_lengths != nullptr) {
        lengths.resize(static_cast<std::size_t>(r.count));
        for (Index c = 0; c < r.count; ++c)
          lengths[static_cast<std::size_t>(c)] = tokens_of(whole.mask.key_lengths[b], r.first + c, stride);
        problem.mask.key_lengths = lengths.data();
      }
      body(problem, b, r);
    }
}

/// Numbers of rows, [B][H][N_q], in the order that a class has them, [class][H][N_q of it], and back.
template <typename T>
class RowNumbers {
 public:
  RowNumbers(const AttendProblem<T>& whole, Index b, const Remainders& r, Index stride)
      : whole_(whole), b_(b), r_(r), stride_(stride) {}
  Index count() const { return r_.count * whole_.heads * r_.queries; }
  void gather(const T* from, T* to) const {
    for_each([&](Index in_class, Index in_whole) { to[in_class] = from[in_whole]; });
  }
  void scatter(const T* from, T* to) const {
    for_each([&](Index in_class, Index in_whole) { to[in_whole] = from[in_class]; });
  }

 private:
  template <typename Move>
  void for_each(const Move& move) const {
    for (Index c = 0; c < r_.count; ++c)
      for (Index h = 0; h < whole_.heads; ++h)
        for (Index t = 0; t < r_.queries; ++t)
          move((c * whole_.heads + h) * r_.queries + t,
               (b_ * whole_.heads + h) * whole_.queries + r_.first + c + t * stride_);
  }
  const AttendProblem<T>& whole_;
  Index b_;
  const Remainders& r_;
  Index stride_;
};

/// The second part of each row joins the first.
template <typename T>
void join(Attended<T>& into, const Attended<T>& other, unsigned threads) {
  constexpr Index rows_per_task = 1024;
  const Index rows = into.largest.size(), width = into.out.extent(3);
  parallel::for_each_block((rows + rows_per_task - 1) / rows_per_task, threads, [&](Index task) {
    for (Index i = task * rows_per_task; i < std::min(rows, (task + 1) * rows_per_task); ++i) {
      T &largest = into.largest.data()[i], &normaliser = into.normaliser.data()[i];
      const T other_largest = other.largest.data()[i], other_normaliser = other.normaliser.data()[i];
      if (other_normaliser == 0) continue;
      const auto most = static_cast<double>(std::max(largest, other_largest));
      const double own = static_cast<double>(normaliser) * std::exp(static_cast<double>(largest) - most),
                   others = static_cast<double>(other_normaliser) * std::exp(static_cast<double>(other_largest) - most);
      const double sum = own + others;
      const T left = static_cast<T>(own / sum), right = static_cast<T>(others / sum);
      T* const row = into.out.data() + i * width;
      const T* const other_row = other.out.data() + i * width;
      for (Index d = 0; d < width; ++d) row[d] = left * row[d] + right * other_row[d];
      largest = static_cast<T>(most);
      normaliser = static_cast<T>(sum);
    }
  });
}

template <typename T>
void add_to(T* to, const Tensor<T>& terms) {
  for (Index i = 0; i < terms.size(); ++i) to[i] += terms.data()[i];
}

/// Adds the gradients of the near keys, which are one task per head either way: what a head adds is still at hand.
template <typename T>
void add_near_gradients(const AttendProblem<T>& near, const Attended<T>& attended, const Tensor<T>& dout,
                        AttendGradients<T>& g) {
  parallel::for_each_block(near.batch * near.heads, near.threads, [&](Index task) {
    const Index b = task / near.heads, h = task % near.heads;
    const auto of_head = [&](auto view) {
      view.data = view.row(b, h, 0);
      return view;
    };
    AttendProblem<T> problem = near;
    problem.batch = problem.heads = 1;
    problem.q = of_head(near.q);
    problem.k = of_head(near.k);
    problem.v = of_head(near.v);
    problem.threads = 1;
    if (const KeySquares& all = near.key_squares; all.data != nullptr)
      problem.key_squares.data = all.data + b * all.batch + h * all.head;
    if (near.mask.key_lengths != nullptr) problem.mask.key_lengths = near.mask.key_lengths + b;
    Tensor<T> q = Tensor<T>::unfilled({1, 1, near.queries, near.dim}),
              k = Tensor<T>::unfilled({1, 1, near.keys, near.dim}),
              v = Tensor<T>::unfilled({1, 1, near.keys, near.value_dim});
    attend_backward_view<T>(problem, of_head(heads_view(attended.out)), &attended.largest.data()[task * near.queries],
                            &attended.normaliser.data()[task * near.queries], of_head(heads_view(dout)),
                            {heads_view(q), heads_view(k), heads_view(v)});
    add_to(&g.q.at(b, h, 0, 0), q);
    add_to(&g.k.at(b, h, 0, 0), k);
    add_to(&g.v.at(b, h, 0, 0), v);
  });
}

/// An array for what the classes write; where some have queries or keys alone, and nothing is written for them, zeros.
template <typename T>
Tensor<T> for_all_classes(const AttendProblem<T>& p, Index stride, const Shape& shape) {
  const bool all_have_both = std::min(stride, p.queries) == std::min(stride, p.keys);
  return all_have_both ? Tensor<T>::unfilled(shape) : Tensor<T>(shape);
}

template <typename T>
Attended<T> empty_result(const AttendProblem<T>& p, Index stride) {
  const Shape rows{p.batch, p.heads, p.queries};
  const auto array = [&](const Shape& shape) { return for_all_classes(p, stride, shape); };
  Attended<T> result{array({p.batch, p.heads, p.queries, p.value_dim}), array(rows), array(rows)};
  std::fill(result.largest.values().begin(), result.largest.values().end(), -std::numeric_limits<T>::infinity());
  return result;
}

}  // namespace

template <typename T>
Attended<T> strided_attend(const Tensor<T>& q, const Tensor<T>& k, const Tensor<T>& v,
                           const StridedOptions<T>& options) {
  const WithKeyNorms<T> known(whole_problem(q, k, v, options));
  const AttendProblem<T>& whole = known.problem;
  Attended<T> result = empty_result(whole, options.stride);
  std::vector<T> largest, normaliser;
  for_each_class(whole, options.stride, [&](const AttendProblem<T>& problem, Index b, const Remainders& r) {
    const RowNumbers<T> rows(whole, b, r, options.stride);
    largest.resize(static_cast<std::size_t>(rows.count()));
    normaliser.resize(largest.size());
    attend_view(problem, of_remainders(heads_view(result.out), b, r.first, options.stride), largest.data(),
                normaliser.data());
    rows.scatter(largest.data(), result.largest.data());
    rows.scatter(normaliser.data(), result.normaliser.data());
  });
  if (options.stride == 1) return result;
  const auto space = [](const Tensor<T>& like) { return Tensor<T>::unfilled(like.shape()); };
  Attended<T> near{space(result.out), space(result.largest), space(result.normaliser)};
  attend_view(near_problem(whole, options.stride), heads_view(near.out), near.largest.data(), near.normaliser.data());
  join(result, near, options.threads);
  return result;
}

template <typename T>
AttendGradients<T> strided_attend_backward(const Tensor<T>& q, const Tensor<T>& k, const Tensor<T>& v,
                                           const StridedOptions<T>& options, const Attended<T>& attended,
                                           const Tensor<T>& dout) {
  const WithKeyNorms<T> known(whole_problem(q, k, v, options));
  const AttendProblem<T>& whole = known.problem;
  const auto space = [&](const Tensor<T>& like) { return for_all_classes(whole, options.stride, like.shape()); };
  AttendGradients<T> g{space(q), space(k), space(v), Tensor<T>()};
  std::vector<T> largest, normaliser;
  for_each_class(whole, options.stride, [&](const AttendProblem<T>& problem, Index b, const Remainders& r) {
    const RowNumbers<T> rows(whole, b, r, options.stride);
    largest.resize(static_cast<std::size_t>(rows.count()));
    normaliser.resize(largest.size());
    rows.gather(attended.largest.data(), largest.data());
    rows.gather(attended.normaliser.data(), normaliser.data());
    const auto view = [&](auto array) { return of_remainders(array, b, r.first, options.stride); };
    attend_backward_view<T>(problem, view(heads_view(attended.out)), largest.data(), normaliser.data(),
                            view(heads_view(dout)),
                            {view(heads_view(g.q)), view(heads_view(g.k)), view(heads_view(g.v))});
  });
  if (options.stride == 1) return g;
  add_near_gradients(near_problem(whole, options.stride), attended, dout, g);
  return g;
}

#define ATTEST_INSTANTIATE(T)                                                                                          \
  template Attended<T> strided_attend(const Tensor<T>&, const Tensor<T>&, const Tensor<T>&, const StridedOptions<T>&); \
  template AttendGradients<T> strided_attend_backward(const Tensor<T>&, const Tensor<T>&, const Tensor<T>&,            \
                                                      const StridedOptions<T>&, const Attended<T>&, const Tensor<T>&);
ATTEST_INSTANTIATE(float)
ATTEST_INSTANTIATE(double)
#undef ATTEST_INSTANTIATE

}  // namespace attest::attention
