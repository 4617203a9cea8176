/* judge: */
/* The textbook loops: float64 and float32, no options at all. */
#include <math.h>
#include <stdlib.h>
#include "attest_judge.h"

static double get(const attest_judge_array* a, int64_t b, int64_t h, int64_t n, int64_t d) {
  int64_t o = b * a->strides[0] + h * a->strides[1] + n * a->strides[2] + d * a->strides[3];
  return a->type == ATTEST_JUDGE_FLOAT64 ? ((double*)a->data)[o] : ((float*)a->data)[o];
}
static void put(const attest_judge_array* a, int64_t b, int64_t h, int64_t n, int64_t d, double x) {
  int64_t o = b * a->strides[0] + h * a->strides[1] + n * a->strides[2] + d * a->strides[3];
  if (a->type == ATTEST_JUDGE_FLOAT64) ((double*)a->data)[o] = x; else ((float*)a->data)[o] = (float)x;
}

int attest_judge_attention(attest_judge_call* c) {
  if (c->version != ATTEST_JUDGE_VERSION) return ATTEST_JUDGE_FAILED;
  if ((c->q.type != ATTEST_JUDGE_FLOAT64 && c->q.type != ATTEST_JUDGE_FLOAT32) || *c->options || c->mask.data || c->bias.data ||
      c->alibi_slopes.data || c->sinks.data || c->dropout_mask.data || c->cu_seqlens.data || c->dout.data || c->k.shape[1] != c->q.shape[1])
    return ATTEST_JUDGE_UNSUPPORTED;
  const int64_t nk = c->k.shape[2], D = c->q.shape[3], Dv = c->v.shape[3];
  double* w = malloc(sizeof(double) * (size_t)(nk ? nk : 1));
  for (int64_t b = 0; b < c->q.shape[0]; b++)
    for (int64_t h = 0; h < c->q.shape[1]; h++)
      for (int64_t i = 0; i < c->q.shape[2]; i++) {
        double top = -INFINITY, sum = 0;
        for (int64_t j = 0; j < nk; j++) {
          double s = 0;
          for (int64_t d = 0; d < D; d++) s += get(&c->q, b, h, i, d) * get(&c->k, b, h, j, d);
          w[j] = s / sqrt((double)D);
          if (w[j] > top) top = w[j];
        }
        for (int64_t j = 0; j < nk; j++) sum += w[j] = exp(w[j] - top);
        for (int64_t e = 0; e < Dv; e++) {
          double o = 0;
          for (int64_t j = 0; j < nk; j++) o += w[j] * get(&c->v, b, h, j, e);
          put(&c->out, b, h, i, e, nk ? o / sum : 0);
        }
      }
  free(w);
  return ATTEST_JUDGE_DONE;
}
