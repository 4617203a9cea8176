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

/* bfloat16 alone, as with matrix instructions: products of bfloat16 with float32 sums, weights rounded to bfloat16 before they meet
 * the values, while the denominator sums them unrounded. Forward and backward. */
static float rounded(float x) { return bf16_to_f32(f32_to_bf16(x)); }
static float get(const attest_judge_array* a, int64_t b, int64_t h, int64_t i, int64_t d) {
  return bf16_to_f32(((const uint16_t*)a->data)[at4(a, b, h, i, d)]);
}
int attest_judge_attention(attest_judge_call* c) {
  struct settings s;
  if (c->version != ATTEST_JUDGE_VERSION) return ATTEST_JUDGE_FAILED;
  if (c->q.type != ATTEST_JUDGE_BFLOAT16 || !parse(c->options, " causal scale ", c->q.shape[3], &s) || c->mask.data || c->bias.data ||
      c->alibi_slopes.data || c->sinks.data || c->dropout_mask.data || c->cu_seqlens.data || c->dlse.data)
    return ATTEST_JUDGE_UNSUPPORTED;
  const int64_t B = c->q.shape[0], H = c->q.shape[1], G = c->k.shape[1], M = c->q.shape[2], N = c->k.shape[2], D = c->q.shape[3], E = c->v.shape[3];
  float* p = malloc(sizeof(float) * (N + 1));
  float* o = malloc(sizeof(float) * (E + 1));
  float* gq = malloc(sizeof(float) * (D + 1));
  float *gk = calloc(N * D + 1, sizeof(float)), *gv = calloc(N * E + 1, sizeof(float));
  const float scale = (float)s.scale;
  for (int64_t b = 0; b < B; ++b)
    for (int64_t g = 0; g < G; ++g) {
      if (c->dout.data) memset(gk, 0, sizeof(float) * N * D), memset(gv, 0, sizeof(float) * N * E);
      for (int64_t h = g * (H / G); h < (g + 1) * (H / G); ++h)
        for (int64_t i = 0; i < M; ++i) {
          const int64_t n = !s.causal || i + N - M + 1 > N ? N : i + N - M + 1 < 0 ? 0 : i + N - M + 1;
          float top = -INFINITY, sum = 0;
          for (int64_t j = 0; j < n; ++j) {
            float x = 0;
            for (int64_t d = 0; d < D; ++d) x += get(&c->q, b, h, i, d) * get(&c->k, b, g, j, d);
            p[j] = x * scale;
            top = fmaxf(top, p[j]);
          }
          for (int64_t j = 0; j < n; ++j) sum += p[j] = expf(p[j] - top);
          for (int64_t e = 0; e < E; ++e) o[e] = 0;
          for (int64_t j = 0; j < n; ++j) {
            const float w = rounded(p[j]);
            for (int64_t e = 0; e < E; ++e) o[e] += w * get(&c->v, b, g, j, e);
          }
          for (int64_t e = 0; e < E; ++e) {
            if (n) o[e] /= sum;
            ((uint16_t*)c->out.data)[at4(&c->out, b, h, i, e)] = f32_to_bf16(o[e]);
          }
          if (c->lse.data) store(&c->lse, at3(&c->lse, b, h, i), n ? top + logf(sum) : -INFINITY);
          if (!c->dout.data) continue;
          float delta = 0;
          for (int64_t d = 0; d < D; ++d) gq[d] = 0;
          for (int64_t e = 0; e < E && n; ++e) delta += get(&c->dout, b, h, i, e) * o[e];
          for (int64_t j = 0; j < n; ++j) {
            float dp = 0;
            const float w = p[j] / sum, wr = rounded(w);
            for (int64_t e = 0; e < E; ++e) {
              dp += get(&c->dout, b, h, i, e) * get(&c->v, b, g, j, e);
              gv[j * E + e] += wr * get(&c->dout, b, h, i, e);
            }
            const float ds = rounded(w * (dp - delta));
            for (int64_t d = 0; d < D; ++d) {
              gq[d] += ds * get(&c->k, b, g, j, d);
              gk[j * D + d] += ds * get(&c->q, b, h, i, d);
            }
          }
          for (int64_t d = 0; d < D; ++d) ((uint16_t*)c->dq.data)[at4(&c->dq, b, h, i, d)] = f32_to_bf16(gq[d] * scale);
        }
      if (!c->dout.data) continue;
      for (int64_t j = 0; j < N; ++j) {
        for (int64_t d = 0; d < D; ++d) ((uint16_t*)c->dk.data)[at4(&c->dk, b, g, j, d)] = f32_to_bf16(gk[j * D + d] * scale);
        for (int64_t e = 0; e < E; ++e) ((uint16_t*)c->dv.data)[at4(&c->dv, b, g, j, e)] = f32_to_bf16(gv[j * E + e]);
      }
    }
  free(p), free(o), free(gq), free(gk), free(gv);
  return ATTEST_JUDGE_DONE;
}
