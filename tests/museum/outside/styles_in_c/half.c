/* judge: */
/* float16 and bfloat16 alone, through float; boolean mask; plain float sums. */
#include "util.h"

int attest_judge_attention(attest_judge_call* c) {
  if (c->version != ATTEST_JUDGE_VERSION) return ATTEST_JUDGE_FAILED;
  if ((c->q.type != ATTEST_JUDGE_FLOAT16 && c->q.type != ATTEST_JUDGE_BFLOAT16) || *c->options || c->bias.data || c->alibi_slopes.data ||
      c->sinks.data || c->dropout_mask.data || c->cu_seqlens.data || c->dout.data || c->k.shape[1] != c->q.shape[1] ||
      (c->mask.data && c->mask.type != ATTEST_JUDGE_BOOL))
    return ATTEST_JUDGE_UNSUPPORTED;
  const int64_t nk = c->k.shape[2], D = c->q.shape[3], Dv = c->v.shape[3];
  float* w = malloc(sizeof(float) * (size_t)(nk + 1));
  const float scale = 1 / sqrtf((float)D);
  for (int64_t b = 0; b < c->q.shape[0]; b++)
    for (int64_t h = 0; h < c->q.shape[1]; h++)
      for (int64_t i = 0; i < c->q.shape[2]; i++) {
        float top = -INFINITY, sum = 0;
        for (int64_t j = 0; j < nk; j++) {
          w[j] = -INFINITY;
          if (c->mask.data) {
            const double see = c->mask.rank == 2 ? load(&c->mask, i, j, 0, 0)
                                                 : load(&c->mask, b, c->mask.shape[1] == 1 ? 0 : h, i, j);
            if (see == 0) continue;
          }
          float s = 0;
          for (int64_t d = 0; d < D; d++) s += (float)load(&c->q, b, h, i, d) * (float)load(&c->k, b, h, j, d);
          w[j] = s * scale;
          if (w[j] > top) top = w[j];
        }
        for (int64_t j = 0; j < nk; j++)
          if (w[j] != -INFINITY) sum += w[j] = expf(w[j] - top);
        for (int64_t e = 0; e < Dv; e++) {
          float o = 0;
          for (int64_t j = 0; j < nk; j++)
            if (w[j] != -INFINITY) o += w[j] * (float)load(&c->v, b, h, j, e);
          store(&c->out, b, h, i, e, sum > 0 ? o / sum : 0);
        }
      }
  free(w);
  return ATTEST_JUDGE_DONE;
}
