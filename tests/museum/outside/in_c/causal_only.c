/* judge: */
/* A decoder's kernel: causal or nothing. Float32 in and out, one head per key head, sums in float32 four lanes wide. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "attest_judge.h"

typedef const float* in;
static float dot(in a, ptrdiff_t sa, in b, ptrdiff_t sb, ptrdiff_t n) {
  float r[4] = {0, 0, 0, 0};
  ptrdiff_t d = 0;
  for (; d + 4 <= n; d += 4)
    for (int l = 0; l < 4; ++l) r[l] += a[(d + l) * sa] * b[(d + l) * sb];
  for (; d < n; ++d) r[0] += a[d * sa] * b[d * sb];
  return (r[0] + r[1]) + (r[2] + r[3]);
}
int attest_judge_attention(attest_judge_call* c) {
  if (c->version != ATTEST_JUDGE_VERSION) return ATTEST_JUDGE_FAILED;
  if (strcmp(c->options, "causal=true") && strcmp(c->options, "causal=true;alignment=bottom_right")) return ATTEST_JUDGE_UNSUPPORTED;
  const void* extras[] = {c->mask.data, c->bias.data, c->alibi_slopes.data, c->sinks.data, c->dropout_mask.data, c->cu_seqlens.data, c->dout.data, c->dlse.data};
  for (size_t x = 0; x < sizeof extras / sizeof *extras; ++x)
    if (extras[x]) return ATTEST_JUDGE_UNSUPPORTED;
  if (c->q.type != ATTEST_JUDGE_FLOAT32 || c->q.shape[1] != c->k.shape[1]) return ATTEST_JUDGE_UNSUPPORTED;
  const ptrdiff_t D = c->q.shape[3], E = c->v.shape[3], nq = c->q.shape[2], nk = c->k.shape[2];
  const float scale = (float)(1.0 / sqrt((double)D));
  for (ptrdiff_t b = 0; b < c->q.shape[0]; ++b)
    for (ptrdiff_t h = 0; h < c->q.shape[1]; ++h)
      for (ptrdiff_t i = 0; i < nq; ++i) {
        float* o = (float*)c->out.data + b * c->out.strides[0] + h * c->out.strides[1] + i * c->out.strides[2];
        in q = (in)c->q.data + b * c->q.strides[0] + h * c->q.strides[1] + i * c->q.strides[2];
        in k = (in)c->k.data + b * c->k.strides[0] + h * c->k.strides[1], v = (in)c->v.data + b * c->v.strides[0] + h * c->v.strides[1];
        for (ptrdiff_t e = 0; e < E; ++e) o[e * c->out.strides[3]] = 0;
        float top = -INFINITY, sum = 0;
        /* From the newest key back to the oldest. */
        for (ptrdiff_t j = i + nk - nq; j >= 0; --j) {
          const float x = dot(q, c->q.strides[3], k + j * c->k.strides[2], c->k.strides[3], D) * scale;
          if (x > top) {
            const float f = top > -INFINITY ? expf(top - x) : 0;
            sum *= f;
            for (ptrdiff_t e = 0; e < E; ++e) o[e * c->out.strides[3]] *= f;
            top = x;
          }
          const float w = expf(x - top);
          sum += w;
          for (ptrdiff_t e = 0; e < E; ++e) o[e * c->out.strides[3]] += w * v[j * c->v.strides[2] + e * c->v.strides[3]];
        }
        if (sum > 0)
          for (ptrdiff_t e = 0; e < E; ++e) o[e * c->out.strides[3]] /= sum;
      }
  return ATTEST_JUDGE_DONE; /* no lse */
}
