/* judge: */
/* Dropout by a given mask of factors, forward and backward; causal; all four types, sums in double. */
#include "util.h"

int attest_judge_attention(attest_judge_call* c) {
  if (c->version != ATTEST_JUDGE_VERSION) return ATTEST_JUDGE_FAILED;
  options o;
  if (parse(c, &o) || o.softcap != 0 || o.before != -1 || o.after != -1 || c->mask.data || c->bias.data || c->alibi_slopes.data ||
      c->sinks.data || c->cu_seqlens.data || c->dlse.data || c->k.shape[1] != c->q.shape[1])
    return ATTEST_JUDGE_UNSUPPORTED;
  const int64_t B = c->q.shape[0], H = c->q.shape[1], nq = c->q.shape[2], nk = c->k.shape[2], D = c->q.shape[3], Dv = c->v.shape[3];
  const int64_t shift = o.top_left ? 0 : nk - nq;
  double* p = malloc(sizeof(double) * (size_t)(nk + 1));
  double* dp = malloc(sizeof(double) * (size_t)(nk + 1));
  double* dk = malloc(sizeof(double) * (size_t)(nk * D + 1));
  double* dv = malloc(sizeof(double) * (size_t)(nk * Dv + 1));
  for (int64_t b = 0; b < B; b++)
    for (int64_t h = 0; h < H; h++) {
      for (int64_t t = 0; t < nk * D; t++) dk[t] = 0;
      for (int64_t t = 0; t < nk * Dv; t++) dv[t] = 0;
      for (int64_t i = 0; i < nq; i++) {
        int64_t end = nk;
        if (o.causal && i + shift + 1 < end) end = i + shift + 1;
        double top = -INFINITY, sum = 0;
        for (int64_t j = 0; j < end; j++) {
          p[j] = 0;
          for (int64_t d = 0; d < D; d++) p[j] += load(&c->q, b, h, i, d) * load(&c->k, b, h, j, d);
          p[j] *= o.scale;
          top = fmax(top, p[j]);
        }
        for (int64_t j = 0; j < end; j++) sum += p[j] = exp(p[j] - top);
        for (int64_t j = 0; j < end; j++) p[j] /= sum;
        for (int64_t e = 0; e < Dv; e++) {
          double x = 0;
          for (int64_t j = 0; j < end; j++) {
            const double keep = c->dropout_mask.data ? load(&c->dropout_mask, b, h, i, j) : 1;
            x += keep * p[j] * load(&c->v, b, h, j, e);
          }
          store(&c->out, b, h, i, e, x);
        }
        if (c->lse.data) store(&c->lse, b, h, i, 0, sum > 0 ? top + log(sum) : -INFINITY);
        if (!c->dout.data) continue;
        double delta = 0;
        for (int64_t j = 0; j < end; j++) {
          const double keep = c->dropout_mask.data ? load(&c->dropout_mask, b, h, i, j) : 1;
          dp[j] = 0;
          for (int64_t e = 0; e < Dv; e++) {
            const double g = load(&c->dout, b, h, i, e);
            dp[j] += g * load(&c->v, b, h, j, e);
            dv[j * Dv + e] += keep * p[j] * g;
          }
          dp[j] *= keep;
          delta += p[j] * dp[j];
        }
        for (int64_t d = 0; d < D; d++) {
          double x = 0;
          const double qd = end > 0 ? load(&c->q, b, h, i, d) : 0;
          for (int64_t j = 0; j < end; j++) {
            const double ds = p[j] * (dp[j] - delta) * o.scale;
            x += ds * load(&c->k, b, h, j, d);
            dk[j * D + d] += ds * qd;
          }
          if (c->dq.data) store(&c->dq, b, h, i, d, x);
        }
      }
      for (int64_t j = 0; j < nk; j++) {
        for (int64_t d = 0; d < D && c->dk.data; d++) store(&c->dk, b, h, j, d, dk[j * D + d]);
        for (int64_t e = 0; e < Dv && c->dv.data; e++) store(&c->dv, b, h, j, e, dv[j * Dv + e]);
      }
    }
  free(p);
  free(dp);
  free(dk);
  free(dv);
  return ATTEST_JUDGE_DONE;
}
