/* judge: */
/* A kernel for one shape of work, as embedded ones are: float32, one sequence, contiguous, at most 64 features and 512 keys,
 * causal with as many queries as keys. All else is declined with a reason. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "attest_judge.h"

static int decline(attest_judge_call* c, const char* why) {
  snprintf(c->message, sizeof c->message, "%s", why);
  return ATTEST_JUDGE_UNSUPPORTED;
}
static int contiguous(const attest_judge_array* a) {
  int64_t want = 1;
  for (int r = a->rank - 1; r >= 0; r--) {
    if (a->shape[r] != 1 && a->strides[r] != want) return 0;
    want *= a->shape[r];
  }
  return 1;
}

int attest_judge_attention(attest_judge_call* c) {
  static float s[512];
  if (c->version != ATTEST_JUDGE_VERSION || c->bytes != sizeof(attest_judge_call)) {
    snprintf(c->message, sizeof c->message, "built for version %d", ATTEST_JUDGE_VERSION);
    return ATTEST_JUDGE_FAILED;
  }
  if (c->q.type != ATTEST_JUDGE_FLOAT32) return decline(c, "float32 only");
  if (c->dout.data) return decline(c, "no gradients");
  if (c->mask.data || c->bias.data || c->alibi_slopes.data || c->sinks.data || c->dropout_mask.data || c->cu_seqlens.data)
    return decline(c, "no masks, biases or packed sequences");
  if (strcmp(c->options, "causal=true") && strcmp(c->options, "causal=true;alignment=bottom_right") &&
      strcmp(c->options, "causal=true;alignment=top_left"))
    return decline(c, "causal calls only");
  if (c->q.shape[0] != 1 || c->q.shape[1] != c->k.shape[1]) return decline(c, "one sequence, as many heads of keys as of queries");
  if (c->q.shape[2] != c->k.shape[2] || c->k.shape[2] > 512) return decline(c, "as many queries as keys, at most 512");
  if (c->q.shape[3] > 64 || c->v.shape[3] != c->q.shape[3]) return decline(c, "at most 64 features, as many of values");
  if (!contiguous(&c->q) || !contiguous(&c->k) || !contiguous(&c->v) || !contiguous(&c->out)) return decline(c, "contiguous arrays only");
  const int64_t H = c->q.shape[1], N = c->q.shape[2], D = c->q.shape[3];
  for (int64_t h = 0; h < H; h++) {
    const float *q = (float*)c->q.data + h * N * D, *k = (float*)c->k.data + h * N * D, *v = (float*)c->v.data + h * N * D;
    float* o = (float*)c->out.data + h * N * D;
    for (int64_t i = 0; i < N; i++) {
      float top = -INFINITY, sum = 0;
      for (int64_t j = 0; j <= i; j++) {
        s[j] = 0;
        for (int64_t d = 0; d < D; d++) s[j] += q[i * D + d] * k[j * D + d];
        s[j] /= sqrtf((float)D);
        top = fmaxf(top, s[j]);
      }
      for (int64_t j = 0; j <= i; j++) sum += s[j] = expf(s[j] - top);
      for (int64_t d = 0; d < D; d++) {
        float x = 0;
        for (int64_t j = 0; j <= i; j++) x += s[j] * v[j * D + d];
        o[i * D + d] = x / sum;
      }
    }
  }
  return ATTEST_JUDGE_DONE;
}
