/* judge: */
/* lse, dq, dk, dv, dlse; causal, scale, window, softcap; float64 and float32. Recomputes the weights from lse. */
#include "util.h"

static double logit(const attest_judge_call* c, const options* o, int64_t b, int64_t h, int64_t i, int64_t j, double* slope) {
  double x = 0;
  for (int64_t d = 0; d < c->q.shape[3]; d++) x += load(&c->q, b, h, i, d) * load(&c->k, b, h, j, d);
  x *= o->scale;
  *slope = 1;
  if (o->softcap > 0) {
    const double t = tanh(x / o->softcap);
    x = o->softcap * t;
    *slope = 1 - t * t;
  }
  return x;
}

int attest_judge_attention(attest_judge_call* c) {
  if (c->version != ATTEST_JUDGE_VERSION || c->bytes != sizeof *c) return ATTEST_JUDGE_FAILED;
  options o;
  if (parse(c, &o) || c->mask.data || c->bias.data || c->alibi_slopes.data || c->sinks.data || c->dropout_mask.data || c->cu_seqlens.data ||
      c->k.shape[1] != c->q.shape[1] || (c->q.type != ATTEST_JUDGE_FLOAT64 && c->q.type != ATTEST_JUDGE_FLOAT32))
    return ATTEST_JUDGE_UNSUPPORTED;
  const int64_t B = c->q.shape[0], H = c->q.shape[1], nq = c->q.shape[2], nk = c->k.shape[2], D = c->q.shape[3], Dv = c->v.shape[3];
  const int64_t shift = o.top_left ? 0 : nk - nq;
  double* acc = calloc((size_t)(Dv + D), sizeof(double));
  double* dk = calloc((size_t)(nk * D + 1), sizeof(double));
  double* dv = calloc((size_t)(nk * Dv + 1), sizeof(double));
  for (int64_t b = 0; b < B; b++)
    for (int64_t h = 0; h < H; h++) {
      memset(dk, 0, sizeof(double) * (size_t)(nk * D));
      memset(dv, 0, sizeof(double) * (size_t)(nk * Dv));
      for (int64_t i = 0; i < nq; i++) {
        int64_t lo = 0, hi = nk - 1, own = i + shift;
        if (o.before >= 0 && own - o.before > lo) lo = own - o.before;
        if (o.after >= 0 && own + o.after < hi) hi = own + o.after;
        if (o.causal && own < hi) hi = own;
        double m = -INFINITY, l = 0, slope;
        for (int64_t e = 0; e < Dv; e++) acc[e] = 0;
        for (int64_t j = lo; j <= hi; j++) {
          const double s = logit(c, &o, b, h, i, j, &slope), top = s > m ? s : m, keep = exp(m - top), p = exp(s - top);
          l = l * keep + p;
          for (int64_t e = 0; e < Dv; e++) acc[e] = acc[e] * keep + p * load(&c->v, b, h, j, e);
          m = top;
        }
        const double lse = l > 0 ? m + log(l) : -INFINITY;
        for (int64_t e = 0; e < Dv; e++) store(&c->out, b, h, i, e, acc[e] = l > 0 ? acc[e] / l : 0);
        if (c->lse.data) store(&c->lse, b, h, i, 0, lse);
        if (!c->dout.data) continue;
        double delta = c->dlse.data && l > 0 ? -load(&c->dlse, b, h, i, 0) : 0;
        double* dq = acc + Dv;
        for (int64_t d = 0; d < D; d++) dq[d] = 0;
        if (hi >= lo)
          for (int64_t e = 0; e < Dv; e++) delta += load(&c->dout, b, h, i, e) * acc[e];
        for (int64_t j = lo; j <= hi; j++) {
          const double p = exp(logit(c, &o, b, h, i, j, &slope) - lse);
          double dp = 0;
          for (int64_t e = 0; e < Dv; e++) {
            const double g = load(&c->dout, b, h, i, e);
            dp += g * load(&c->v, b, h, j, e);
            dv[j * Dv + e] += p * g;
          }
          const double ds = p * (dp - delta) * slope * o.scale;
          for (int64_t d = 0; d < D; d++) {
            dq[d] += ds * load(&c->k, b, h, j, d);
            dk[j * D + d] += ds * load(&c->q, b, h, i, d);
          }
        }
        if (c->dq.data)
          for (int64_t d = 0; d < D; d++) store(&c->dq, b, h, i, d, dq[d]);
      }
      for (int64_t j = 0; j < nk; j++) {
        if (c->dk.data)
          for (int64_t d = 0; d < D; d++) store(&c->dk, b, h, j, d, dk[j * D + d]);
        if (c->dv.data)
          for (int64_t e = 0; e < Dv; e++) store(&c->dv, b, h, j, e, dv[j * Dv + e]);
      }
    }
  free(acc);
  free(dk);
  free(dv);
  return ATTEST_JUDGE_DONE;
}
