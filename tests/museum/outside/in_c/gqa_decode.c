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

/* Decoding with grouped heads: the query heads of a group walk over one key together, each key being read once. ALiBi, sinks and
 * packed masks of padding by a boolean mask. All types; state in double. */
struct state { double top, sum; double* acc; };
int attest_judge_attention(attest_judge_call* c) {
  struct settings s;
  if (c->version != ATTEST_JUDGE_VERSION) return ATTEST_JUDGE_FAILED;
  if (!parse(c->options, " causal alignment scale ", c->q.shape[3], &s)) return ATTEST_JUDGE_UNSUPPORTED;
  if (c->bias.data || c->dropout_mask.data || c->cu_seqlens.data || c->dout.data || c->dlse.data || (c->mask.data && c->mask.type != ATTEST_JUDGE_BOOL))
    return ATTEST_JUDGE_UNSUPPORTED;
  const int64_t B = c->q.shape[0], H = c->q.shape[1], G = c->k.shape[1], M = c->q.shape[2], N = c->k.shape[2], D = c->q.shape[3], E = c->v.shape[3];
  if (G < 1 || H % G) return ATTEST_JUDGE_UNSUPPORTED;
  const int64_t R = H / G;
  struct state* st = calloc(R + 1, sizeof *st);
  double* room = malloc(sizeof(double) * (R * (E + D) + D + E + 1));
  double *key = room + R * (E + D), *value = key + D, *query = room + R * E;
  for (int64_t r = 0; r < R; ++r) st[r].acc = room + r * E;
  for (int64_t b = 0; b < B; ++b)
    for (int64_t g = 0; g < G; ++g)
      for (int64_t i = 0; i < M; ++i) {
        const int64_t centre = i + (s.top_left ? 0 : N - M);
        for (int64_t r = 0; r < R; ++r) {
          st[r].top = c->sinks.data ? load(&c->sinks, (g * R + r) * c->sinks.strides[0]) : -INFINITY;
          st[r].sum = c->sinks.data ? 1 : 0;
          for (int64_t e = 0; e < E; ++e) st[r].acc[e] = 0;
          for (int64_t d = 0; d < D; ++d) query[r * D + d] = load(&c->q, at4(&c->q, b, g * R + r, i, d)) * s.scale;
        }
        for (int64_t j = 0; j < N && !(s.causal && j > centre); ++j) {
          for (int64_t d = 0; d < D; ++d) key[d] = load(&c->k, at4(&c->k, b, g, j, d));
          for (int64_t e = 0; e < E; ++e) value[e] = load(&c->v, at4(&c->v, b, g, j, e));
          for (int64_t r = 0; r < R; ++r) {
            struct state* t = st + r;
            const int64_t h = g * R + r;
            if (c->mask.data && load(&c->mask, c->mask.rank == 2 ? i * c->mask.strides[0] + j * c->mask.strides[1]
                                                                 : at4(&c->mask, b, c->mask.shape[1] == 1 ? 0 : h, i, j)) == 0)
              continue;
            double x = 0;
            for (int64_t d = 0; d < D; ++d) x += query[r * D + d] * key[d];
            if (c->alibi_slopes.data) x -= load(&c->alibi_slopes, h * c->alibi_slopes.strides[0]) * fabs((double)(centre - j));
            const double most = fmax(t->top, x), keep = exp(t->top - most), w = exp(x - most);
            t->sum = t->sum * keep + w;
            for (int64_t e = 0; e < E; ++e) t->acc[e] = t->acc[e] * keep + w * value[e];
            t->top = most;
          }
        }
        for (int64_t r = 0; r < R; ++r) {
          for (int64_t e = 0; e < E; ++e) store(&c->out, at4(&c->out, b, g * R + r, i, e), st[r].sum > 0 ? st[r].acc[e] / st[r].sum : 0);
          if (c->lse.data) store(&c->lse, at3(&c->lse, b, g * R + r, i), st[r].sum > 0 ? st[r].top + log(st[r].sum) : -INFINITY);
        }
      }
  free(st), free(room);
  return ATTEST_JUDGE_DONE;
}
