/* Softmax attention as a C library, by plain loops: right as it stands, and wrong in one way with -DMUSEUM_ and its name.
 * float64 and float32 arrays of any strides, grouped heads, causal (both alignments), windows, scale, boolean and additive
 * masks, lse and gradients. Everything is computed in double. */
#include "problem.h"

/* Weights of a row; its lse. Hidden keys are not read: nothing in them can reach a result. */
static double weigh(const problem* p, int64_t b, int64_t h, int64_t g, int64_t i, double* weights) {
  double largest = -INFINITY, sum = 0;
  for (int64_t j = 0; j < p->keys; ++j) {
    double added;
    weights[j] = -INFINITY;
    if (!sees(p, b, h, i, j, &added)) continue;
    double dot = 0;
    for (int64_t d = 0; d < p->width; ++d)
      dot += get(&p->c->q, offset(&p->c->q, b, h, i, d)) * get(&p->c->k, offset(&p->c->k, b, g, j, d));
    weights[j] = dot * p->scale + added;
    if (weights[j] > largest) largest = weights[j];
  }
#ifdef MUSEUM_NO_MAXIMUM
  largest = largest == -INFINITY ? largest : 0;
#endif
  if (largest == -INFINITY) {
    memset(weights, 0, (size_t)p->keys * sizeof *weights);
    return -INFINITY;
  }
  for (int64_t j = 0; j < p->keys; ++j) sum += weights[j] = exp(weights[j] - largest);
  for (int64_t j = 0; j < p->keys; ++j) weights[j] /= sum;
  return largest + log(sum);
}

/* Adds a row's share of the gradients. */
static void differentiate(const problem* p, int64_t b, int64_t h, int64_t g, int64_t i, const double* weights, double* slopes,
                          double* dq, double* dk, double* dv) {
  const attest_judge_call* c = p->c;
  const int64_t kv_heads = c->k.shape[1];
  double row = 0, dlse = 0;
  if (c->dlse.data != NULL)
    dlse = get(&c->dlse, row_of(&c->dlse, b, h, i));
  for (int64_t j = 0; j < p->keys; ++j) {
    slopes[j] = 0;
    if (weights[j] == 0) continue;
    for (int64_t d = 0; d < p->value_width; ++d)
      slopes[j] += get(&c->dout, offset(&c->dout, b, h, i, d)) * get(&c->v, offset(&c->v, b, g, j, d));
    row += weights[j] * slopes[j];
  }
#ifdef MUSEUM_ROW_SUM
  row = 0;
#endif
  for (int64_t j = 0; j < p->keys; ++j) {
    if (weights[j] == 0) continue;
    const double ds = weights[j] * (slopes[j] - row + dlse) * p->scale;
    const int64_t key = (b * kv_heads + g) * p->keys + j, query = (b * c->q.shape[1] + h) * p->queries + i;
    for (int64_t d = 0; d < p->width; ++d) {
      dq[query * p->width + d] += ds * get(&c->k, offset(&c->k, b, g, j, d));
      dk[key * p->width + d] += ds * get(&c->q, offset(&c->q, b, h, i, d));
    }
    for (int64_t d = 0; d < p->value_width; ++d)
      dv[key * p->value_width + d] += weights[j] * get(&c->dout, offset(&c->dout, b, h, i, d));
  }
}

int attest_judge_attention(attest_judge_call* c) {
  if (c->version != ATTEST_JUDGE_VERSION) return ATTEST_JUDGE_FAILED;
  if (c->q.type != ATTEST_JUDGE_FLOAT64 && c->q.type != ATTEST_JUDGE_FLOAT32) return refused(c, "16-bit types");
  if (has_more_than_masks(c)) return refused(c, "bias, ALiBi, sinks, dropout, packed sequences or softcap");
#ifdef MUSEUM_RETURNS_NOTHING
  return ATTEST_JUDGE_DONE;
#endif
  const problem p = read_problem(c);
#ifdef MUSEUM_HANGS
  for (volatile int64_t always = p.keys > 2; always;) {
  }
#endif
#ifdef MUSEUM_CRASHES
  if (p.keys > 2) abort();
#endif
  const int64_t heads = c->q.shape[1], kv_heads = c->k.shape[1];
  double *weights = malloc((size_t)p.keys * sizeof *weights), *slopes = malloc((size_t)p.keys * sizeof *slopes);
  double *dq = zeros(&c->q), *dk = zeros(&c->k), *dv = zeros(&c->v);
  for (int64_t b = 0; b < c->q.shape[0]; ++b)
    for (int64_t h = 0; h < heads; ++h) {
#ifdef MUSEUM_GROUPS
      const int64_t g = h % kv_heads;
#else
      const int64_t g = h / (heads / kv_heads);
#endif
      for (int64_t i = 0; i < p.queries; ++i) {
        const double lse = weigh(&p, b, h, g, i, weights);
        put(&c->lse, row_of(&c->lse, b, h, i), lse);
        for (int64_t d = 0; d < p.value_width; ++d) {
          double sum = 0;
          for (int64_t j = 0; j < p.keys; ++j)
            if (weights[j] != 0) sum += weights[j] * get(&c->v, offset(&c->v, b, g, j, d));
          put(&c->out, result_offset(&c->out, b, h, i, d), sum);
        }
        if (c->dout.data != NULL) differentiate(&p, b, h, g, i, weights, slopes, dq, dk, dv);
      }
    }
#ifdef MUSEUM_WRITES_PAST_END
  put(&c->out, c->out.shape[0] * c->out.strides[0], 0);
#endif
#ifdef MUSEUM_STORES_WHOLE_VECTORS /* four entries at a time, also where a row ends earlier */
  for (int64_t d = p.value_width; d % 4 != 0 && c->out.strides[2] > d; ++d) put(&c->out, d, 0);
#endif
#ifdef MUSEUM_OVERWRITES_QUERIES
  put(&c->q, 0, 0.5 * get(&c->q, 0) + 1);
#endif
  if (c->dout.data != NULL) store(&c->dq, dq), store(&c->dk, dk), store(&c->dv, dv);
  free(weights), free(slopes), free(dq), free(dk), free(dv);
  return ATTEST_JUDGE_DONE;
}
