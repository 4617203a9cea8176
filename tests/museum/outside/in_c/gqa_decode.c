/* judge: */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "values.h"

/* Decoding with grouped heads: the query heads of a group walk over one key together, each key being read once. ALiBi, sinks and
 * packed masks of padding by a boolean mask. All types; state in double. */
struct state { double top, sum; double* acc; };
int attest_judge_attention(attest_judge_call* c) {
  struct settings s;
  if (c->version != ATTEST_JUDGE_VERSION) return ATTEST_JUDGE_FAILED;
  if (!parse(c->options, " causal alignment scale ", c->q.shape[3], &s)) return ATTEST_JUDGE_UNSUPPORTED;
  if (c->bias.data || c->dropout_mask.data || c->cu_seqlens.data || c->dout.data || c->dlse.data || (c->mask.data && c->mask.type != ATTEST_JUDGE_BOOL))
    return ATTEST_JUDGE_UNSUPPORTED;
  const int64_t B = c->q.shape[0], H = c->q.shape[1], G = c->k.shape[1], M = c->q.shape[2], N = c->k.shape[2], D = c->q.shape[3], E = c->v.shape[3];
  if (G < 1 || H % G) return ATTEST_JUDGE_UNSUPPORTED;
  const int64_t R = H / G;
  struct state* st = calloc(R + 1, sizeof *st);
  double* room = malloc(sizeof(double) * (R * (E + D) + D + E + 1));
  double *key = room + R * (E + D), *value = key + D, *query = room + R * E;
  for (int64_t r = 0; r < R; ++r) st[r].acc = room + r * E;
  for (int64_t b = 0; b < B; ++b)
    for (int64_t g = 0; g < G; ++g)
      for (int64_t i = 0; i < M; ++i) {
        const int64_t centre = i + (s.top_left ? 0 : N - M);
        for (int64_t r = 0; r < R; ++r) {
          st[r].top = c->sinks.data ? load(&c->sinks, (g * R + r) * c->sinks.strides[0]) : -INFINITY;
          st[r].sum = c->sinks.data ? 1 : 0;
          for (int64_t e = 0; e < E; ++e) st[r].acc[e] = 0;
          for (int64_t d = 0; d < D; ++d) query[r * D + d] = load(&c->q, at4(&c->q, b, g * R + r, i, d)) * s.scale;
        }
        for (int64_t j = 0; j < N && !(s.causal && j > centre); ++j) {
          for (int64_t d = 0; d < D; ++d) key[d] = load(&c->k, at4(&c->k, b, g, j, d));
          for (int64_t e = 0; e < E; ++e) value[e] = load(&c->v, at4(&c->v, b, g, j, e));
          for (int64_t r = 0; r < R; ++r) {
            struct state* t = st + r;
            const int64_t h = g * R + r;
            if (c->mask.data && load(&c->mask, c->mask.rank == 2 ? i * c->mask.strides[0] + j * c->mask.strides[1]
                                                                 : at4(&c->mask, b, c->mask.shape[1] == 1 ? 0 : h, i, j)) == 0)
              continue;
            double x = 0;
            for (int64_t d = 0; d < D; ++d) x += query[r * D + d] * key[d];
            if (c->alibi_slopes.data) x -= load(&c->alibi_slopes, h * c->alibi_slopes.strides[0]) * fabs((double)(centre - j));
            const double most = fmax(t->top, x), keep = exp(t->top - most), w = exp(x - most);
            t->sum = t->sum * keep + w;
            for (int64_t e = 0; e < E; ++e) t->acc[e] = t->acc[e] * keep + w * value[e];
            t->top = most;
          }
        }
        for (int64_t r = 0; r < R; ++r) {
          for (int64_t e = 0; e < E; ++e) store(&c->out, at4(&c->out, b, g * R + r, i, e), st[r].sum > 0 ? st[r].acc[e] / st[r].sum : 0);
          if (c->lse.data) store(&c->lse, at3(&c->lse, b, g * R + r, i), st[r].sum > 0 ? st[r].top + log(st[r].sum) : -INFINITY);
        }
      }
  free(st), free(room);
  return ATTEST_JUDGE_DONE;
}
