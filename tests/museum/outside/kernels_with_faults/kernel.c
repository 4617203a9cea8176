/* Tiled attention (FlashAttention-2 style, one thread), float64 / float32 / float16 / bfloat16, forward and backward.
 * rows.h and passes.h are included twice, for float and for double arithmetic. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "attest_judge.h"

#define BM 32
#define BN 64

typedef attest_judge_array array;
typedef struct { int64_t q0, q1, k0, k1; } segment;
typedef struct {
  attest_judge_call* a;
  int64_t B, H, Hkv, group, Nq, Nk, D, Dv;
  int causal, top_left;
#ifdef BUG_SCALE_HELD_IN_FLOAT
  float scale;
#else
  double scale;
#endif
  int64_t left, right; /* -1: all */
  double softcap;
  int nseg;
  segment* seg;
} context;

static float bf16_load(uint16_t h) {
  uint32_t u = (uint32_t)h << 16;
  float f;
  memcpy(&f, &u, 4);
  return f;
}
static uint16_t bf16_store(float f) {
  uint32_t u;
  memcpy(&u, &f, 4);
  if ((u & 0x7fffffffu) > 0x7f800000u) return 0x7fc0;
#ifndef BUG_BFLOAT16_TRUNCATED
  u += 0x7fffu + ((u >> 16) & 1u);
#endif
  return (uint16_t)(u >> 16);
}
static float fp16_load(uint16_t h) {
  uint32_t sign = (uint32_t)(h & 0x8000u) << 16, e = (h >> 10) & 31u, m = h & 0x3ffu, u;
  float f;
  if (e == 0) {
    f = ldexpf((float)m, -24);
    return sign ? -f : f;
  }
  u = sign | ((e == 31u ? 255u : e + 112u) << 23) | (m << 13);
  memcpy(&f, &u, 4);
  return f;
}
static uint16_t fp16_store(float f) {
  uint32_t u, a;
  memcpy(&u, &f, 4);
  uint16_t sign = (uint16_t)((u >> 16) & 0x8000u);
  a = u & 0x7fffffffu;
  if (a > 0x7f800000u) return 0x7e00;
  if (a >= 0x477ff000u) return sign | 0x7c00;
  if (a < 0x38800000u) {
    float t;
    memcpy(&t, &a, 4);
    t += 0.5f;
    memcpy(&a, &t, 4);
    return sign | (uint16_t)(a - 0x3f000000u);
  }
  uint32_t m = a & 0x7fffffu, e = (a >> 23) - 112u;
  m += 0xfffu + ((m >> 13) & 1u);
#ifdef BUG_FLOAT16_CARRY_LOST
  return sign | (uint16_t)(e << 10) | (uint16_t)((m >> 13) & 0x3ffu);
#else
  return sign | (uint16_t)((e << 10) + (m >> 13));
#endif
}

static double load(const array* x, int64_t off) {
  switch (x->type) {
    case ATTEST_JUDGE_FLOAT64: return ((const double*)x->data)[off];
    case ATTEST_JUDGE_FLOAT32: return ((const float*)x->data)[off];
    case ATTEST_JUDGE_FLOAT16: return fp16_load(((const uint16_t*)x->data)[off]);
    case ATTEST_JUDGE_BFLOAT16: return bf16_load(((const uint16_t*)x->data)[off]);
    case ATTEST_JUDGE_BOOL: return ((const uint8_t*)x->data)[off];
    default: return ((const int32_t*)x->data)[off];
  }
}
static void store(const array* x, int64_t off, double value) {
  switch (x->type) {
    case ATTEST_JUDGE_FLOAT64: ((double*)x->data)[off] = value; break;
    case ATTEST_JUDGE_FLOAT32: ((float*)x->data)[off] = (float)value; break;
    case ATTEST_JUDGE_FLOAT16: ((uint16_t*)x->data)[off] = fp16_store((float)value); break;
    case ATTEST_JUDGE_BFLOAT16: ((uint16_t*)x->data)[off] = bf16_store((float)value); break;
    default: break;
  }
}
static int64_t at4(const array* x, int64_t i, int64_t j, int64_t k, int64_t l) {
  return i * x->strides[0] + j * x->strides[1] + k * x->strides[2] + l * x->strides[3];
}
static const char* option(const char* options, const char* name) {
  size_t n = strlen(name);
  for (const char* s = options; s && *s;) {
    if (strncmp(s, name, n) == 0 && s[n] == '=') return s + n + 1;
    s = strchr(s, ';');
    if (s) s++;
  }
  return NULL;
}

