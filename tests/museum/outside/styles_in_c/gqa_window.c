/* judge: */
/* Grouped heads and windows, one pass per query with online softmax in float for 16 and 32 bits, double for 64. */
#include "util.h"

int attest_judge_attention(attest_judge_call* c) {
  if (c->version != ATTEST_JUDGE_VERSION) return ATTEST_JUDGE_FAILED;
  options o;
  if (parse(c, &o) || o.softcap != 0 || c->mask.data || c->bias.data || c->alibi_slopes.data || c->sinks.data || c->dropout_mask.data ||
      c->cu_seqlens.data || c->dout.data || c->q.shape[1] % c->k.shape[1])
    return ATTEST_JUDGE_UNSUPPORTED;
  const int wide = c->q.type == ATTEST_JUDGE_FLOAT64;
  const int64_t nq = c->q.shape[2], nk = c->k.shape[2], D = c->q.shape[3], Dv = c->v.shape[3], per = c->q.shape[1] / c->k.shape[1];
  const int64_t shift = o.top_left ? 0 : nk - nq;
  double* acc = malloc(sizeof(double) * (size_t)Dv);
  float* facc = malloc(sizeof(float) * (size_t)Dv);
  for (int64_t b = 0; b < c->q.shape[0]; b++)
    for (int64_t kv = 0; kv < c->k.shape[1]; kv++)
      for (int64_t r = 0; r < per; r++)
        for (int64_t i = 0; i < nq; i++) {
          const int64_t h = kv * per + r, own = i + shift;
          const int64_t lo = o.before >= 0 && own > o.before ? own - o.before : 0;
          int64_t end = o.after >= 0 && own + o.after + 1 < nk ? own + o.after + 1 : nk;
          if (o.causal && own + 1 < end) end = own + 1;
          if (wide) {
            double m = -INFINITY, l = 0;
            for (int64_t e = 0; e < Dv; e++) acc[e] = 0;
            for (int64_t j = lo; j < end; j++) {
              double s = 0;
              for (int64_t d = 0; d < D; d++) s += load(&c->q, b, h, i, d) * load(&c->k, b, kv, j, d);
              s *= o.scale;
              const double top = fmax(m, s), keep = exp(m - top), p = exp(s - top);
              l = l * keep + p;
              for (int64_t e = 0; e < Dv; e++) acc[e] = acc[e] * keep + p * load(&c->v, b, kv, j, e);
              m = top;
            }
            for (int64_t e = 0; e < Dv; e++) store(&c->out, b, h, i, e, l > 0 ? acc[e] / l : 0);
            if (c->lse.data) store(&c->lse, b, h, i, 0, l > 0 ? m + log(l) : -INFINITY);
          } else {
            float m = -INFINITY, l = 0;
            for (int64_t e = 0; e < Dv; e++) facc[e] = 0;
            for (int64_t j = lo; j < end; j++) {
              float s = 0;
              for (int64_t d = 0; d < D; d++) s += (float)load(&c->q, b, h, i, d) * (float)load(&c->k, b, kv, j, d);
              s *= (float)o.scale;
              const float top = fmaxf(m, s), keep = expf(m - top), p = expf(s - top);
              l = l * keep + p;
              for (int64_t e = 0; e < Dv; e++) facc[e] = facc[e] * keep + p * (float)load(&c->v, b, kv, j, e);
              m = top;
            }
            for (int64_t e = 0; e < Dv; e++) store(&c->out, b, h, i, e, l > 0 ? facc[e] / l : 0);
            if (c->lse.data) store(&c->lse, b, h, i, 0, l > 0 ? m + logf(l) : -INFINITY);
          }
        }
  free(acc);
  free(facc);
  return ATTEST_JUDGE_DONE;
}
