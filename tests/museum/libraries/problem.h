/* What the libraries of the museum share: arrays of any strides and type, options, and which key a query sees. */
#include <math.h>
#include <stdint.h>
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

/* Of an entry of a result. */
static int64_t result_offset(const attest_judge_array* a, int64_t b, int64_t h, int64_t n, int64_t d) {
#ifdef MUSEUM_RESULT_STRIDES
  return ((b * a->shape[1] + h) * a->shape[2] + n) * a->shape[3] + d; /* written as contiguous */
#else
  return b * a->strides[0] + h * a->strides[1] + n * a->strides[2] + d * a->strides[3];
#endif
}

static double from_bfloat16(uint16_t bits) {
  const uint32_t wide = (uint32_t)bits << 16;
  float x;
  memcpy(&x, &wide, sizeof x);
  return x;
}

/* Nearest, ties to even. A double is first rounded to float32: all sums below are. */
static uint16_t to_bfloat16(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  if (x != x) return 0x7fc0;
  return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

static double get(const attest_judge_array* a, int64_t n) {
  switch (a->type) {
    case ATTEST_JUDGE_FLOAT64: return ((const double*)a->data)[n];
    case ATTEST_JUDGE_FLOAT32: return (double)((const float*)a->data)[n];
    case ATTEST_JUDGE_FLOAT16: return (double)((const _Float16*)a->data)[n];
    default: return from_bfloat16(((const uint16_t*)a->data)[n]);
  }
}

static void put(const attest_judge_array* a, int64_t n, double x) {
  switch (a->type) {
    case ATTEST_JUDGE_FLOAT64: ((double*)a->data)[n] = x; break;
    case ATTEST_JUDGE_FLOAT32: ((float*)a->data)[n] = (float)x; break;
    case ATTEST_JUDGE_FLOAT16: ((_Float16*)a->data)[n] = (_Float16)x; break;
    default: ((uint16_t*)a->data)[n] = to_bfloat16((float)x);
  }
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

static problem read_problem(const attest_judge_call* c) {
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
  return p;
}

/* [B][H][N][D] values without gaps into an array of any strides. */
static void store(const attest_judge_array* a, const double* values) {
  for (int64_t b = 0, n = 0; b < a->shape[0]; ++b)
    for (int64_t h = 0; h < a->shape[1]; ++h)
      for (int64_t i = 0; i < a->shape[2]; ++i)
        for (int64_t d = 0; d < a->shape[3]; ++d, ++n)
          put(a, result_offset(a, b, h, i, d), values[n]);
}

static double* zeros(const attest_judge_array* a) {
  return calloc((size_t)(a->shape[0] * a->shape[1] * a->shape[2] * a->shape[3]) + 1, sizeof(double));
}

/* The position of entry (b, h, i) of an lse. */
static int64_t row_of(const attest_judge_array* lse, int64_t b, int64_t h, int64_t i) {
  return b * lse->strides[0] + h * lse->strides[1] + i * lse->strides[2];
}

static int refused(attest_judge_call* c, const char* what) {
  strncpy(c->message, what, sizeof c->message - 1);
  return ATTEST_JUDGE_UNSUPPORTED;
}

static int has_more_than_masks(const attest_judge_call* c) {
  return c->bias.data || c->alibi_slopes.data || c->sinks.data || c->dropout_mask.data || c->cu_seqlens.data ||
         option(c->options, "softcap");
}