#define REAL float
#define FN(x) x##_f
#define EXP expf
#define LOG logf
#define TANH tanhf
#include "rows.h"
#include "passes.h"
#undef REAL
#undef FN
#undef EXP
#undef LOG
#undef TANH
#define REAL double
#define FN(x) x##_d
#define EXP exp
#define LOG log
#define TANH tanh
#include "rows.h"
#include "passes.h"

static int floating(const array* x) { return x->type >= ATTEST_JUDGE_FLOAT64 && x->type <= ATTEST_JUDGE_BFLOAT16; }

int attest_judge_attention(attest_judge_call* a) {
  if (a->version != ATTEST_JUDGE_VERSION) return ATTEST_JUDGE_UNSUPPORTED;
  if (!floating(&a->q) || a->k.type != a->q.type || a->v.type != a->q.type || a->q.rank != 4) return ATTEST_JUDGE_UNSUPPORTED;
  context c;
  memset(&c, 0, sizeof c);
  c.a = a;
  c.B = a->q.shape[0]; c.H = a->q.shape[1]; c.Nq = a->q.shape[2]; c.D = a->q.shape[3];
  c.Hkv = a->k.shape[1]; c.Nk = a->k.shape[2]; c.Dv = a->v.shape[3];
  if (c.Hkv < 1 || c.H % c.Hkv) { strcpy(a->message, "heads do not divide"); return ATTEST_JUDGE_FAILED; }
  c.group = c.H / c.Hkv;
  const char* s;
  const char* options = a->options ? a->options : "";
  if ((s = option(options, "causal"))) c.causal = strncmp(s, "true", 4) == 0;
  if ((s = option(options, "alignment"))) c.top_left = strncmp(s, "top", 3) == 0;
  c.scale = (s = option(options, "scale")) ? strtod(s, NULL) : 1.0 / sqrt((double)c.D);
  c.left = c.right = -1;
  if ((s = option(options, "window"))) {
    char* end;
    c.left = strtoll(s, &end, 10);
    c.right = *end == ',' ? strtoll(end + 1, NULL, 10) : c.left;
  }
  if ((s = option(options, "softcap"))) c.softcap = strtod(s, NULL);
  if (a->cu_seqlens.data) {
    const array* cq = &a->cu_seqlens;
    const array* ck = a->cu_seqlens_k.data ? &a->cu_seqlens_k : cq;
    int n = (int)cq->shape[0] - 1;
    c.seg = malloc(sizeof(segment) * (n > 0 ? n : 1));
    for (int i = 0; i < n; i++) {
      segment g = {(int64_t)load(cq, i * cq->strides[0]), (int64_t)load(cq, (i + 1) * cq->strides[0]),
                   (int64_t)load(ck, i * ck->strides[0]), (int64_t)load(ck, (i + 1) * ck->strides[0])};
#ifdef BUG_EMPTY_SEQUENCE_ENDS_THE_LOOP
      if (g.q1 == g.q0) break; /* padding begins */
#endif
      c.seg[c.nseg++] = g;
    }
  } else {
    c.seg = malloc(sizeof(segment));
    c.seg[c.nseg++] = (segment){0, c.Nq, 0, c.Nk};
  }
  int status = a->q.type == ATTEST_JUDGE_FLOAT64 ? run_d(&c) : run_f(&c);
  free(c.seg);
  return status;
}
