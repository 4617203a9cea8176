/* judge: */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attest_judge.h"

static float bf16_to_f32(uint16_t x) {
  uint32_t u = (uint32_t)x << 16;
  float f;
  memcpy(&f, &u, 4);
  return f;
}
static uint16_t f32_to_bf16(float f) {
  uint32_t u;
  memcpy(&u, &f, 4);
  if (f != f) return 0x7fc0;
  return (uint16_t)((u + 0x7fff + ((u >> 16) & 1)) >> 16);
}
static double load(const attest_judge_array* a, int64_t at) {
  switch (a->type) {
    case ATTEST_JUDGE_FLOAT64: return ((const double*)a->data)[at];
    case ATTEST_JUDGE_FLOAT32: return ((const float*)a->data)[at];
    case ATTEST_JUDGE_FLOAT16: return (float)((const _Float16*)a->data)[at];
    case ATTEST_JUDGE_BFLOAT16: return bf16_to_f32(((const uint16_t*)a->data)[at]);
    case ATTEST_JUDGE_BOOL: return ((const uint8_t*)a->data)[at] != 0;
    default: return ((const int32_t*)a->data)[at];
  }
}
static void store(attest_judge_array* a, int64_t at, double x) {
  switch (a->type) {
    case ATTEST_JUDGE_FLOAT64: ((double*)a->data)[at] = x; break;
    case ATTEST_JUDGE_FLOAT32: ((float*)a->data)[at] = (float)x; break;
    case ATTEST_JUDGE_FLOAT16: ((_Float16*)a->data)[at] = (_Float16)(float)x; break;
    default: ((uint16_t*)a->data)[at] = f32_to_bf16((float)x);
  }
}
static int64_t at4(const attest_judge_array* a, int64_t i, int64_t j, int64_t k, int64_t l) {
  return i * a->strides[0] + j * a->strides[1] + k * a->strides[2] + l * a->strides[3];
}
static int64_t at3(const attest_judge_array* a, int64_t i, int64_t j, int64_t k) {
  return i * a->strides[0] + j * a->strides[1] + k * a->strides[2];
}

struct settings {
  int causal, top_left;
  double scale, softcap;
  int64_t before, after;
};
/* 0 when an option is not among `known` (" causal scale "). */
static int parse(const char* text, const char* known, int64_t width, struct settings* s) {
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

/* Float32 arithmetic, sums compensated (Neumaier). 32- and 16-bit types. */
typedef struct { float sum, lost; } sum_t;
static void add(sum_t* s, float x) {
  const float t = s->sum + x;
  s->lost += fabsf(s->sum) >= fabsf(x) ? (s->sum - t) + x : (x - t) + s->sum;
  s->sum = t;
}
int attest_judge_attention(attest_judge_call* c) {
  struct settings s;
  if (c->version != ATTEST_JUDGE_VERSION) return ATTEST_JUDGE_FAILED;
  if (!parse(c->options, " causal alignment scale ", c->q.shape[3], &s) || c->q.type == ATTEST_JUDGE_FLOAT64 || c->bias.data || c->alibi_slopes.data ||
      c->sinks.data || c->dropout_mask.data || c->cu_seqlens.data || c->dout.data || c->dlse.data || (c->mask.data && c->mask.type != ATTEST_JUDGE_BOOL))
    return ATTEST_JUDGE_UNSUPPORTED;
  const int64_t H = c->q.shape[1], Nq = c->q.shape[2], Nk = c->k.shape[2], D = c->q.shape[3], Dv = c->v.shape[3], R = H / c->k.shape[1];
  float* w = malloc(sizeof(float) * (Nk + 1));
  for (int64_t b = 0; b < c->q.shape[0]; ++b)
    for (int64_t h = 0; h < H; ++h)
      for (int64_t i = 0; i < Nq; ++i) {
        float top = -INFINITY;
        for (int64_t j = 0; j < Nk; ++j) {
          w[j] = -INFINITY;
          if (s.causal && j > i + (s.top_left ? 0 : Nk - Nq)) continue;
          if (c->mask.data && !((uint8_t*)c->mask.data)[c->mask.rank == 2 ? i * c->mask.strides[0] + j * c->mask.strides[1]
                                                                          : at4(&c->mask, b, c->mask.shape[1] == 1 ? 0 : h, i, j)])
            continue;
          sum_t dot = {0, 0};
          for (int64_t d = 0; d < D; ++d) {
            const float x = (float)load(&c->q, at4(&c->q, b, h, i, d)), y = (float)load(&c->k, at4(&c->k, b, h / R, j, d)), xy = x * y;
            add(&dot, xy);
            dot.lost += fmaf(x, y, -xy);
          }
          w[j] = (dot.sum + dot.lost) * (float)s.scale;
          if (w[j] > top) top = w[j];
        }
        sum_t total = {0, 0};
        for (int64_t j = 0; j < Nk; ++j)
          if (w[j] > -INFINITY) add(&total, w[j] = expf(w[j] - top));
          else w[j] = -1; /* hidden */
        const float z = total.sum + total.lost;
        for (int64_t e = 0; e < Dv; ++e) {
          sum_t o = {0, 0};
          for (int64_t j = 0; j < Nk; ++j)
            if (w[j] >= 0) add(&o, w[j] * (float)load(&c->v, at4(&c->v, b, h / R, j, e)));
          store(&c->out, at4(&c->out, b, h, i, e), top > -INFINITY ? (o.sum + o.lost) / z : 0);
        }
        if (c->lse.data) store(&c->lse, at3(&c->lse, b, h, i), top > -INFINITY ? top + logf(z) : -INFINITY);
      }
  free(w);
  return ATTEST_JUDGE_DONE;
}
