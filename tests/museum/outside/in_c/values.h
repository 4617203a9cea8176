/* Numbers of the four types in arrays with strides, and the text of the options: what seven of these files begin with. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attest_judge.h"

static inline float bf16_to_f32(uint16_t x) {
  uint32_t u = (uint32_t)x << 16;
  float f;
  memcpy(&f, &u, 4);
  return f;
}
static inline uint16_t f32_to_bf16(float f) {
  uint32_t u;
  memcpy(&u, &f, 4);
  if (f != f) return 0x7fc0;
  return (uint16_t)((u + 0x7fff + ((u >> 16) & 1)) >> 16);
}
static inline double load(const attest_judge_array* a, int64_t at) {
  switch (a->type) {
    case ATTEST_JUDGE_FLOAT64: return ((const double*)a->data)[at];
    case ATTEST_JUDGE_FLOAT32: return ((const float*)a->data)[at];
    case ATTEST_JUDGE_FLOAT16: return (float)((const _Float16*)a->data)[at];
    case ATTEST_JUDGE_BFLOAT16: return bf16_to_f32(((const uint16_t*)a->data)[at]);
    case ATTEST_JUDGE_BOOL: return ((const uint8_t*)a->data)[at] != 0;
    default: return ((const int32_t*)a->data)[at];
  }
}
static inline void store(attest_judge_array* a, int64_t at, double x) {
  switch (a->type) {
    case ATTEST_JUDGE_FLOAT64: ((double*)a->data)[at] = x; break;
    case ATTEST_JUDGE_FLOAT32: ((float*)a->data)[at] = (float)x; break;
    case ATTEST_JUDGE_FLOAT16: ((_Float16*)a->data)[at] = (_Float16)(float)x; break;
    default: ((uint16_t*)a->data)[at] = f32_to_bf16((float)x);
  }
}
static inline int64_t at4(const attest_judge_array* a, int64_t i, int64_t j, int64_t k, int64_t l) {
  return i * a->strides[0] + j * a->strides[1] + k * a->strides[2] + l * a->strides[3];
}
static inline int64_t at3(const attest_judge_array* a, int64_t i, int64_t j, int64_t k) {
  return i * a->strides[0] + j * a->strides[1] + k * a->strides[2];
}

struct settings {
  int causal, top_left;
  double scale, softcap;
  int64_t before, after;
};
/* 0 when an option is not among `known` (" causal scale "). */
static inline int parse(const char* text, const char* known, int64_t width, struct settings* s) {
  s->causal = s->top_left = 0;
  s->scale = 1 / sqrt((double)width);
  s->softcap = 0;
  s->before = s->after = -1;
  while (*text) {
    char key[64], value[64], padded[70];
    int used = 0;
    if (sscanf(text, "%63[^=]=%63[^;]%n", key, value, &used) < 2) return 0;
    text += used;
    if (*text == ';') ++text;
    snprintf(padded, sizeof padded, " %s ", key);
    if (!strstr(known, padded)) return 0;
    if (!strcmp(key, "causal")) s->causal = !strcmp(value, "true");
    else if (!strcmp(key, "alignment")) s->top_left = !strcmp(value, "top_left");
    else if (!strcmp(key, "scale")) s->scale = atof(value);
    else if (!strcmp(key, "softcap")) s->softcap = atof(value);
    else if (!strcmp(key, "window")) {
      long long b, a;
      if (sscanf(value, "%lld,%lld", &b, &a) != 2) return 0;
      s->before = b;
      s->after = a;
    }
  }
  return 1;
}
