/* judge: */
/* float32 only, forward only: online softmax one key at a time, causal and scale. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "attest_judge.h"

int attest_judge_attention(attest_judge_call* c) {
  if (c->version != ATTEST_JUDGE_VERSION) return ATTEST_JUDGE_FAILED;
  if (c->q.type != ATTEST_JUDGE_FLOAT32 || c->dout.data || c->mask.data || c->bias.data || c->alibi_slopes.data ||
      c->sinks.data || c->dropout_mask.data || c->cu_seqlens.data)
    return ATTEST_JUDGE_UNSUPPORTED;
  if (strstr(c->options, "window=") || strstr(c->options, "softcap=") || strstr(c->options, "top_left"))
    return ATTEST_JUDGE_UNSUPPORTED;
  const int64_t N = c->q.shape[2], D = c->q.shape[3], M = c->k.shape[2], E = c->v.shape[3];
  const int64_t group = c->q.shape[1] / c->k.shape[1];
  const int causal = strstr(c->options, "causal=true") != NULL;
  const char* given = strstr(c->options, "scale=");
  const float scale = given ? strtof(given + 6, NULL) : 1.0f / sqrtf((float)D);
  float* acc = malloc(sizeof(float) * (size_t)(E + 1));
  if (!acc) return ATTEST_JUDGE_FAILED;
  for (int64_t b = 0; b < c->q.shape[0]; b++)
    for (int64_t h = 0; h < c->q.shape[1]; h++)
      for (int64_t i = 0; i < N; i++) {
        const float* q = (const float*)c->q.data + b * c->q.strides[0] + h * c->q.strides[1] + i * c->q.strides[2];
        const int64_t end = causal ? (i + M - N + 1 < 0 ? 0 : i + M - N + 1) : M;
        float m = -INFINITY, l = 0;
        memset(acc, 0, sizeof(float) * (size_t)E);
        for (int64_t j = 0; j < end; j++) {
          const float* k =
              (const float*)c->k.data + b * c->k.strides[0] + h / group * c->k.strides[1] + j * c->k.strides[2];
          const float* v =
              (const float*)c->v.data + b * c->v.strides[0] + h / group * c->v.strides[1] + j * c->v.strides[2];
          float s = 0;
          for (int64_t d = 0; d < D; d++) s += q[d * c->q.strides[3]] * k[d * c->k.strides[3]];
          s *= scale;
          if (s > m) { /* the first key comes here: exp(-inf) = 0 */
            const float fade = expf(m - s);
            l *= fade;
            for (int64_t e = 0; e < E; e++) acc[e] *= fade;
            m = s;
          }
          const float p = expf(s - m);
          l += p;
          for (int64_t e = 0; e < E; e++) acc[e] += p * v[e * c->v.strides[3]];
        }
        float* out = (float*)c->out.data + b * c->out.strides[0] + h * c->out.strides[1] + i * c->out.strides[2];
        for (int64_t e = 0; e < E; e++) out[e * c->out.strides[3]] = end > 0 ? acc[e] / l : 0.0f;
        if (c->lse.data)
          ((float*)c->lse.data)[b * c->lse.strides[0] + h * c->lse.strides[1] + i * c->lse.strides[2]] =
              end > 0 ? m + logf(l) : -INFINITY;
      }
  free(acc);
  return ATTEST_JUDGE_DONE;
}
