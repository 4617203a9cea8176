// judge:
// Views that honour every stride, in all arrays: masks of both kinds and ranks, biases, slopes, sinks, lse, packed sequences.
#include <limits>
#include <vector>
#include "util.h"

namespace {
struct View {
  const attest_judge_array& a;
  double operator()(int64_t i = 0, int64_t j = 0, int64_t k = 0, int64_t l = 0) const { return load(&a, i, j, k, l); }
  explicit operator bool() const { return a.data != nullptr; }
};
}  // namespace

extern "C" int attest_judge_attention(attest_judge_call* c) {
  if (c->version != ATTEST_JUDGE_VERSION) return ATTEST_JUDGE_FAILED;
  options o;
  if (parse(c, &o) || c->dropout_mask.data || c->dout.data) return ATTEST_JUDGE_UNSUPPORTED;
  const View q{c->q}, k{c->k}, v{c->v}, mask{c->mask}, bias{c->bias}, slopes{c->alibi_slopes}, sinks{c->sinks}, cu{c->cu_seqlens}, cuk{c->cu_seqlens_k};
  const int64_t B = c->q.shape[0], H = c->q.shape[1], nq = c->q.shape[2], nk = c->k.shape[2], D = c->q.shape[3], Dv = c->v.shape[3];
  const int64_t group = H / c->k.shape[1];
  const double none = -std::numeric_limits<double>::infinity();
  std::vector<double> w(static_cast<size_t>(nk)), acc(static_cast<size_t>(Dv));
  const int64_t sequences = cu ? c->cu_seqlens.shape[0] - 1 : 1;
  for (int64_t s = 0; s < sequences; ++s) {
    const int64_t q0 = cu ? int64_t(cu(s)) : 0, q1 = cu ? int64_t(cu(s + 1)) : nq;
    const int64_t k0 = cuk ? int64_t(cuk(s)) : cu ? q0 : 0, k1 = cuk ? int64_t(cuk(s + 1)) : cu ? q1 : nk;
    const int64_t shift = o.top_left ? 0 : (k1 - k0) - (q1 - q0);
    for (int64_t b = 0; b < B; ++b)
      for (int64_t h = 0; h < H; ++h)
        for (int64_t i = q0; i < q1; ++i) {
          const int64_t own = i - q0 + shift + k0, g = h / group;
          double top = sinks ? sinks(h) : none;
          for (int64_t j = k0; j < k1; ++j) {
            double& x = w[size_t(j)];
            x = none;
            if ((o.causal && j > own) || (o.before >= 0 && j < own - o.before) || (o.after >= 0 && j > own + o.after)) continue;
            double add = 0;
            if (mask) {
              add = c->mask.rank == 2 ? mask(i, j) : mask(c->mask.shape[0] == 1 ? 0 : b, c->mask.shape[1] == 1 ? 0 : h, i, j);
              if (c->mask.type == ATTEST_JUDGE_BOOL) {
                if (add == 0) continue;
                add = 0;
              } else if (add == none) {
                continue;
              }
            }
            if (bias) add += bias(h, i, j);
            if (add == none) continue;
            if (slopes) add -= slopes(h) * std::fabs(double(own - j));
            double dot = 0;
            for (int64_t d = 0; d < D; ++d) dot += q(b, h, i, d) * k(b, g, j, d);
            dot *= o.scale;
            if (o.softcap > 0) dot = o.softcap * std::tanh(dot / o.softcap);
            x = dot + add;
            if (x > top) top = x;
          }
          double sum = sinks ? std::exp(sinks(h) - top) : 0;
          for (double& a : acc) a = 0;
          for (int64_t j = k0; j < k1; ++j) {
            if (w[size_t(j)] == none) continue;
            const double p = std::exp(w[size_t(j)] - top);
            sum += p;
            for (int64_t e = 0; e < Dv; ++e) acc[size_t(e)] += p * v(b, g, j, e);
          }
          for (int64_t e = 0; e < Dv; ++e) store(&c->out, b, h, i, e, sum > 0 ? acc[size_t(e)] / sum : 0);
          if (c->lse.data) store(&c->lse, b, h, i, 0, sum > 0 ? top + std::log(sum) : none);
        }
  }
  return ATTEST_JUDGE_DONE;
}
