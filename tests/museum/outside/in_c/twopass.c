/* judge: */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "values.h"

/* Three clean loops per row over float or double scratch made contiguous: maximum, sum, values. Bias, added masks, soft cap. */
#define KERNEL(NAME, T, TANH, EXP, LOG)                                                                                              \
  static void NAME(attest_judge_call* c, const struct settings* s) {                                                                 \
    const int64_t H = c->q.shape[1], Nq = c->q.shape[2], Nk = c->k.shape[2], D = c->q.shape[3], Dv = c->v.shape[3];                  \
    T* x = malloc(sizeof(T) * (Nk + 1));                                                                                             \
    T* q = malloc(sizeof(T) * (D + 1));                                                                                              \
    T* o = malloc(sizeof(T) * (Dv + 1));                                                                                             \
    for (int64_t b = 0; b < c->q.shape[0]; ++b)                                                                                      \
      for (int64_t h = 0; h < H; ++h)                                                                                                \
        for (int64_t i = 0; i < Nq; ++i) {                                                                                           \
          const int64_t kv = h / (H / c->k.shape[1]);                                                                                \
          int64_t n = Nk;                                                                                                            \
          if (s->causal) {                                                                                                           \
            n = i + 1 + (s->top_left ? 0 : Nk - Nq);                                                                                 \
            if (n < 0) n = 0;                                                                                                        \
            if (n > Nk) n = Nk;                                                                                                      \
          }                                                                                                                          \
          for (int64_t d = 0; d < D; ++d) q[d] = (T)load(&c->q, at4(&c->q, b, h, i, d));                                             \
          T top = -(T)INFINITY, sum = 0;                                                                                             \
          for (int64_t j = 0; j < n; ++j) {                                                                                          \
            T add = 0;                                                                                                               \
            if (c->bias.data) add += (T)load(&c->bias, at3(&c->bias, h, i, j));                                                      \
            if (c->mask.data) {                                                                                                      \
              const double m = load(&c->mask, c->mask.rank == 2 ? i * c->mask.strides[0] + j * c->mask.strides[1]                    \
                                                                : at4(&c->mask, b, c->mask.shape[1] == 1 ? 0 : h, i, j));            \
              if (c->mask.type == ATTEST_JUDGE_BOOL) add = m != 0 ? add : -(T)INFINITY;                                              \
              else add += (T)m;                                                                                                      \
            }                                                                                                                        \
            x[j] = -(T)INFINITY;                                                                                                     \
            if (add == -(T)INFINITY) continue;                                                                                       \
            T dot = 0;                                                                                                               \
            for (int64_t d = 0; d < D; ++d) dot += q[d] * (T)load(&c->k, at4(&c->k, b, kv, j, d));                                   \
            dot *= (T)s->scale;                                                                                                      \
            if (s->softcap > 0) dot = (T)s->softcap * TANH(dot / (T)s->softcap);                                                     \
            x[j] = dot + add;                                                                                                        \
            if (x[j] > top) top = x[j];                                                                                              \
          }                                                                                                                          \
          const int some = top > -(T)INFINITY;                                                                                       \
          for (int64_t j = 0; j < n; ++j)                                                                                            \
            if (x[j] > -(T)INFINITY) sum += EXP(x[j] - top);                                                                         \
          for (int64_t e = 0; e < Dv; ++e) o[e] = 0;                                                                                 \
          for (int64_t j = 0; j < n; ++j) {                                                                                          \
            if (!(x[j] > -(T)INFINITY)) continue;                                                                                    \
            const T w = EXP(x[j] - top) / sum;                                                                                       \
            for (int64_t e = 0; e < Dv; ++e) o[e] += w * (T)load(&c->v, at4(&c->v, b, kv, j, e));                                    \
          }                                                                                                                          \
          for (int64_t e = 0; e < Dv; ++e) store(&c->out, at4(&c->out, b, h, i, e), o[e]);                                           \
          if (c->lse.data) store(&c->lse, at3(&c->lse, b, h, i), some ? top + LOG(sum) : -(T)INFINITY);                              \
        }                                                                                                                            \
    free(x), free(q), free(o);                                                                                                       \
  }
KERNEL(run_float, float, tanhf, expf, logf)
KERNEL(run_double, double, tanh, exp, log)

int attest_judge_attention(attest_judge_call* c) {
  struct settings s;
  if (c->version != ATTEST_JUDGE_VERSION || c->bytes != sizeof *c) {
    strcpy(c->message, "built with another header");
    return ATTEST_JUDGE_FAILED;
  }
  if (!parse(c->options, " causal alignment scale softcap ", c->q.shape[3], &s)) return ATTEST_JUDGE_UNSUPPORTED;
  if (c->alibi_slopes.data || c->sinks.data || c->dropout_mask.data || c->cu_seqlens.data || c->dout.data || c->dlse.data) return ATTEST_JUDGE_UNSUPPORTED;
  if (c->q.type == ATTEST_JUDGE_FLOAT64) run_double(c, &s);
  else run_float(c, &s);
  return ATTEST_JUDGE_DONE;
}
