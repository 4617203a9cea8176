/* Softmax attention as a C library, by plain loops: right as it stands, and wrong in one way with -DMUSEUM_ and its name.
 * float64 and float32 arrays of any strides, grouped heads, causal (both alignments), windows, scale, boolean and additive
 * masks, lse and gradients. Everything is computed in double. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attest_judge.h"

static int64_t offset(const attest_judge_array* a, int64_t b, int64_t h, int64_t n, int64_t d) {
#ifdef MUSEUM_STRIDES
  return ((b * a->shape[1] + h) * a->shape[2] + n) * a->shape[3] + d; /* read as contiguous */
#elif defined(MUSEUM_SHORT_OFFSETS)
  return (int32_t)(b * a->strides[0] + h * a->strides[1] + n * a->strides[2] + d * a->strides[3]);
#else
  return b * a->strides[0] + h * a->strides[1] + n * a->strides[2] + d * a->strides[3];
#endif
}

static double get(const attest_judge_array* a, int64_t n) {
  return a->type == ATTEST_JUDGE_FLOAT64 ? ((const double*)a->data)[n] : (double)((const float*)a->data)[n];
}

static void put(const attest_judge_array* a, int64_t n, double x) {
  if (a->type == ATTEST_JUDGE_FLOAT64)
    ((double*)a->data)[n] = x;
  else
    ((float*)a->data)[n] = (float)x;
}

/* The text after "name=" among the options; NULL when it is not there. */
static const char* option(const char* options, const char* name) {
  const size_t length = strlen(name);
  for (const char* at = options; at != NULL && *at != '\0'; at = strchr(at, ';'), at = at == NULL ? NULL : at + 1)
    if (strncmp(at, name, length) == 0 && at[length] == '=') return at + length + 1;
  return NULL;
}

typedef struct {
  const attest_judge_call* c;
  int64_t queries, keys, width, value_width, shift, before, after;
  int causal;
  double scale;
} problem;

/* Whether query i sees key j; what is added to its logit. */
static int sees(const problem* p, int64_t b, int64_t h, int64_t i, int64_t j, double* added) {
  const attest_judge_array* mask = &p->c->mask;
  const int64_t position = i + p->shift;
  *added = 0;
  if (p->causal && j > position) return 0;
  if (p->before >= 0 && j < position - p->before) return 0;
  if (p->after >= 0 && j > position + p->after) return 0;
  if (mask->data == NULL) return 1;
  int64_t n = i * mask->strides[mask->rank - 2] + j * mask->strides[mask->rank - 1];
  if (mask->rank == 4) n += b * mask->strides[0] + (mask->shape[1] == 1 ? 0 : h) * mask->strides[1];
  if (mask->type == ATTEST_JUDGE_BOOL) return ((const unsigned char*)mask->data)[n] != 0;
  *added = get(mask, n);
  return *added != -INFINITY;
}

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
    dlse = get(&c->dlse, b * c->dlse.strides[0] + h * c->dlse.strides[1] + i * c->dlse.strides[2]);
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

static void store(const attest_judge_array* a, const double* values) {
  for (int64_t b = 0, n = 0; b < a->shape[0]; ++b)
    for (int64_t h = 0; h < a->shape[1]; ++h)
      for (int64_t i = 0; i < a->shape[2]; ++i)
        for (int64_t d = 0; d < a->shape[3]; ++d, ++n)
          put(a, b * a->strides[0] + h * a->strides[1] + i * a->strides[2] + d * a->strides[3], values[n]);
}

static double* zeros(const attest_judge_array* a) {
  return calloc((size_t)(a->shape[0] * a->shape[1] * a->shape[2] * a->shape[3]) + 1, sizeof(double));
}

static int unsupported(attest_judge_call* c, const char* what) {
  snprintf(c->message, sizeof c->message, "%s", what);
  return ATTEST_JUDGE_UNSUPPORTED;
}

int attest_judge_attention(attest_judge_call* c) {
  if (c->version != ATTEST_JUDGE_VERSION) return ATTEST_JUDGE_FAILED;
  if (c->q.type != ATTEST_JUDGE_FLOAT64 && c->q.type != ATTEST_JUDGE_FLOAT32) return unsupported(c, "16-bit types");
  if (c->bias.data || c->alibi_slopes.data || c->sinks.data || c->dropout_mask.data || c->cu_seqlens.data ||
      option(c->options, "softcap"))
    return unsupported(c, "bias, ALiBi, sinks, dropout, packed sequences or softcap");
#ifdef MUSEUM_RETURNS_NOTHING
  return ATTEST_JUDGE_DONE;
#endif
  const char *scale = option(c->options, "scale"), *window = option(c->options, "window"),
             *causal = option(c->options, "causal"), *alignment = option(c->options, "alignment");
  problem p = {c, c->q.shape[2], c->k.shape[2], c->q.shape[3], c->v.shape[3], 0, -1, -1, 0, 0};
  p.scale = scale != NULL ? strtod(scale, NULL) : 1 / sqrt((double)p.width);
  p.causal = causal != NULL && strncmp(causal, "true", 4) == 0;
  p.shift = alignment != NULL && strncmp(alignment, "top_left", 8) == 0 ? 0 : p.keys - p.queries;
#ifdef MUSEUM_TOP_LEFT
  p.shift = 0;
#endif
  if (window != NULL) {
    char* rest;
    p.before = strtoll(window, &rest, 10);
    p.after = strtoll(rest + 1, NULL, 10);
  }
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
        put(&c->lse, b * c->lse.strides[0] + h * c->lse.strides[1] + i * c->lse.strides[2], lse);
        for (int64_t d = 0; d < p.value_width; ++d) {
          double sum = 0;
          for (int64_t j = 0; j < p.keys; ++j)
            if (weights[j] != 0) sum += weights[j] * get(&c->v, offset(&c->v, b, g, j, d));
          put(&c->out, b * c->out.strides[0] + h * c->out.strides[1] + i * c->out.strides[2] + d * c->out.strides[3], sum);
        }
        if (c->dout.data != NULL) differentiate(&p, b, h, g, i, weights, slopes, dq, dk, dv);
      }
    }
#ifdef MUSEUM_WRITES_PAST_END
  put(&c->out, c->out.shape[0] * c->out.strides[0], 0);
#endif
#ifdef MUSEUM_OVERWRITES_QUERIES
  put(&c->q, 0, 0.5 * get(&c->q, 0) + 1);
#endif
  if (c->dout.data != NULL) store(&c->dq, dq), store(&c->dk, dk), store(&c->dv, dv);
  free(weights), free(slopes), free(dq), free(dk), free(dv);
  return ATTEST_JUDGE_DONE;
}
