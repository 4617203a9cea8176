#include "kernels/attention/nystrom/nystrom_run.hpp"

#include <algorithm>
#include <utility>

#include "kernels/parallel/blocks.hpp"

namespace attest::attention {
namespace {

/// Biases differ between sequences, so that each has its own call; otherwise one call is for all.
template <typename Body>
void for_each_call(const NystromRun& run, const Body& body) {
  if (run.f_bias.empty()) return body(0, run.batch());
  for (Index b = 0; b < run.batch(); ++b) body(b, 1);
}

NystromPass new_pass(const TokenArray& queries, Index value_dim) {
  const Index batch = queries.batch(), heads = queries.heads(), count = queries.tokens();
  return {TokenArray(batch, heads, count, value_dim), TokenArray(batch, heads, count, 1),
          TokenArray(batch, heads, count, 1)};
}

TokenArray like(const TokenArray& x) { return {x.batch(), x.heads(), x.tokens(), x.width()}; }

void forward_pass(const AttendProblem<double>& problem, Index first, NystromPass& pass) {
  attend_view(problem, pass.out.from(first), pass.largest.head(first, 0), pass.normaliser.head(first, 0));
}

struct PassGradients {
  TokenArray q, k, v;
};
void backward_pass(const AttendProblem<double>& problem, Index first, const NystromPass& pass, const TokenArray& dout,
                   PassGradients& g) {
  attend_backward_view<double>(problem, pass.out.from(first), pass.largest.head(first, 0),
                               pass.normaliser.head(first, 0), dout.from(first),
                               {g.q.from(first), g.k.from(first), g.v.from(first)});
}

AttendProblem<double> problem_of(const NystromRun& run, Index first, Index count, const TokenArray& q,
                                 const TokenArray& k, const TokenArray& v, const std::vector<Index>& lengths,
                                 const std::vector<Tensor<double>>& bias) {
  return {.batch = count,
          .heads = q.heads(),
          .queries = q.tokens(),
          .keys = k.tokens(),
          .dim = q.width(),
          .value_dim = v.width(),
          .q = q.from(first),
          .k = k.from(first),
          .v = v.from(first),
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
  g = new_pass(q_means, v.width());
  if (any_inverts())
    for_each_call(*this, [&](Index first, Index count) { forward_pass(of_landmarks(first, count), first, g); });
}
void NystromRun::attend_to_landmarks() {
  f = new_pass(q, v.width());
  for_each_call(*this, [&](Index first, Index count) { forward_pass(of_queries(first, count), first, f); });
}

NystromRunGradients backward(const NystromRun& run, const TokenArray& dout, bool batch_maximum) {
  const Index heads = run.head_count();
  PassGradients of_f{like(run.q), like(run.k_means), like(run.zgv)};
  for_each_call(
      run, [&](Index first, Index count) { backward_pass(run.of_queries(first, count), first, run.f, dout, of_f); });
  std::vector<NystromHeadGradients> parts(run.heads.size());
  TokenArray d_gv = like(run.zgv);
  d_gv.set_zero();
  const auto for_each_head = [&](const auto& body) {
    parallel::for_each_block(run.batch() * heads, run.threads, [&](Index block) {
      const Landmarks& landmarks = run.landmarks[static_cast<std::size_t>(block / heads)];
      if (landmarks.count > 0) body(block / heads, block % heads, landmarks, static_cast<std::size_t>(block));
    });
  };
  for_each_head([&](Index b, Index h, const Landmarks& landmarks, std::size_t at) {
    if (landmarks.exact) return;
    const Index m = landmarks.count;
    const RowsView d_zgv = std::as_const(of_f.v).rows(b, h, m);
    d_gv.rows(b, h, m).noalias() = run.heads[at].z.transpose() * d_zgv;
    parts[at] = through_inverse(run.heads[at], d_zgv * run.g.out.rows(b, h, m).transpose());
  });
  PassGradients of_g{like(run.q_means), like(run.k), like(run.v)};
  if (run.any_inverts()) {
    for_each_call(run, [&](Index first, Index count) {
      backward_pass(run.of_landmarks(first, count), first, run.g, d_gv, of_g);
    });
  } else {
    of_g.k.set_zero();
    of_g.v.set_zero();
  }
  double of_all = 0;
  for (const NystromHeadGradients& part : parts) of_all += part.c;
  const std::size_t owner = batch_maximum ? owner_of_maximum(run) : 0;
  for_each_head([&](Index b, Index h, const Landmarks& landmarks, std::size_t at) {
    const Index m = landmarks.count;
    WritableRows d_k_means = of_f.k.rows(b, h, m);
    if (landmarks.exact) {
      of_g.v.rows(b, h, m) = std::as_const(of_f.v).rows(b, h, m);
      of_g.k.rows(b, h, m).setZero();
    } else {
      const double of_c = !batch_maximum ? parts[at].c : at == owner ? of_all : 0;
      const RowMajor d_logits = to_logits(run.heads[at], of_c, std::move(parts[at].a));
      WritableRows d_q_means = of_g.q.rows(b, h, m);
      d_q_means += d_logits * run.k_means.rows(b, h, m);
      d_k_means += d_logits.transpose() * run.q_means.rows(b, h, m);
      add_through_means(of_f.q.rows(b, h, landmarks.mean_rows), std::as_const(of_g.q).rows(b, h, m));
    }
    add_through_means(of_g.k.rows(b, h, landmarks.keys), std::as_const(of_f.k).rows(b, h, m));
  });
  return {std::move(of_f.q), std::move(of_g.k), std::move(of_g.v)};
}

}  // namespace attest::attention
