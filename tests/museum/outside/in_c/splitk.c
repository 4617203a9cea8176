/* judge: */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "values.h"

/* Flash-decoding: the keys in up to eight parts, each with its own maximum and sum, then merged. float32 and float64.
 * A macro BUG_... plants a fault of outside.tsv. */
#define PARTS 8
#ifdef BUG_KEY_OFFSET_32
static int64_t key_at(const attest_judge_array* k, int64_t b, int64_t h, int64_t j, int64_t d) {
  const int row = (int)j * (int)k->strides[2]; /* of the row alone: the head's offset is right */
  return b * k->strides[0] + h * k->strides[1] + row + d * k->strides[3];
}
#else
#define key_at at4
#endif
int attest_judge_attention(attest_judge_call* c) {
  struct settings s;
  if (c->version != ATTEST_JUDGE_VERSION) return ATTEST_JUDGE_FAILED;
  if (!parse(c->options, " causal alignment scale window ", c->q.shape[3], &s)) return ATTEST_JUDGE_UNSUPPORTED;
  if ((c->q.type != ATTEST_JUDGE_FLOAT32 && c->q.type != ATTEST_JUDGE_FLOAT64) || c->mask.data || c->bias.data || c->alibi_slopes.data || c->sinks.data ||
      c->dropout_mask.data || c->cu_seqlens.data || c->dout.data || c->dlse.data)
    return ATTEST_JUDGE_UNSUPPORTED;
  const int64_t H = c->q.shape[1], Nq = c->q.shape[2], Nk = c->k.shape[2], D = c->q.shape[3], Dv = c->v.shape[3];
  const int64_t part = (Nk + PARTS - 1) / PARTS;
  double* o = malloc(sizeof(double) * PARTS * (Dv + 1));
  double top[PARTS], sum[PARTS];
  for (int64_t b = 0; b < c->q.shape[0]; ++b)
    for (int64_t h = 0; h < H; ++h)
      for (int64_t i = 0; i < Nq; ++i) {
        const int64_t kv = h / (H / c->k.shape[1]), p = i + (s.top_left ? 0 : Nk - Nq);
        for (int n = 0; n < PARTS; ++n) {
          int64_t from = n * part, to = from + part < Nk ? from + part : Nk;
          if (s.causal && to > p + 1) to = p + 1;
          if (s.after >= 0 && to > p + s.after + 1) to = p + s.after + 1;
          if (s.before >= 0 && from < p - s.before) from = p - s.before;
          top[n] = -INFINITY, sum[n] = 0;
          for (int64_t e = 0; e < Dv; ++e) o[n * Dv + e] = 0;
          for (int64_t j = from; j < to; ++j) {
            double x = 0;
            for (int64_t d = 0; d < D; ++d) x += load(&c->q, at4(&c->q, b, h, i, d)) * load(&c->k, key_at(&c->k, b, kv, j, d));
            x *= s.scale;
            if (x > top[n]) {
              const double f = exp(top[n] - x);
              sum[n] *= f;
              for (int64_t e = 0; e < Dv; ++e) o[n * Dv + e] *= f;
              top[n] = x;
            }
            const double w = exp(x - top[n]);
            sum[n] += w;
            for (int64_t e = 0; e < Dv; ++e) o[n * Dv + e] += w * load(&c->v, at4(&c->v, b, kv, j, e));
          }
        }
        double most = -INFINITY, z = 0;
#ifdef BUG_MERGE_OF_EMPTY
        for (int n = 0; n < PARTS; ++n) { /* exp(-inf - -inf) where the row sees none of the first keys */
          const double larger = fmax(most, top[n]);
          z = z * exp(most - larger) + sum[n] * exp(top[n] - larger);
          most = larger;
        }
#else
        for (int n = 0; n < PARTS; ++n) most = fmax(most, top[n]);
        for (int n = 0; n < PARTS; ++n)
          if (sum[n] > 0) z += sum[n] * exp(top[n] - most);
#endif
        for (int64_t e = 0; e < Dv; ++e) {
          double x = 0;
          for (int n = 0; n < PARTS; ++n)
            if (sum[n] > 0) x += o[n * Dv + e] * (exp(top[n] - most) / z);
#ifdef BUG_RESULT_ROWS_PACKED
          store(&c->out, b * c->out.strides[0] + h * c->out.strides[1] + i * Dv + e, x); /* the stride of rows ignored */
#else
          store(&c->out, at4(&c->out, b, h, i, e), x);
#endif
        }
        if (c->lse.data) store(&c->lse, at3(&c->lse, b, h, i), z > 0 ? most + log(z) : -INFINITY);
      }
  free(o);
  return ATTEST_JUDGE_DONE;
}
