#ifndef UTIL_H
#define UTIL_H
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "attest_judge.h"

static float half_to_float(uint16_t h) {
  uint32_t sign = (uint32_t)(h & 0x8000u) << 16, e = (h >> 10) & 31u, m = h & 1023u;
  float f;
  if (e == 0) { f = (float)m * 0x1p-24f; return sign ? -f : f; }
  uint32_t u = sign | (e == 31 ? 0x7f800000u : (e + 112u) << 23) | m << 13;
  memcpy(&f, &u, 4);
  return f;
}
static uint16_t float_to_half(float f) { /* to nearest, ties to even */
  uint32_t u;
  memcpy(&u, &f, 4);
  uint16_t sign = (uint16_t)(u >> 16 & 0x8000u);
  u &= 0x7fffffffu;
  if (u > 0x7f800000u) return sign | 0x7e00u;
  if (u >= 0x477ff000u) return sign | 0x7c00u;
  if (u < 0x38800000u) { /* below the least normal one: multiples of 2^-24 */
    float a;
    memcpy(&a, &u, 4);
    return sign | (uint16_t)nearbyintf(a * 0x1p24f);
  }
  u += 0xfffu + (u >> 13 & 1u);
  return sign | (uint16_t)((u >> 13) - (112u << 10));
}
static float bf_to_float(uint16_t h) { uint32_t u = (uint32_t)h << 16; float f; memcpy(&f, &u, 4); return f; }
static uint16_t float_to_bf(float f) {
  uint32_t u;
  memcpy(&u, &f, 4);
  if ((u & 0x7fffffffu) > 0x7f800000u) return (uint16_t)(u >> 16 | 0x40u);
  return (uint16_t)((u + 0x7fffu + (u >> 16 & 1u)) >> 16);
}
static int64_t where(const attest_judge_array* a, int64_t i, int64_t j, int64_t k, int64_t l) {
  const int64_t x[4] = {i, j, k, l};
  int64_t o = 0;
  for (int r = 0; r < a->rank; r++) o += x[r] * a->strides[r];
  return o;
}
static double load(const attest_judge_array* a, int64_t i, int64_t j, int64_t k, int64_t l) {
  const int64_t o = where(a, i, j, k, l);
  switch (a->type) {
    case ATTEST_JUDGE_FLOAT64: return ((double*)a->data)[o];
    case ATTEST_JUDGE_FLOAT32: return ((float*)a->data)[o];
    case ATTEST_JUDGE_FLOAT16: return half_to_float(((uint16_t*)a->data)[o]);
    case ATTEST_JUDGE_BFLOAT16: return bf_to_float(((uint16_t*)a->data)[o]);
    case ATTEST_JUDGE_BOOL: return ((uint8_t*)a->data)[o];
    default: return ((int32_t*)a->data)[o];
  }
}
static void store(const attest_judge_array* a, int64_t i, int64_t j, int64_t k, int64_t l, double x) {
  const int64_t o = where(a, i, j, k, l);
  switch (a->type) {
    case ATTEST_JUDGE_FLOAT64: ((double*)a->data)[o] = x; break;
    case ATTEST_JUDGE_FLOAT32: ((float*)a->data)[o] = (float)x; break;
    case ATTEST_JUDGE_FLOAT16: ((uint16_t*)a->data)[o] = float_to_half((float)x); break;
    case ATTEST_JUDGE_BFLOAT16: ((uint16_t*)a->data)[o] = float_to_bf((float)x); break;
  }
}
typedef struct { int causal, top_left; double scale, softcap; int64_t before, after; } options;
/* 0, or 1 for an option that is not known */
static int parse(const attest_judge_call* c, options* o) {
  o->causal = o->top_left = 0;
  o->scale = 1 / sqrt((double)c->q.shape[3]);
  o->softcap = 0;
  o->before = o->after = -1;
  for (const char* t = c->options; *t;) {
    const char* end = strchr(t, ';');
    const size_t n = end ? (size_t)(end - t) : strlen(t);
    char one[64];
    if (n >= sizeof one) return 1;
    memcpy(one, t, n);
    one[n] = 0;
    long long x, y;
    if (!strcmp(one, "causal=true")) o->causal = 1;
    else if (!strcmp(one, "causal=false")) o->causal = 0;
    else if (!strcmp(one, "alignment=top_left")) o->top_left = 1;
    else if (!strcmp(one, "alignment=bottom_right")) o->top_left = 0;
    else if (!strncmp(one, "scale=", 6)) o->scale = strtod(one + 6, NULL);
    else if (!strncmp(one, "softcap=", 8)) o->softcap = strtod(one + 8, NULL);
    else if (sscanf(one, "window=%lld,%lld", &x, &y) == 2) o->before = x, o->after = y;
    else return 1;
    t += n + (end ? 1 : 0);
  }
  return 0;
}
#endif
