/* judge: */
/* float32 with the tricks of recent kernels: exp2 by a polynomial (Cody-Waite, about 1e-7), rescaling of the accumulator only when the
 * maximum has grown by more than 8 bits, subnormals flushed (FTZ and DAZ); causal. */
#include <xmmintrin.h>
#include "util.h"

static float fast_exp2(float x) {
  if (!(x >= -126.f)) return 0;
  const float n = floorf(x + 0.5f), f = x - n;
  /* Taylor of 2^f on [-1/2, 1/2], degree 7 */
  float p = 1.5252734e-5f;
  p = p * f + 1.5403530e-4f;
  p = p * f + 1.3333558e-3f;
  p = p * f + 9.6181291e-3f;
  p = p * f + 5.5504109e-2f;
  p = p * f + 2.4022651e-1f;
  p = p * f + 6.9314718e-1f;
  p = p * f + 1.f;
  uint32_t u = (uint32_t)((int32_t)n + 127) << 23;
  float s;
  memcpy(&s, &u, 4);
  return p * s;
}

int attest_judge_attention(attest_judge_call* c) {
  if (c->version != ATTEST_JUDGE_VERSION) return ATTEST_JUDGE_FAILED;
  options o;
  if (parse(c, &o) || o.softcap != 0 || o.before != -1 || o.after != -1 || c->q.type != ATTEST_JUDGE_FLOAT32 || c->mask.data || c->bias.data ||
      c->alibi_slopes.data || c->sinks.data || c->dropout_mask.data || c->cu_seqlens.data || c->dout.data || c->k.shape[1] != c->q.shape[1])
    return ATTEST_JUDGE_UNSUPPORTED;
  const unsigned old = _mm_getcsr();
  _mm_setcsr(old | 0x8040);
  const int64_t nq = c->q.shape[2], nk = c->k.shape[2], D = c->q.shape[3], Dv = c->v.shape[3], shift = o.top_left ? 0 : nk - nq;
  const float scale = (float)(o.scale * 1.4426950408889634);
  float* acc = malloc(sizeof(float) * (size_t)Dv);
  for (int64_t b = 0; b < c->q.shape[0]; b++)
    for (int64_t h = 0; h < c->q.shape[1]; h++)
      for (int64_t i = 0; i < nq; i++) {
        int64_t end = o.causal && i + shift + 1 < nk ? i + shift + 1 : nk;
        float m = -INFINITY, l = 0;
        for (int64_t e = 0; e < Dv; e++) acc[e] = 0;
        for (int64_t j = 0; j < end; j++) {
          float s = 0;
          for (int64_t d = 0; d < D; d++) s += (float)load(&c->q, b, h, i, d) * (float)load(&c->k, b, h, j, d);
          s *= scale;
          if (s > m + 8 || m == -INFINITY) {
            const float keep = m == -INFINITY ? 0 : fast_exp2(m - s);
            l *= keep;
            for (int64_t e = 0; e < Dv; e++) acc[e] *= keep;
            m = s;
          }
          const float p = fast_exp2(s - m);
          l += p;
          for (int64_t e = 0; e < Dv; e++) acc[e] += p * (float)load(&c->v, b, h, j, e);
        }
        for (int64_t e = 0; e < Dv; e++) store(&c->out, b, h, i, e, l > 0 ? acc[e] / l : 0);
        if (c->lse.data) store(&c->lse, b, h, i, 0, l > 0 ? (m + log2f(l)) * 0.69314718f : -INFINITY);
      }
  free(acc);
  _mm_setcsr(old);
  return ATTEST_JUDGE_DONE;
}
