/* judge: */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "values.h"

/* bfloat16 alone, as with matrix instructions: products of bfloat16 with float32 sums, weights rounded to bfloat16 before they meet
 * the values, while the denominator sums them unrounded. Forward and backward. */
static float rounded(float x) { return bf16_to_f32(f32_to_bf16(x)); }
static float get(const attest_judge_array* a, int64_t b, int64_t h, int64_t i, int64_t d) {
  return bf16_to_f32(((const uint16_t*)a->data)[at4(a, b, h, i, d)]);
}
int attest_judge_attention(attest_judge_call* c) {
  struct settings s;
  if (c->version != ATTEST_JUDGE_VERSION) return ATTEST_JUDGE_FAILED;
  if (c->q.type != ATTEST_JUDGE_BFLOAT16 || !parse(c->options, " causal scale ", c->q.shape[3], &s) || c->mask.data || c->bias.data ||
      c->alibi_slopes.data || c->sinks.data || c->dropout_mask.data || c->cu_seqlens.data || c->dlse.data)
    return ATTEST_JUDGE_UNSUPPORTED;
  const int64_t B = c->q.shape[0], H = c->q.shape[1], G = c->k.shape[1], M = c->q.shape[2], N = c->k.shape[2], D = c->q.shape[3], E = c->v.shape[3];
  float* p = malloc(sizeof(float) * (N + 1));
  float* o = malloc(sizeof(float) * (E + 1));
  float* gq = malloc(sizeof(float) * (D + 1));
  float *gk = calloc(N * D + 1, sizeof(float)), *gv = calloc(N * E + 1, sizeof(float));
  const float scale = (float)s.scale;
  for (int64_t b = 0; b < B; ++b)
    for (int64_t g = 0; g < G; ++g) {
      if (c->dout.data) memset(gk, 0, sizeof(float) * N * D), memset(gv, 0, sizeof(float) * N * E);
      for (int64_t h = g * (H / G); h < (g + 1) * (H / G); ++h)
        for (int64_t i = 0; i < M; ++i) {
          const int64_t n = !s.causal || i + N - M + 1 > N ? N : i + N - M + 1 < 0 ? 0 : i + N - M + 1;
          float top = -INFINITY, sum = 0;
          for (int64_t j = 0; j < n; ++j) {
            float x = 0;
            for (int64_t d = 0; d < D; ++d) x += get(&c->q, b, h, i, d) * get(&c->k, b, g, j, d);
            p[j] = x * scale;
            top = fmaxf(top, p[j]);
          }
          for (int64_t j = 0; j < n; ++j) sum += p[j] = expf(p[j] - top);
          for (int64_t e = 0; e < E; ++e) o[e] = 0;
          for (int64_t j = 0; j < n; ++j) {
            const float w = rounded(p[j]);
            for (int64_t e = 0; e < E; ++e) o[e] += w * get(&c->v, b, g, j, e);
          }
          for (int64_t e = 0; e < E; ++e) {
            if (n) o[e] /= sum;
            ((uint16_t*)c->out.data)[at4(&c->out, b, h, i, e)] = f32_to_bf16(o[e]);
          }
          if (c->lse.data) store(&c->lse, at3(&c->lse, b, h, i), n ? top + logf(sum) : -INFINITY);
          if (!c->dout.data) continue;
          float delta = 0;
          for (int64_t d = 0; d < D; ++d) gq[d] = 0;
          for (int64_t e = 0; e < E && n; ++e) delta += get(&c->dout, b, h, i, e) * o[e];
          for (int64_t j = 0; j < n; ++j) {
            float dp = 0;
            const float w = p[j] / sum, wr = rounded(w);
            for (int64_t e = 0; e < E; ++e) {
              dp += get(&c->dout, b, h, i, e) * get(&c->v, b, g, j, e);
              gv[j * E + e] += wr * get(&c->dout, b, h, i, e);
            }
            const float ds = rounded(w * (dp - delta));
            for (int64_t d = 0; d < D; ++d) {
              gq[d] += ds * get(&c->k, b, g, j, d);
              gk[j * D + d] += ds * get(&c->q, b, h, i, d);
            }
          }
          for (int64_t d = 0; d < D; ++d) ((uint16_t*)c->dq.data)[at4(&c->dq, b, h, i, d)] = f32_to_bf16(gq[d] * scale);
        }
      if (!c->dout.data) continue;
      for (int64_t j = 0; j < N; ++j) {
        for (int64_t d = 0; d < D; ++d) ((uint16_t*)c->dk.data)[at4(&c->dk, b, g, j, d)] = f32_to_bf16(gk[j * D + d] * scale);
        for (int64_t e = 0; e < E; ++e) ((uint16_t*)c->dv.data)[at4(&c->dv, b, g, j, e)] = f32_to_bf16(gv[j * E + e]);
      }
    }
  free(p), free(o), free(gq), free(gk), free(gv);
  return ATTEST_JUDGE_DONE;
}
