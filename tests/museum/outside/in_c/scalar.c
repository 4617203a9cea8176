/* judge: */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "values.h"

/* Everything, one row at a time, in double. */
static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

static double visible_logit(const attest_judge_call* c, const struct settings* s, int64_t b, int64_t h, int64_t kv, int64_t i, int64_t j,
                            int64_t centre, int64_t local_j, int* seen, double* slope_of_cap) {
  *seen = 0;
  *slope_of_cap = 1;
  if (s->causal && local_j > centre) return 0;
  if (s->before >= 0 && local_j < centre - s->before) return 0;
  if (s->after >= 0 && local_j > centre + s->after) return 0;
  double added = 0;
  if (c->mask.data) {
    const int64_t where = c->mask.rank == 2 ? i * c->mask.strides[0] + j * c->mask.strides[1]
                                            : at4(&c->mask, c->mask.shape[0] == 1 ? 0 : b, c->mask.shape[1] == 1 ? 0 : h, i, j);
    const double m = load(&c->mask, where);
    if (c->mask.type == ATTEST_JUDGE_BOOL) {
      if (m == 0) return 0;
    } else {
      if (m == -INFINITY) return 0;
      added += m;
    }
  }
  if (c->bias.data) {
    const double x = load(&c->bias, at3(&c->bias, h, i, j));
    if (x == -INFINITY) return 0;
    added += x;
  }
  double dot = 0;
  for (int64_t d = 0; d < c->q.shape[3]; ++d) dot += load(&c->q, at4(&c->q, b, h, i, d)) * load(&c->k, at4(&c->k, b, kv, j, d));
  dot *= s->scale;
  if (s->softcap > 0) {
    const double t = tanh(dot / s->softcap);
    dot = s->softcap * t;
    *slope_of_cap = 1 - t * t;
  }
  if (c->alibi_slopes.data) added -= load(&c->alibi_slopes, h * c->alibi_slopes.strides[0]) * (double)llabs(centre - local_j);
  *seen = 1;
  return dot + added;
}

