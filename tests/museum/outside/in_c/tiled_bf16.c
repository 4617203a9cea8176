/* judge: */
/* bfloat16 (and float32), key tiles of 32, float sums, unnormalised weights rounded to bfloat16 before PV, exp2; sliding window. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attest_judge.h"

enum { TILE = 32, WIDEST = 256 };

static float up(uint16_t b) {
  uint32_t u = (uint32_t)b << 16;
  float f;
  memcpy(&f, &u, sizeof f);
  return f;
}

static uint16_t down(float f) {
  uint32_t u;
  memcpy(&u, &f, sizeof u);
  if (f != f) return (uint16_t)((u >> 16) | 64);
  return (uint16_t)((u + 0x7fffu + ((u >> 16) & 1u)) >> 16);
}

static float load(const attest_judge_array* a, int64_t at) {
  return a->type == ATTEST_JUDGE_BFLOAT16 ? up(((const uint16_t*)a->data)[at]) : ((const float*)a->data)[at];
}

static int64_t place(const attest_judge_array* a, int64_t b, int64_t h, int64_t n) {
  return b * a->strides[0] + h * a->strides[1] + n * a->strides[2];
}

int attest_judge_attention(attest_judge_call* c) {
  const attest_judge_array *q = &c->q, *k = &c->k, *v = &c->v;
  const int narrow = q->type == ATTEST_JUDGE_BFLOAT16;
  if (!narrow && q->type != ATTEST_JUDGE_FLOAT32) return ATTEST_JUDGE_UNSUPPORTED;
  if (q->shape[3] > WIDEST || v->shape[3] > WIDEST) return ATTEST_JUDGE_UNSUPPORTED;
  if (c->dout.data || c->mask.data || c->bias.data || c->alibi_slopes.data || c->sinks.data || c->dropout_mask.data ||
      c->cu_seqlens.data || strstr(c->options, "softcap") || strstr(c->options, "alignment=top_left"))
    return ATTEST_JUDGE_UNSUPPORTED;
  long long before = -1, after = -1;
  const char* at = strstr(c->options, "window=");
  if (at && sscanf(at, "window=%lld,%lld", &before, &after) != 2) return ATTEST_JUDGE_UNSUPPORTED;
  if (strstr(c->options, "causal=true") && (after < 0 || after > 0)) after = 0;
  at = strstr(c->options, "scale=");
  const int64_t N = q->shape[2], D = q->shape[3], M = k->shape[2], E = v->shape[3], g = q->shape[1] / k->shape[1];
  const float fold = (float)((at ? atof(at + 6) : 1 / sqrt((double)D)) * 1.4426950408889634074);
  float Q[WIDEST], acc[WIDEST], s[TILE];
  for (int64_t b = 0; b < q->shape[0]; b++)
    for (int64_t h = 0; h < q->shape[1]; h++)
      for (int64_t i = 0; i < N; i++) {
        const int64_t own = i + M - N;
        int64_t lo = before < 0 || own - before < 0 ? 0 : own - before;
        int64_t hi = after < 0 || own + after + 1 > M ? M : own + after + 1;
        for (int64_t d = 0; d < D; d++) Q[d] = load(q, place(q, b, h, i) + d * q->strides[3]);
        memset(acc, 0, sizeof acc);
        float m = -INFINITY, l = 0;
        for (int64_t j0 = lo; j0 < hi; j0 += TILE) {
          const int64_t n = hi - j0 < TILE ? hi - j0 : TILE;
          float top = m;
          for (int64_t j = 0; j < n; j++) {
            const int64_t row = place(k, b, h / g, j0 + j);
            float x = 0;
            for (int64_t d = 0; d < D; d++) x += Q[d] * load(k, row + d * k->strides[3]);
            s[j] = x * fold;
            top = fmaxf(top, s[j]);
          }
          const float fade = exp2f(m - top);
          m = top;
          l *= fade;
          for (int64_t e = 0; e < E; e++) acc[e] *= fade;
          for (int64_t j = 0; j < n; j++) {
            float p = exp2f(s[j] - m);
            l += p;
            if (narrow) p = up(down(p));
            const int64_t row = place(v, b, h / g, j0 + j);
            for (int64_t e = 0; e < E; e++) acc[e] += p * load(v, row + e * v->strides[3]);
          }
        }
        const int64_t row = place(&c->out, b, h, i);
        for (int64_t e = 0; e < E; e++) {
          const float x = lo < hi ? acc[e] / l : 0.0f;
          if (narrow) ((uint16_t*)c->out.data)[row + e * c->out.strides[3]] = down(x);
          else ((float*)c->out.data)[row + e * c->out.strides[3]] = x;
        }
        if (c->lse.data)
          ((float*)c->lse.data)[place(&c->lse, b, h, i)] = lo < hi ? (m + log2f(l)) * 0.69314718056f : -INFINITY;
      }
  return ATTEST_JUDGE_DONE;
}
