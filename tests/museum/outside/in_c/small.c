/* judge: --dtype float32 */
/* Embedded style: float32, at most 64 features, fixed buffers, no heap. Two queries at once; boolean masks [N_q][N_k]. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "attest_judge.h"

enum { W = 64 };
static void row(const attest_judge_array* a, int64_t b, int64_t h, int64_t n, float to[W]) {
  const float* p = (const float*)a->data + b * a->strides[0] + h * a->strides[1] + n * a->strides[2];
  for (int64_t d = 0; d < W; ++d) to[d] = d < a->shape[3] ? p[d * a->strides[3]] : 0.0f;
}
int attest_judge_attention(attest_judge_call* call) {
  attest_judge_call* const c = call;
  if (c->version != ATTEST_JUDGE_VERSION) return ATTEST_JUDGE_FAILED;
  if (c->q.type != ATTEST_JUDGE_FLOAT32 || c->q.shape[3] > W || c->v.shape[3] > W) return ATTEST_JUDGE_UNSUPPORTED;
  if (*c->options || c->bias.data || c->alibi_slopes.data || c->sinks.data || c->dropout_mask.data || c->cu_seqlens.data || c->dout.data || c->dlse.data)
    return ATTEST_JUDGE_UNSUPPORTED;
  if (c->mask.data && (c->mask.rank != 2 || c->mask.type != ATTEST_JUDGE_BOOL)) return ATTEST_JUDGE_UNSUPPORTED;
  const float scale = 1.0f / sqrtf((float)c->q.shape[3]);
  const int64_t per = c->q.shape[1] / c->k.shape[1];
  for (int64_t b = 0; b < c->q.shape[0]; ++b)
    for (int64_t h = 0; h < c->q.shape[1]; ++h)
      for (int64_t i = 0; i < c->q.shape[2]; i += 2) {
        const int two = i + 1 < c->q.shape[2];
        float q[2][W], o[2][W], k[W], v[W], top[2] = {-FLT_MAX, -FLT_MAX}, sum[2] = {0, 0};
        memset(o, 0, sizeof o);
        row(&c->q, b, h, i, q[0]);
        row(&c->q, b, h, i + two, q[1]);
        for (int64_t j = 0; j < c->k.shape[2]; ++j) {
          row(&c->k, b, h / per, j, k);
          row(&c->v, b, h / per, j, v);
          for (int t = 0; t < 1 + two; ++t) {
            if (c->mask.data && !((const uint8_t*)c->mask.data)[(i + t) * c->mask.strides[0] + j * c->mask.strides[1]]) continue;
            float x = 0;
            for (int d = 0; d < W; ++d) x += q[t][d] * k[d];
            x *= scale;
            if (x > top[t]) {
              const float f = expf(top[t] - x);
              sum[t] *= f;
              for (int d = 0; d < W; ++d) o[t][d] *= f;
              top[t] = x;
            }
            const float w = expf(x - top[t]);
            sum[t] += w;
            for (int d = 0; d < W; ++d) o[t][d] += w * v[d];
          }
        }
        for (int t = 0; t < 1 + two; ++t) {
          float* p = (float*)c->out.data + b * c->out.strides[0] + h * c->out.strides[1] + (i + t) * c->out.strides[2];
          for (int64_t d = 0; d < c->v.shape[3]; ++d) p[d * c->out.strides[3]] = sum[t] > 0 ? o[t][d] / sum[t] : 0;
          if (c->lse.data)
            ((float*)c->lse.data)[b * c->lse.strides[0] + h * c->lse.strides[1] + (i + t) * c->lse.strides[2]] = sum[t] > 0 ? top[t] + logf(sum[t]) : -INFINITY;
        }
      }
  return ATTEST_JUDGE_DONE;
}