int attest_judge_attention(attest_judge_call* c) {
  struct settings s;
  if (c->version != ATTEST_JUDGE_VERSION) return ATTEST_JUDGE_FAILED;
  if (!parse(c->options, " causal alignment scale window softcap ", c->q.shape[3], &s)) return ATTEST_JUDGE_UNSUPPORTED;
  const int64_t B = c->q.shape[0], H = c->q.shape[1], Nq = c->q.shape[2], D = c->q.shape[3];
  const int64_t G = c->k.shape[1], Nk = c->k.shape[2], Dv = c->v.shape[3];
  double* logit = malloc(sizeof(double) * (Nk + 1));
  double* cap = malloc(sizeof(double) * (Nk + 1));
  char* seen = malloc(Nk + 1);
  double* row = malloc(sizeof(double) * (Dv + 1));
  double* gq = malloc(sizeof(double) * (D + 1));
  double *gk = NULL, *gv = NULL;
  if (c->dout.data) {
    gk = calloc(B * G * Nk * D + 1, sizeof(double));
    gv = calloc(B * G * Nk * Dv + 1, sizeof(double));
  }
  for (int64_t b = 0; b < B; ++b)
    for (int64_t h = 0; h < H; ++h)
      for (int64_t i = 0; i < Nq; ++i) {
        const int64_t kv = h / (H / G);
        /* The sequence of this query. */
        int64_t q0 = 0, q1 = Nq, k0 = 0, k1 = Nk;
        if (c->cu_seqlens.data) {
          const attest_judge_array* cq = &c->cu_seqlens;
          const attest_judge_array* ck = c->cu_seqlens_k.data ? &c->cu_seqlens_k : cq;
          int64_t n = 0;
          q0 = q1 = k0 = k1 = 0;
          for (; n + 1 < cq->shape[0]; ++n)
            if (i >= (int64_t)load(cq, n * cq->strides[0]) && i < (int64_t)load(cq, (n + 1) * cq->strides[0])) {
              q0 = load(cq, n * cq->strides[0]), q1 = load(cq, (n + 1) * cq->strides[0]);
              k0 = load(ck, n * ck->strides[0]), k1 = least(Nk, load(ck, (n + 1) * ck->strides[0]));
              break;
            }
        }
        const int64_t centre = i - q0 + (s.top_left ? 0 : (k1 - k0) - (q1 - q0));
        double top = -INFINITY, sum = 0;
        const int sink = c->sinks.data != NULL;
        double sink_logit = 0;
        if (sink) top = sink_logit = load(&c->sinks, h * c->sinks.strides[0]);
        for (int64_t j = k0; j < k1; ++j) {
          int see;
          logit[j] = visible_logit(c, &s, b, h, kv, i, j, centre, j - k0, &see, &cap[j]);
          seen[j] = (char)see;
          if (see && logit[j] > top) top = logit[j];
        }
        for (int64_t e = 0; e < Dv; ++e) row[e] = 0;
        if (sink) sum += exp(sink_logit - top);
        for (int64_t j = k0; j < k1; ++j)
          if (seen[j]) sum += exp(logit[j] - top);
        const double lse = sum > 0 ? top + log(sum) : -INFINITY;
        for (int64_t j = k0; j < k1; ++j) {
          if (!seen[j]) continue;
          const double drop = c->dropout_mask.data ? load(&c->dropout_mask, at4(&c->dropout_mask, b, h, i, j)) : 1;
          const double p = exp(logit[j] - top) / sum * drop;
          for (int64_t e = 0; e < Dv; ++e) row[e] += p * load(&c->v, at4(&c->v, b, kv, j, e));
        }
        for (int64_t e = 0; e < Dv; ++e) store(&c->out, at4(&c->out, b, h, i, e), row[e]);
        if (c->lse.data) store(&c->lse, at3(&c->lse, b, h, i), lse);
        if (!c->dout.data) continue;
        const double dlse = c->dlse.data ? load(&c->dlse, at3(&c->dlse, b, h, i)) : 0;
        double delta = 0;
        for (int64_t e = 0; e < Dv; ++e) delta += row[e] * load(&c->dout, at4(&c->dout, b, h, i, e));
        for (int64_t d = 0; d < D; ++d) gq[d] = 0;
        for (int64_t j = k0; j < k1; ++j) {
          if (!seen[j]) continue;
          const double drop = c->dropout_mask.data ? load(&c->dropout_mask, at4(&c->dropout_mask, b, h, i, j)) : 1;
          const double p = exp(logit[j] - top) / sum;
          double dp = 0;
          for (int64_t e = 0; e < Dv; ++e) {
            const double g = load(&c->dout, at4(&c->dout, b, h, i, e));
            dp += g * load(&c->v, at4(&c->v, b, kv, j, e));
            gv[((b * G + kv) * Nk + j) * Dv + e] += p * drop * g;
          }
          const double ds = p * (dp * drop - delta + dlse) * cap[j] * s.scale;
          for (int64_t d = 0; d < D; ++d) {
            gq[d] += ds * load(&c->k, at4(&c->k, b, kv, j, d));
            gk[((b * G + kv) * Nk + j) * D + d] += ds * load(&c->q, at4(&c->q, b, h, i, d));
          }
        }
        for (int64_t d = 0; d < D; ++d) store(&c->dq, at4(&c->dq, b, h, i, d), gq[d]);
      }
  if (c->dout.data)
    for (int64_t b = 0; b < B; ++b)
      for (int64_t g = 0; g < G; ++g)
        for (int64_t j = 0; j < Nk; ++j) {
          for (int64_t d = 0; d < D; ++d) store(&c->dk, at4(&c->dk, b, g, j, d), gk[((b * G + g) * Nk + j) * D + d]);
          for (int64_t d = 0; d < Dv; ++d) store(&c->dv, at4(&c->dv, b, g, j, d), gv[((b * G + g) * Nk + j) * Dv + d]);
        }
  free(logit), free(cap), free(seen), free(row), free(gq), free(gk), free(gv);
  return ATTEST_JUDGE_DONE;
}
