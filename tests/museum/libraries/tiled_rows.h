/* The rows of tiled.c in the type REAL; included once for each type. */

/* A part of a row: the largest logit, the sum of exp(logit - largest) and the sum of those times the values. */
typedef struct {
  REAL largest, sum, *out;
} NAMED(partial);

static REAL NAMED(logit)(const problem* p, int64_t b, int64_t h, int64_t g, int64_t i, int64_t j, double added) {
  REAL dot = 0;
  for (int64_t d = 0; d < p->width; ++d)
    dot += (REAL)get(&p->c->q, offset(&p->c->q, b, h, i, d)) * (REAL)get(&p->c->k, offset(&p->c->k, b, g, j, d));
  return dot * (REAL)p->scale + (REAL)added;
}

static void NAMED(take_tile)(const problem* p, int64_t b, int64_t h, int64_t g, int64_t i, int64_t first, int64_t end,
                             NAMED(partial) * row) {
  REAL logits[TILE], larger = row->largest;
  for (int64_t j = first; j < end; ++j) {
    double added;
    logits[j - first] = sees(p, b, h, i, j, &added) ? NAMED(logit)(p, b, h, g, i, j, added) : -(REAL)INFINITY;
    if (logits[j - first] > larger) larger = logits[j - first];
  }
  if (larger == -(REAL)INFINITY) return;
  const REAL correction = EXP(row->largest - larger);
  row->sum *= correction;
  for (int64_t d = 0; d < p->value_width; ++d) row->out[d] *= correction;
  for (int64_t j = first; j < end; ++j) {
    if (logits[j - first] == -(REAL)INFINITY) continue; /* hidden: nothing in its value can reach the output */
    const REAL weight = EXP(logits[j - first] - larger);
    row->sum += weight;
    for (int64_t d = 0; d < p->value_width; ++d)
      row->out[d] += weight * (REAL)get(&p->c->v, offset(&p->c->v, b, g, j, d));
  }
  row->largest = larger;
}

/* All tiles of the keys first .. end - 1. */
static void NAMED(take_part)(const problem* p, int64_t b, int64_t h, int64_t g, int64_t i, int64_t first, int64_t end,
                             NAMED(partial) * row) {
  const int64_t tiles = (end - first + TILE - 1) / TILE;
  row->largest = -(REAL)INFINITY, row->sum = 0;
  for (int64_t d = 0; d < p->value_width; ++d) row->out[d] = 0;
  for (int64_t n = 0; n < tiles; ++n) {
#ifdef LAST_FIRST
    const int64_t from = first + (tiles - 1 - n) * TILE;
#else
    const int64_t from = first + n * TILE;
#endif
    NAMED(take_tile)(p, b, h, g, i, from, from + TILE < end ? from + TILE : end, row);
  }
}

/* Both parts' sums relative to the larger of their largest logits. */
static void NAMED(combine)(const problem* p, NAMED(partial) * row, const NAMED(partial) * part) {
  if (part->largest == -(REAL)INFINITY) return;
  const REAL larger = row->largest > part->largest ? row->largest : part->largest;
  const REAL own = EXP(row->largest - larger), other = EXP(part->largest - larger);
  row->sum = row->sum * own + part->sum * other;
  for (int64_t d = 0; d < p->value_width; ++d) row->out[d] = row->out[d] * own + part->out[d] * other;
  row->largest = larger;
}

/* Adds the row's share of the gradients; `out` is its output before rounding. */
static void NAMED(differentiate)(const problem* p, int64_t b, int64_t h, int64_t g, int64_t i, REAL lse, const REAL* out,
                                 double* dq, double* dk, double* dv) {
  const attest_judge_call* c = p->c;
  const REAL dlse = c->dlse.data == NULL ? 0 : (REAL)get(&c->dlse, row_of(&c->dlse, b, h, i));
  REAL row = 0;
  for (int64_t d = 0; d < p->value_width; ++d) row += (REAL)get(&c->dout, offset(&c->dout, b, h, i, d)) * out[d];
  for (int64_t j = 0; j < p->keys; ++j) {
    double added;
    if (!sees(p, b, h, i, j, &added)) continue;
    const REAL weight = EXP(NAMED(logit)(p, b, h, g, i, j, added) - lse);
    const int64_t key = (b * c->k.shape[1] + g) * p->keys + j, query = (b * c->q.shape[1] + h) * p->queries + i;
    REAL slope = 0;
    for (int64_t d = 0; d < p->value_width; ++d) {
      const REAL dout = (REAL)get(&c->dout, offset(&c->dout, b, h, i, d));
      slope += dout * (REAL)get(&c->v, offset(&c->v, b, g, j, d));
      dv[key * p->value_width + d] = (REAL)dv[key * p->value_width + d] + weight * dout;
    }
    const REAL ds = weight * (slope - row + dlse) * (REAL)p->scale;
    for (int64_t d = 0; d < p->width; ++d) {
      dq[query * p->width + d] = (REAL)dq[query * p->width + d] + ds * (REAL)get(&c->k, offset(&c->k, b, g, j, d));
      dk[key * p->width + d] = (REAL)dk[key * p->width + d] + ds * (REAL)get(&c->q, offset(&c->q, b, h, i, d));
    }
  }
}

static void NAMED(attend)(const problem* p) {
  const attest_judge_call* c = p->c;
  const int64_t heads = c->q.shape[1], per_part = (p->keys + PARTS - 1) / PARTS;
  double *dq = zeros(&c->q), *dk = zeros(&c->k), *dv = zeros(&c->v);
  NAMED(partial) row = {0, 0, malloc((size_t)p->value_width * sizeof(REAL))}, part = row;
  part.out = malloc((size_t)p->value_width * sizeof(REAL));
  for (int64_t b = 0; b < c->q.shape[0]; ++b)
    for (int64_t h = 0; h < heads; ++h)
      for (int64_t i = 0, g = h / (heads / c->k.shape[1]); i < p->queries; ++i) {
        NAMED(take_part)(p, b, h, g, i, 0, per_part, &row);
        for (int64_t first = per_part; first < p->keys; first += per_part) {
          NAMED(take_part)(p, b, h, g, i, first, first + per_part < p->keys ? first + per_part : p->keys, &part);
          NAMED(combine)(p, &row, &part);
        }
        const int empty = row.largest == -(REAL)INFINITY;
        const REAL lse = empty ? -(REAL)INFINITY : row.largest + LOG(row.sum);
        put(&c->lse, row_of(&c->lse, b, h, i), lse);
        for (int64_t d = 0; d < p->value_width; ++d) {
          row.out[d] = empty ? 0 : row.out[d] / row.sum;
          put(&c->out, offset(&c->out, b, h, i, d), row.out[d]);
        }
        if (c->dout.data != NULL && !empty) NAMED(differentiate)(p, b, h, g, i, lse, row.out, dq, dk, dv);
      }
  if (c->dout.data != NULL) store(&c->dq, dq), store(&c->dk, dk), store(&c->dv, dv);
  free(row.out), free(part.out), free(dq), free(dk), free(dv);
}
