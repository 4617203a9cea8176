/* judge: */
/* Tiles of 32 queries by 64 keys, online softmax, plain float (or double) sums; causal with both alignments; lse. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "attest_judge.h"

#define TQ 32
#define TK 64

#define KERNEL(NAME, REAL, EXP, LOG, SQRT)                                                                              \
  static void NAME(attest_judge_call* c, int causal, int64_t shift) {                                                   \
    const int64_t nq = c->q.shape[2], nk = c->k.shape[2], D = c->q.shape[3], Dv = c->v.shape[3];                         \
    const REAL scale = 1 / SQRT((REAL)D);                                                                               \
    REAL* acc = malloc(sizeof(REAL) * TQ * (size_t)Dv);                                                                 \
    REAL m[TQ], l[TQ], s[TK];                                                                                           \
    for (int64_t b = 0; b < c->q.shape[0]; b++)                                                                         \
      for (int64_t h = 0; h < c->q.shape[1]; h++) {                                                                     \
        const REAL* q = (REAL*)c->q.data + b * c->q.strides[0] + h * c->q.strides[1];                                    \
        const REAL* k = (REAL*)c->k.data + b * c->k.strides[0] + h * c->k.strides[1];                                    \
        const REAL* v = (REAL*)c->v.data + b * c->v.strides[0] + h * c->v.strides[1];                                    \
        REAL* o = (REAL*)c->out.data + b * c->out.strides[0] + h * c->out.strides[1];                                    \
        for (int64_t i0 = 0; i0 < nq; i0 += TQ) {                                                                       \
          const int64_t rows = nq - i0 < TQ ? nq - i0 : TQ;                                                              \
          for (int64_t r = 0; r < rows; r++) m[r] = -INFINITY, l[r] = 0;                                                 \
          memset(acc, 0, sizeof(REAL) * TQ * (size_t)Dv);                                                               \
          for (int64_t j0 = 0; j0 < nk; j0 += TK) {                                                                     \
            if (causal && j0 > i0 + rows - 1 + shift) break;                                                            \
            for (int64_t r = 0; r < rows; r++) {                                                                        \
              int64_t cols = nk - j0 < TK ? nk - j0 : TK;                                                               \
              if (causal && i0 + r + shift - j0 + 1 < cols) cols = i0 + r + shift - j0 + 1;                              \
              if (cols <= 0) continue;                                                                                  \
              REAL top = m[r];                                                                                          \
              for (int64_t t = 0; t < cols; t++) {                                                                      \
                REAL x = 0;                                                                                             \
                for (int64_t d = 0; d < D; d++)                                                                         \
                  x += q[(i0 + r) * c->q.strides[2] + d * c->q.strides[3]] * k[(j0 + t) * c->k.strides[2] + d * c->k.strides[3]]; \
                s[t] = x * scale;                                                                                       \
                if (s[t] > top) top = s[t];                                                                             \
              }                                                                                                         \
              const REAL keep = EXP(m[r] - top);                                                                        \
              l[r] *= keep;                                                                                             \
              for (int64_t e = 0; e < Dv; e++) acc[r * Dv + e] *= keep;                                                  \
              for (int64_t t = 0; t < cols; t++) {                                                                      \
                const REAL p = EXP(s[t] - top);                                                                         \
                l[r] += p;                                                                                              \
                for (int64_t e = 0; e < Dv; e++) acc[r * Dv + e] += p * v[(j0 + t) * c->v.strides[2] + e * c->v.strides[3]]; \
              }                                                                                                         \
              m[r] = top;                                                                                               \
            }                                                                                                           \
          }                                                                                                             \
          for (int64_t r = 0; r < rows; r++) {                                                                          \
            for (int64_t e = 0; e < Dv; e++)                                                                            \
              o[(i0 + r) * c->out.strides[2] + e * c->out.strides[3]] = l[r] > 0 ? acc[r * Dv + e] / l[r] : 0;            \
            if (c->lse.data)                                                                                            \
              ((REAL*)c->lse.data)[b * c->lse.strides[0] + h * c->lse.strides[1] + (i0 + r) * c->lse.strides[2]] =       \
                  l[r] > 0 ? m[r] + LOG(l[r]) : -INFINITY;                                                              \
          }                                                                                                             \
        }                                                                                                               \
      }                                                                                                                 \
    free(acc);                                                                                                          \
  }

KERNEL(run_float, float, expf, logf, sqrtf)
KERNEL(run_double, double, exp, log, sqrt)

int attest_judge_attention(attest_judge_call* c) {
  if (c->version != ATTEST_JUDGE_VERSION) return ATTEST_JUDGE_FAILED;
  int causal = 0;
  int64_t shift = c->k.shape[2] - c->q.shape[2];
  char text[256];
  if (strlen(c->options) >= sizeof text) return ATTEST_JUDGE_UNSUPPORTED;
  strcpy(text, c->options);
  for (char* t = strtok(text, ";"); t; t = strtok(NULL, ";")) {
    if (!strcmp(t, "causal=true")) causal = 1;
    else if (!strcmp(t, "causal=false") || !strcmp(t, "alignment=bottom_right")) continue;
    else if (!strcmp(t, "alignment=top_left")) shift = 0;
    else return ATTEST_JUDGE_UNSUPPORTED;
  }
  if (c->mask.data || c->bias.data || c->alibi_slopes.data || c->sinks.data || c->dropout_mask.data || c->cu_seqlens.data ||
      c->dout.data || c->k.shape[1] != c->q.shape[1])
    return ATTEST_JUDGE_UNSUPPORTED;
  if (c->q.type == ATTEST_JUDGE_FLOAT32) run_float(c, causal, shift);
  else if (c->q.type == ATTEST_JUDGE_FLOAT64) run_double(c, causal, shift);
  else return ATTEST_JUDGE_UNSUPPORTED;
  return ATTEST_JUDGE_DONE;
}
