#include "kernels/attention/nystrom/nystrom_run.hpp"

#include <algorithm>
#include <utility>

#include "kernels/parallel/blocks.hpp"

namespace attest::attention {
namespace {

/// The view that starts at sequence b.
template <typename T>
HeadsView<T> from_sequence(HeadsView<T> view, Index b) {
  view.data += b * view.batch;
  return view;
}
HeadsView<const double> from_sequence(const Tensor<double>& x, Index b) { return from_sequence(heads_view(x), b); }

/// Biases differ between sequences, so that each has its own call; otherwise one call is for all.
template <typename Body>
void for_each_call(const NystromRun& run, const Body& body) {
  if (run.f_bias.empty()) return body(0, run.batch());
  for (Index b = 0; b < run.batch(); ++b) body(b, 1);
}

NystromPass new_pass(const Tensor<double>& queries, Index value_dim) {
  const Index batch = queries.extent(0), heads = queries.extent(1), count = queries.extent(2);
  return {Tensor<double>({batch, heads, count, value_dim}), Tensor<double>({batch, heads, count}),
          Tensor<double>({batch, heads, count})};
}

void forward_pass(const AttendProblem<double>& problem, Index first, NystromPass& pass) {
  const Index rows = first * problem.heads * problem.queries;
  attend_view(problem, from_sequence(heads_view(pass.out), first), pass.largest.data() + rows,
              pass.normaliser.data() + rows);
}

struct PassGradients {
  Tensor<double> q, k, v;
};
void backward_pass(const AttendProblem<double>& problem, Index first, const NystromPass& pass,
                   const Tensor<double>& dout, PassGradients& g) {
  const Index rows = first * problem.heads * problem.queries;
  attend_backward_view<double>(problem, from_sequence(pass.out, first), pass.largest.data() + rows,
                               pass.normaliser.data() + rows, from_sequence(dout, first),
                               {from_sequence(heads_view(g.q), first), from_sequence(heads_view(g.k), first),
                                from_sequence(heads_view(g.v), first)});
}

AttendProblem<double> problem_of(const NystromRun& run, Index first, Index count, const Tensor<double>& q,
                                 const Tensor<double>& k, const Tensor<double>& v, const std::vector<Index>& lengths,
                                 const std::vector<Tensor<double>>& bias) {
  return {.batch = count,
          .heads = q.extent(1),
          .queries = q.extent(2),
          .keys = k.extent(2),
          .dim = q.extent(3),
          .value_dim = v.extent(3),
          .q = from_sequence(q, first),
          .k = from_sequence(k, first),
          .v = from_sequence(v, first),
          .mask = {.key_lengths = lengths.data() + first},
          .dense_bias = bias.empty() ? nullptr : bias[static_cast<std::size_t>(first)].data(),
          .threads = run.threads};
}

/// The head whose own column sum is c for every head, with the batch's maximum.
std::size_t owner_of_maximum(const NystromRun& run) {
  std::size_t owner = 0;
  double largest = -1;
  for (std::size_t i = 0; i < run.heads.size(); ++i) {
    if (!run.landmarks[i / static_cast<std::size_t>(run.head_count())].inverts()) continue;
    const double own = run.heads[i].a.col(run.heads[i].column).sum();
    if (own > largest) {
      largest = own;
      owner = i;
    }
  }
  return owner;
}

}  // namespace

RowsView rows_of(const Tensor<double>& x, Index b, Index h, Index rows) {
  return {&x.at(b, h, 0, 0), rows, x.extent(3)};
}
WritableRows rows_of(Tensor<double>& x, Index b, Index h, Index rows) { return {&x.at(b, h, 0, 0), rows, x.extent(3)}; }

bool NystromRun::any_inverts() const {
  return std::any_of(landmarks.begin(), landmarks.end(), [](const Landmarks& l) { return l.inverts(); });
}

AttendProblem<double> NystromRun::of_landmarks(Index first, Index count) const {
  return problem_of(*this, first, count, q_means, k, v, seen_keys, g_bias);
}
AttendProblem<double> NystromRun::of_queries(Index first, Index count) const {
  return problem_of(*this, first, count, q, k_means, zgv, seen_landmarks, f_bias);
}

void NystromRun::attend_to_keys() {
  g = new_pass(q_means, v.extent(3));
  if (any_inverts())
    for_each_call(*this, [&](Index first, Index count) { forward_pass(of_landmarks(first, count), first, g); });
}
void NystromRun::attend_to_landmarks() {
  f = new_pass(q, v.extent(3));
  for_each_call(*this, [&](Index first, Index count) { forward_pass(of_queries(first, count), first, f); });
}

NystromRunGradients backward(const NystromRun& run, const Tensor<double>& dout, bool batch_maximum) {
  const Index heads = run.head_count();
  PassGradients of_f{Tensor<double>(run.q.shape()), Tensor<double>(run.k_means.shape()),
                     Tensor<double>(run.zgv.shape())};
  for_each_call(
      run, [&](Index first, Index count) { backward_pass(run.of_queries(first, count), first, run.f, dout, of_f); });
  std::vector<NystromHeadGradients> parts(run.heads.size());
  Tensor<double> d_gv(run.zgv.shape());
  const auto for_each_head = [&](const auto& body) {
    parallel::for_each_block(run.batch() * heads, run.threads, [&](Index block) {
      const Landmarks& landmarks = run.landmarks[static_cast<std::size_t>(block / heads)];
      if (landmarks.count > 0) body(block / heads, block % heads, landmarks, static_cast<std::size_t>(block));
    });
  };
  for_each_head([&](Index b, Index h, const Landmarks& landmarks, std::size_t at) {
    if (landmarks.exact) return;
    const Index m = landmarks.count;
    const RowsView d_zgv = rows_of(std::as_const(of_f.v), b, h, m);
    rows_of(d_gv, b, h, m).noalias() = run.heads[at].z.transpose() * d_zgv;
    parts[at] = through_inverse(run.heads[at], d_zgv * rows_of(run.g.out, b, h, m).transpose());
  });
  PassGradients of_g{Tensor<double>(run.q_means.shape()), Tensor<double>(run.k.shape()), Tensor<double>(run.v.shape())};
  if (run.any_inverts())
    for_each_call(run, [&](Index first, Index count) {
      backward_pass(run.of_landmarks(first, count), first, run.g, d_gv, of_g);
    });
  double of_all = 0;
  for (const NystromHeadGradients& part : parts) of_all += part.c;
  const std::size_t owner = batch_maximum ? owner_of_maximum(run) : 0;
  for_each_head([&](Index b, Index h, const Landmarks& landmarks, std::size_t at) {
    const Index m = landmarks.count;
    WritableRows d_k_means = rows_of(of_f.k, b, h, m);
    if (landmarks.exact) {
      rows_of(of_g.v, b, h, m) = rows_of(std::as_const(of_f.v), b, h, m);
      rows_of(of_g.k, b, h, m).setZero();
    } else {
      const double of_c = !batch_maximum ? parts[at].c : at == owner ? of_all : 0;
      const RowMajor d_logits = to_logits(run.heads[at], of_c, std::move(parts[at].a));
      WritableRows d_q_means = rows_of(of_g.q, b, h, m);
      d_q_means += d_logits * rows_of(run.k_means, b, h, m);
      d_k_means += d_logits.transpose() * rows_of(run.q_means, b, h, m);
      add_through_means(rows_of(of_f.q, b, h, landmarks.mean_rows), rows_of(std::as_const(of_g.q), b, h, m));
    }
    add_through_means(rows_of(of_g.k, b, h, landmarks.keys), rows_of(std::as_const(of_f.k), b, h, m));
  });
  return {std::move(of_f.q), std::move(of_g.k), std::move(of_g.v)};
}

}  // namespace attest::attention
