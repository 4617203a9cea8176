/* judge: */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "values.h"

/* Packed sequences alone (cu_seqlens), as flash_attn_varlen: causal, windows. Tokens beyond the last sequence give 0. With dout. */
int attest_judge_attention(attest_judge_call* c) {
  struct settings s;
  if (c->version != ATTEST_JUDGE_VERSION) return ATTEST_JUDGE_FAILED;
  if (!c->cu_seqlens.data || !parse(c->options, " causal alignment scale window ", c->q.shape[3], &s)) return ATTEST_JUDGE_UNSUPPORTED;
  if (c->mask.data || c->bias.data || c->alibi_slopes.data || c->sinks.data || c->dropout_mask.data) return ATTEST_JUDGE_UNSUPPORTED;
  const attest_judge_array *cq = &c->cu_seqlens, *ck = c->cu_seqlens_k.data ? &c->cu_seqlens_k : cq;
  const int64_t B = c->q.shape[0], H = c->q.shape[1], G = c->k.shape[1], D = c->q.shape[3], E = c->v.shape[3], Nk = c->k.shape[2];
  const int64_t sequences = cq->shape[0] - 1;
  double *gk = NULL, *gv = NULL, *p = malloc(sizeof(double) * (Nk + 1)), *o = malloc(sizeof(double) * (E + 1)), *gq = malloc(sizeof(double) * (D + 1));
  if (c->dout.data) gk = malloc(sizeof(double) * (Nk * D + 1)), gv = malloc(sizeof(double) * (Nk * E + 1));
  for (int64_t b = 0; b < B; ++b)
    for (int64_t g = 0; g < G; ++g) {
      if (gk)
        for (int64_t x = 0; x < Nk * D; ++x) gk[x] = 0;
      if (gv)
        for (int64_t x = 0; x < Nk * E; ++x) gv[x] = 0;
      for (int64_t h = g * (H / G); h < (g + 1) * (H / G); ++h) {
        for (int64_t i = 0; i < c->q.shape[2]; ++i) { /* what no sequence covers */
          for (int64_t e = 0; e < E; ++e) store(&c->out, at4(&c->out, b, h, i, e), 0);
          if (c->lse.data) store(&c->lse, at3(&c->lse, b, h, i), -INFINITY);
          for (int64_t d = 0; gk && d < D; ++d) store(&c->dq, at4(&c->dq, b, h, i, d), 0);
        }
        for (int64_t n = 0; n < sequences; ++n) {
          const int64_t q0 = load(cq, n * cq->strides[0]), q1 = load(cq, (n + 1) * cq->strides[0]);
          const int64_t k0 = load(ck, n * ck->strides[0]), k1 = load(ck, (n + 1) * ck->strides[0]);
          for (int64_t i = q0; i < q1; ++i) {
            const int64_t at = k0 + (i - q0) + (s.top_left ? 0 : (k1 - k0) - (q1 - q0));
            int64_t from = k0, to = k1;
            if (s.causal && to > at + 1) to = at + 1;
            if (s.after >= 0 && to > at + s.after + 1) to = at + s.after + 1;
            if (s.before >= 0 && from < at - s.before) from = at - s.before;
            if (from >= to) continue;
            double top = -INFINITY, sum = 0, delta = 0;
            for (int64_t j = from; j < to; ++j) {
              double x = 0;
              for (int64_t d = 0; d < D; ++d) x += load(&c->q, at4(&c->q, b, h, i, d)) * load(&c->k, at4(&c->k, b, g, j, d));
              p[j] = x * s.scale;
              if (p[j] > top) top = p[j];
            }
            for (int64_t j = from; j < to; ++j) sum += p[j] = exp(p[j] - top);
            for (int64_t e = 0; e < E; ++e) {
              o[e] = 0;
              for (int64_t j = from; j < to; ++j) o[e] += p[j] * load(&c->v, at4(&c->v, b, g, j, e));
              o[e] /= sum;
              store(&c->out, at4(&c->out, b, h, i, e), o[e]);
            }
            if (c->lse.data) store(&c->lse, at3(&c->lse, b, h, i), top + log(sum));
            if (!gk) continue;
            for (int64_t e = 0; e < E; ++e) delta += o[e] * load(&c->dout, at4(&c->dout, b, h, i, e));
            if (c->dlse.data) delta -= load(&c->dlse, at3(&c->dlse, b, h, i));
            for (int64_t d = 0; d < D; ++d) gq[d] = 0;
            for (int64_t j = from; j < to; ++j) {
              const double w = p[j] / sum;
              double dp = 0;
              for (int64_t e = 0; e < E; ++e) {
                dp += load(&c->dout, at4(&c->dout, b, h, i, e)) * load(&c->v, at4(&c->v, b, g, j, e));
                gv[j * E + e] += w * load(&c->dout, at4(&c->dout, b, h, i, e));
              }
              const double ds = w * (dp - delta) * s.scale;
              for (int64_t d = 0; d < D; ++d) {
                gq[d] += ds * load(&c->k, at4(&c->k, b, g, j, d));
                gk[j * D + d] += ds * load(&c->q, at4(&c->q, b, h, i, d));
              }
            }
            for (int64_t d = 0; d < D; ++d) store(&c->dq, at4(&c->dq, b, h, i, d), gq[d]);
          }
        }
      }
      for (int64_t j = 0; gk && j < Nk; ++j) {
        for (int64_t d = 0; d < D; ++d) store(&c->dk, at4(&c->dk, b, g, j, d), gk[j * D + d]);
        for (int64_t e = 0; e < E; ++e) store(&c->dv, at4(&c->dv, b, g, j, e), gv[j * E + e]);
      }
    }
  free(gk), free(gv), free(p), free(o), free(gq);
  return ATTEST_JUDGE_DONE;
}
