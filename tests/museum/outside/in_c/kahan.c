/* judge: */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "values.h"

/* Float32 arithmetic, sums compensated (Neumaier). 32- and 16-bit types. */
typedef struct { float sum, lost; } sum_t;
static void add(sum_t* s, float x) {
  const float t = s->sum + x;
  s->lost += fabsf(s->sum) >= fabsf(x) ? (s->sum - t) + x : (x - t) + s->sum;
  s->sum = t;
}
int attest_judge_attention(attest_judge_call* c) {
  struct settings s;
  if (c->version != ATTEST_JUDGE_VERSION) return ATTEST_JUDGE_FAILED;
  if (!parse(c->options, " causal alignment scale ", c->q.shape[3], &s) || c->q.type == ATTEST_JUDGE_FLOAT64 || c->bias.data || c->alibi_slopes.data ||
      c->sinks.data || c->dropout_mask.data || c->cu_seqlens.data || c->dout.data || c->dlse.data || (c->mask.data && c->mask.type != ATTEST_JUDGE_BOOL))
    return ATTEST_JUDGE_UNSUPPORTED;
  const int64_t H = c->q.shape[1], Nq = c->q.shape[2], Nk = c->k.shape[2], D = c->q.shape[3], Dv = c->v.shape[3], R = H / c->k.shape[1];
  float* w = malloc(sizeof(float) * (Nk + 1));
  for (int64_t b = 0; b < c->q.shape[0]; ++b)
    for (int64_t h = 0; h < H; ++h)
      for (int64_t i = 0; i < Nq; ++i) {
        float top = -INFINITY;
        for (int64_t j = 0; j < Nk; ++j) {
          w[j] = -INFINITY;
          if (s.causal && j > i + (s.top_left ? 0 : Nk - Nq)) continue;
          if (c->mask.data && !((uint8_t*)c->mask.data)[c->mask.rank == 2 ? i * c->mask.strides[0] + j * c->mask.strides[1]
                                                                          : at4(&c->mask, b, c->mask.shape[1] == 1 ? 0 : h, i, j)])
            continue;
          sum_t dot = {0, 0};
          for (int64_t d = 0; d < D; ++d) {
            const float x = (float)load(&c->q, at4(&c->q, b, h, i, d)), y = (float)load(&c->k, at4(&c->k, b, h / R, j, d)), xy = x * y;
            add(&dot, xy);
            dot.lost += fmaf(x, y, -xy);
          }
          w[j] = (dot.sum + dot.lost) * (float)s.scale;
          if (w[j] > top) top = w[j];
        }
        sum_t total = {0, 0};
        for (int64_t j = 0; j < Nk; ++j)
          if (w[j] > -INFINITY) add(&total, w[j] = expf(w[j] - top));
          else w[j] = -1; /* hidden */
        const float z = total.sum + total.lost;
        for (int64_t e = 0; e < Dv; ++e) {
          sum_t o = {0, 0};
          for (int64_t j = 0; j < Nk; ++j)
            if (w[j] >= 0) add(&o, w[j] * (float)load(&c->v, at4(&c->v, b, h / R, j, e)));
          store(&c->out, at4(&c->out, b, h, i, e), top > -INFINITY ? (o.sum + o.lost) / z : 0);
        }
        if (c->lse.data) store(&c->lse, at3(&c->lse, b, h, i), top > -INFINITY ? top + logf(z) : -INFINITY);
      }
  free(w);
  return ATTEST_JUDGE_DONE;
}
