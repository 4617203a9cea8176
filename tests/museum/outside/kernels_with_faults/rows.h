/* What kernel.c does for one REAL with rows: dot products, visibility, logits, copies of tiles. */

static REAL FN(ex)(REAL x) {
#ifdef BUG_EXPONENT_CLAMPED_AT_20
  if (x < -20) x = -20;
#endif
  return EXP(x);
}

/* Eight lanes, then four, then the rest. */
static REAL FN(dot)(const REAL* x, const REAL* y, int64_t n) {
  REAL s[8] = {0};
  int64_t d = 0, tail = n & 7;
  for (; d + 8 <= n; d += 8)
    for (int t = 0; t < 8; t++) s[t] += x[d + t] * y[d + t];
  if (tail & 4) {
    for (int t = 0; t < 4; t++) s[t] += x[d + t] * y[d + t];
#ifdef BUG_LANES_AFTER_FOUR_FROM_START
    tail &= 3;
#else
    d += 4;
    tail &= 3;
#endif
  }
  for (int t = 0; t < tail; t++) s[t] += x[d + t] * y[d + t];
  return ((s[0] + s[4]) + (s[1] + s[5])) + ((s[2] + s[6]) + (s[3] + s[7]));
}

/* Whether the band of causal mask and window lets the query at position p see key j of its sequence. */
static int FN(in_band)(const context* c, int64_t p, int64_t j) {
#ifdef BUG_MASK_POSITIONS_OF_16_BITS
  uint16_t column = (uint16_t)j;
#else
  int64_t column = j;
#endif
  if (c->causal && column > p) return 0;
  if (c->left >= 0 && column < p - c->left) return 0;
  if (c->right >= 0 && column > p + c->right) return 0;
  return 1;
}

/* The logit of query i and key j (of the whole arrays); p, jl: positions in the sequence. 0 if hidden. */
static int FN(score)(const context* c, int64_t b, int64_t h, int64_t i, int64_t j, int64_t p, int64_t jl, int check,
                     double softcap, REAL product, REAL* x, REAL* slope) {
  const attest_judge_call* a = c->a;
  if (check && !FN(in_band)(c, p, jl)) return 0;
  REAL added = 0;
  if (a->mask.data) {
    const array* m = &a->mask;
    int64_t off;
    if (m->rank == 2) off = i * m->strides[0] + j * m->strides[1];
    else {
#ifdef BUG_MASK_BY_STRIDE_OF_HEADS
      if (m->shape[1] == 1) off = b * m->strides[0];
      else off = (b * c->H + h) * m->strides[1];
#else
      off = (m->shape[0] == 1 ? 0 : b * m->strides[0]) + (m->shape[1] == 1 ? 0 : h * m->strides[1]);
#endif
      off += i * m->strides[2] + j * m->strides[3];
    }
    REAL value = (REAL)load(m, off);
    if (m->type == ATTEST_JUDGE_BOOL) {
      if (value == 0) return 0;
    } else added += value;
  }
  if (a->bias.data) added += (REAL)load(&a->bias, h * a->bias.strides[0] + i * a->bias.strides[1] + j * a->bias.strides[2]);
  if (added == -INFINITY) return 0;
  if (a->alibi_slopes.data) {
    int64_t distance = p > jl ? p - jl : jl - p;
    added -= (REAL)load(&a->alibi_slopes, h * a->alibi_slopes.strides[0]) * (REAL)distance;
  }
#ifdef BUG_WIDTH_64_WITHOUT_SCALE
  REAL s = c->D == 64 ? product * (REAL)0.125 : product * (REAL)c->scale;
#else
  REAL s = product * (REAL)c->scale;
#endif
  *slope = 1;
  if (softcap > 0) {
    REAL t = TANH(s / (REAL)softcap);
    s = (REAL)softcap * t;
    *slope = 1 - t * t;
  }
  *x = s + added;
  return *x != -INFINITY;
}

static REAL FN(factor)(const context* c, int64_t b, int64_t h, int64_t i, int64_t j) {
  const array* m = &c->a->dropout_mask;
  return m->data ? (REAL)load(m, at4(m, b, h, i, j)) : 1;
}

/* n rows from row on, into a contiguous buffer of the given pitch. */
static void FN(pack)(const array* x, int64_t b, int64_t h, int64_t row, int64_t n, int64_t width, int64_t stride, REAL* y, int64_t pitch) {
  for (int64_t r = 0; r < n; r++) {
    int64_t off = b * x->strides[0] + h * x->strides[1] + (row + r) * stride;
    for (int64_t d = 0; d < width; d++) y[r * pitch + d] = (REAL)load(x, off + d * x->strides[3]);
  }
}
static void FN(pack_v)(const array* x, int64_t b, int64_t h, int64_t row, int64_t n, int64_t width, REAL* y, int64_t pitch) {
#ifdef BUG_VALUE_OFFSET_OF_32_BITS
  for (int64_t r = 0; r < n; r++) {
    int off = (int)(b * x->strides[0] + h * x->strides[1] + (row + r) * x->strides[2]);
    for (int64_t d = 0; d < width; d++) y[r * pitch + d] = (REAL)load(x, off + d * x->strides[3]);
  }
#else
  FN(pack)(x, b, h, row, n, width, x->strides[2], y, pitch);
#endif
}

typedef struct {
  int64_t p0, p1;   /* positions of the first and last query of the tile */
  int skip, check;
} FN(band);

static FN(band) FN(tile_band)(const context* c, int64_t p0, int64_t p1, int64_t j0, int64_t j1) {
  FN(band) t = {p0, p1, 0, 0};
  int64_t right = c->right;
  if (c->causal) right = 0;
  if (right >= 0) {
    if (j0 > p1 + right) t.skip = 1;
    if (j1 > p0 + right) t.check = 1;
  }
  if (c->left >= 0) {
    if (j1 < p0 - c->left) t.skip = 1;
#ifdef BUG_WINDOW_TILE_BY_ITS_FIRST_QUERY
    if (j0 < p0 - c->left) t.check = 1;
#else
    if (j0 < p1 - c->left) t.check = 1;
#endif
  }
  return t;
}

static int64_t FN(tiles)(int64_t n) {
#ifdef BUG_SINGLE_KEY_TILE_DROPPED
  int64_t count = (n - 1 + BN - 1) / BN;
  return n > 0 && count < 1 ? 1 : count;
#else
  return (n + BN - 1) / BN;
#endif
}

typedef struct {
  int64_t W, WV; /* pitches of rows of D and of D_v */
  REAL *q, *k, *v, *acc, *part, *dq, *dout;
  REAL m[BM], l[BM];
} FN(scratch);
