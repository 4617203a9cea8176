/* judge: */
/* All four types, double sums, visible keys only, with gradients. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attest_judge.h"

static double from_half(uint16_t h) {
  int sign = h >> 15, e = (h >> 10) & 31, f = h & 1023;
  double x = e == 0 ? ldexp(f, -24) : e == 31 ? (f ? NAN : INFINITY) : ldexp(f + 1024, e - 25);
  return sign ? -x : x;
}

static uint16_t to_half(double x) {
  uint16_t sign = signbit(x) ? 0x8000 : 0;
  double a = fabs(x);
  if (isnan(x)) return 0x7e00;
  if (a >= 65520) return sign | 0x7c00;
  if (a < ldexp(1, -14)) return sign | (uint16_t)nearbyint(ldexp(a, 24));
  int e;
  double f = frexp(a, &e); /* f in [0.5, 1) */
  uint32_t m = (uint32_t)nearbyint(ldexp(f, 11)); /* 1024..2048 */
  return sign | (uint16_t)(((e + 13) << 10) + m);
}

static double from_bf(uint16_t b) {
  uint32_t u = (uint32_t)b << 16;
  float f;
  memcpy(&f, &u, 4);
  return f;
}

static uint16_t to_bf(double x) {
  /* through odd rounding, so that double -> float -> bfloat16 rounds once */
  if (isnan(x)) return 0x7fc0;
  float f = (float)x;
  uint32_t u;
  memcpy(&u, &f, 4);
  if (isfinite(f) && (double)f != x) {
    if (fabs((double)f) > fabs(x)) u -= 1; /* towards zero */
    u |= 1;
  }
  return (uint16_t)((u + 0x7fff + ((u >> 16) & 1)) >> 16);
}

static double get(const attest_judge_array* a, int64_t i, int64_t j, int64_t k, int64_t l) {
  int64_t index[4] = {i, j, k, l}, at = 0;
  for (int r = 0; r < a->rank; r++) at += index[4 - a->rank + r] * a->strides[r];
  switch (a->type) {
    case ATTEST_JUDGE_FLOAT64: return ((double*)a->data)[at];
    case ATTEST_JUDGE_FLOAT32: return ((float*)a->data)[at];
    case ATTEST_JUDGE_FLOAT16: return from_half(((uint16_t*)a->data)[at]);
    case ATTEST_JUDGE_BFLOAT16: return from_bf(((uint16_t*)a->data)[at]);
    case ATTEST_JUDGE_BOOL: return ((uint8_t*)a->data)[at] != 0;
    default: return ((int32_t*)a->data)[at];
  }
}

static void put(attest_judge_array* a, int64_t i, int64_t j, int64_t k, int64_t l, double x) {
  int64_t index[4] = {i, j, k, l}, at = 0;
  for (int r = 0; r < a->rank; r++) at += index[4 - a->rank + r] * a->strides[r];
  switch (a->type) {
    case ATTEST_JUDGE_FLOAT64: ((double*)a->data)[at] = x; break;
    case ATTEST_JUDGE_FLOAT32: ((float*)a->data)[at] = (float)x; break;
    case ATTEST_JUDGE_FLOAT16: ((uint16_t*)a->data)[at] = to_half(x); break;
    case ATTEST_JUDGE_BFLOAT16: ((uint16_t*)a->data)[at] = to_bf(x); break;
  }
}

static const char* option(const char* all, const char* name, char* value, size_t room) {
  size_t n = strlen(name);
  for (const char* at = all; at && *at;) {
    const char* end = strchr(at, ';');
    size_t len = end ? (size_t)(end - at) : strlen(at);
    if (len > n && strncmp(at, name, n) == 0 && at[n] == '=' && len - n - 1 < room) {
      memcpy(value, at + n + 1, len - n - 1);
      value[len - n - 1] = 0;
      return value;
    }
    at = end ? end + 1 : NULL;
  }
  return NULL;
}

