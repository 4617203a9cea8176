// judge:
// float32 as fast kernels have it: keys transposed into tiles, eight partial sums, exp2, lse in base 2 inside, weights of a tile stored
// before they meet the values; window and causal; gradients in float with dq by tiles.
#include <algorithm>
#include <cmath>
#include <vector>
#include "util.h"

extern "C" int attest_judge_attention(attest_judge_call* c) {
  if (c->version != ATTEST_JUDGE_VERSION) return ATTEST_JUDGE_FAILED;
  options o;
  if (parse(c, &o) || o.softcap != 0 || c->q.type != ATTEST_JUDGE_FLOAT32 || c->mask.data || c->bias.data || c->alibi_slopes.data ||
      c->sinks.data || c->dropout_mask.data || c->cu_seqlens.data || c->dlse.data)
    return ATTEST_JUDGE_UNSUPPORTED;
  const int64_t B = c->q.shape[0], H = c->q.shape[1], nq = c->q.shape[2], nk = c->k.shape[2], D = c->q.shape[3], Dv = c->v.shape[3];
  const int64_t per = H / c->k.shape[1], shift = o.top_left ? 0 : nk - nq;
  const float scale = float(o.scale * 1.4426950408889634);
  auto F = [](const attest_judge_array& a, int64_t b, int64_t h, int64_t i, int64_t d) -> float& {
    return static_cast<float*>(a.data)[b * a.strides[0] + h * a.strides[1] + i * a.strides[2] + d * a.strides[3]];
  };
  auto dot = [](const float* x, const float* y, int64_t n) {
    float s[8] = {};
    int64_t d = 0;
    for (; d + 8 <= n; d += 8)
      for (int t = 0; t < 8; ++t) s[t] += x[d + t] * y[d + t];
    for (; d < n; ++d) s[d & 7] += x[d] * y[d];
    return ((s[0] + s[4]) + (s[1] + s[5])) + ((s[2] + s[6]) + (s[3] + s[7]));
  };
  constexpr int64_t T = 128;
  std::vector<float> K(size_t(nk * D)), V(size_t(nk * Dv)), dK, dV, q(size_t(D + 1)), acc(size_t(Dv + 1)), g(size_t(Dv + 1)), dq(size_t(D + 1));
  float p[T];
  for (int64_t b = 0; b < B; ++b)
    for (int64_t kv = 0; kv < c->k.shape[1]; ++kv) {
      for (int64_t j = 0; j < nk; ++j) {
        for (int64_t d = 0; d < D; ++d) K[size_t(j * D + d)] = F(c->k, b, kv, j, d);
        for (int64_t e = 0; e < Dv; ++e) V[size_t(j * Dv + e)] = F(c->v, b, kv, j, e);
      }
      dK.assign(size_t(nk * D), 0);
      dV.assign(size_t(nk * Dv), 0);
      for (int64_t h = kv * per; h < (kv + 1) * per; ++h)
        for (int64_t i = 0; i < nq; ++i) {
          const int64_t own = i + shift;
          int64_t lo = o.before >= 0 ? std::max<int64_t>(0, own - o.before) : 0, end = nk;
          if (o.after >= 0) end = std::min(end, own + o.after + 1);
          if (o.causal) end = std::min(end, own + 1);
          for (int64_t d = 0; d < D; ++d) q[size_t(d)] = lo < end ? F(c->q, b, h, i, d) : 0;
          float m = -INFINITY, l = 0;
          std::fill(acc.begin(), acc.end(), 0.f);
          for (int64_t j0 = lo; j0 < end; j0 += T) {
            const int64_t n = std::min(T, end - j0);
            float top = m;
            for (int64_t t = 0; t < n; ++t) p[t] = dot(q.data(), &K[size_t((j0 + t) * D)], D) * scale, top = std::max(top, p[t]);
            const float keep = std::exp2(m - top);
            float sum = 0;
            for (int64_t t = 0; t < n; ++t) sum += p[t] = std::exp2(p[t] - top);
            l = l * keep + sum;
            for (int64_t e = 0; e < Dv; ++e) {
              float x = 0;
              for (int64_t t = 0; t < n; ++t) x += p[t] * V[size_t((j0 + t) * Dv + e)];
              acc[size_t(e)] = acc[size_t(e)] * keep + x;
            }
            m = top;
          }
          const float lse = l > 0 ? m + std::log2(l) : -INFINITY;
          for (int64_t e = 0; e < Dv; ++e) F(c->out, b, h, i, e) = acc[size_t(e)] = l > 0 ? acc[size_t(e)] / l : 0;
          if (c->lse.data) static_cast<float*>(c->lse.data)[b * c->lse.strides[0] + h * c->lse.strides[1] + i * c->lse.strides[2]] = lse * 0.69314718f;
          if (!c->dout.data) continue;
          float delta = 0;
          for (int64_t e = 0; e < Dv; ++e) g[size_t(e)] = lo < end ? F(c->dout, b, h, i, e) : 0, delta += g[size_t(e)] * acc[size_t(e)];
          std::fill(dq.begin(), dq.end(), 0.f);
          for (int64_t j = lo; j < end; ++j) {
            const float w = std::exp2(dot(q.data(), &K[size_t(j * D)], D) * scale - lse);
            const float ds = w * (dot(g.data(), &V[size_t(j * Dv)], Dv) - delta) * float(o.scale);
            for (int64_t e = 0; e < Dv; ++e) dV[size_t(j * Dv + e)] += w * g[size_t(e)];
            for (int64_t d = 0; d < D; ++d) dq[size_t(d)] += ds * K[size_t(j * D + d)], dK[size_t(j * D + d)] += ds * q[size_t(d)];
          }
          for (int64_t d = 0; d < D && c->dq.data; ++d) F(c->dq, b, h, i, d) = dq[size_t(d)];
        }
      for (int64_t j = 0; j < nk; ++j) {
        for (int64_t d = 0; d < D && c->dk.data; ++d) F(c->dk, b, kv, j, d) = dK[size_t(j * D + d)];
        for (int64_t e = 0; e < Dv && c->dv.data; ++e) F(c->dv, b, kv, j, e) = dV[size_t(j * Dv + e)];
      }
    }
  return ATTEST_JUDGE_DONE;
}