int attest_judge_attention(attest_judge_call* c) {
  if (c->version != ATTEST_JUDGE_VERSION || c->bytes != sizeof *c) {
    snprintf(c->message, sizeof c->message, "another version of the header");
    return ATTEST_JUDGE_FAILED;
  }
  if (c->bias.data || c->alibi_slopes.data || c->sinks.data || c->dropout_mask.data || c->cu_seqlens.data ||
      c->cu_seqlens_k.data)
    return ATTEST_JUDGE_UNSUPPORTED;
  char text[64];
  int64_t B = c->q.shape[0], H = c->q.shape[1], N = c->q.shape[2], D = c->q.shape[3];
  int64_t Hk = c->k.shape[1], M = c->k.shape[2], E = c->v.shape[3];
  double scale = 1 / sqrt((double)D), cap = 0;
  long long before = -1, after = -1;
  int causal = option(c->options, "causal", text, sizeof text) && strcmp(text, "true") == 0;
  int64_t shift = option(c->options, "alignment", text, sizeof text) && strcmp(text, "top_left") == 0 ? 0 : M - N;
  if (option(c->options, "scale", text, sizeof text)) scale = atof(text);
  if (option(c->options, "softcap", text, sizeof text)) cap = atof(text);
  if (option(c->options, "window", text, sizeof text) && sscanf(text, "%lld,%lld", &before, &after) != 2)
    return ATTEST_JUDGE_UNSUPPORTED;

  double* p = malloc(sizeof(double) * (size_t)(M ? M : 1));
  int64_t* who = malloc(sizeof(int64_t) * (size_t)(M ? M : 1));
  double* t = malloc(sizeof(double) * (size_t)(M ? M : 1));
  double* o = malloc(sizeof(double) * (size_t)(E ? E : 1));
  int grad = c->dout.data != NULL;
  double* dq = calloc((size_t)(D ? D : 1), sizeof(double));
  double* dk = grad ? calloc((size_t)(M * D + 1), sizeof(double)) : NULL;
  double* dv = grad ? calloc((size_t)(M * E + 1), sizeof(double)) : NULL;
  if (!p || !who || !t || !o || !dq || (grad && (!dk || !dv))) {
    free(p), free(who), free(t), free(o), free(dq), free(dk), free(dv);
    snprintf(c->message, sizeof c->message, "no memory");
    return ATTEST_JUDGE_FAILED;
  }
  for (int64_t b = 0; b < B; b++)
    for (int64_t hk = 0; hk < Hk; hk++) {
      if (grad) memset(dk, 0, sizeof(double) * (size_t)(M * D)), memset(dv, 0, sizeof(double) * (size_t)(M * E));
      for (int64_t h = hk * (H / Hk); h < (hk + 1) * (H / Hk); h++)
        for (int64_t i = 0; i < N; i++) {
          int64_t n = 0, own = i + shift;
          double top = -INFINITY, sum = 0, delta = 0;
          for (int64_t j = 0; j < M; j++) {
            double add = 0;
            if (causal && j > own) break;
            if ((before >= 0 && j < own - before) || (after >= 0 && j > own + after)) continue;
            if (c->mask.data) {
              double m = get(&c->mask, b, c->mask.rank == 4 && c->mask.shape[1] == 1 ? 0 : h, i, j);
              if (c->mask.type == ATTEST_JUDGE_BOOL ? m == 0 : m == -INFINITY) continue;
              if (c->mask.type != ATTEST_JUDGE_BOOL) add = m;
            }
            double s = 0;
            for (int64_t d = 0; d < D; d++) s += get(&c->q, b, h, i, d) * get(&c->k, b, hk, j, d);
            s *= scale;
            t[n] = 1;
            if (cap > 0) {
              double y = tanh(s / cap);
              s = cap * y;
              t[n] = 1 - y * y;
            }
            p[n] = s + add;
            if (p[n] > top || isnan(p[n])) top = p[n];
            who[n++] = j;
          }
          for (int64_t a = 0; a < n; a++) sum += p[a] = exp(p[a] - top);
          for (int64_t e = 0; e < E; e++) o[e] = 0;
          for (int64_t a = 0; a < n; a++) {
            p[a] /= sum;
            for (int64_t e = 0; e < E; e++) o[e] += p[a] * get(&c->v, b, hk, who[a], e);
          }
          for (int64_t e = 0; e < E; e++) put(&c->out, b, h, i, e, o[e]);
          if (c->lse.data) {
            int64_t at = b * c->lse.strides[0] + h * c->lse.strides[1] + i * c->lse.strides[2];
            double value = n ? top + log(sum) : -INFINITY;
            if (c->lse.type == ATTEST_JUDGE_FLOAT64) ((double*)c->lse.data)[at] = value;
            else ((float*)c->lse.data)[at] = (float)value;
          }
          if (!grad) continue;
          for (int64_t d = 0; d < D; d++) dq[d] = 0;
          if (n) {
            for (int64_t e = 0; e < E; e++) delta += o[e] * get(&c->dout, b, h, i, e);
            if (c->dlse.data) delta -= get(&c->dlse, 0, b, h, i);
          }
          for (int64_t a = 0; a < n; a++) {
            int64_t j = who[a];
            double g = 0;
            for (int64_t e = 0; e < E; e++) {
              double y = get(&c->dout, b, h, i, e);
              g += y * get(&c->v, b, hk, j, e);
              dv[j * E + e] += p[a] * y;
            }
            g = p[a] * (g - delta) * t[a] * scale;
            for (int64_t d = 0; d < D; d++) {
              dq[d] += g * get(&c->k, b, hk, j, d);
              dk[j * D + d] += g * get(&c->q, b, h, i, d);
            }
          }
          if (c->dq.data)
            for (int64_t d = 0; d < D; d++) put(&c->dq, b, h, i, d, dq[d]);
        }
      for (int64_t j = 0; grad && j < M; j++) {
        for (int64_t d = 0; c->dk.data && d < D; d++) put(&c->dk, b, hk, j, d, dk[j * D + d]);
        for (int64_t e = 0; c->dv.data && e < E; e++) put(&c->dv, b, hk, j, e, dv[j * E + e]);
      }
    }
  free(p), free(who), free(t), free(o), free(dq), free(dk), free(dv);
  return ATTEST_JUDGE_DONE;
}
