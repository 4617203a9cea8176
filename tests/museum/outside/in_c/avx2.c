/* judge: */
/* flags: -mavx2 -mfma */
/* Float32 forward, blocks of 64 keys, AVX2 with a polynomial exp. Keys are transposed per block so that eight keys lie in a register. */
#include <immintrin.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "attest_judge.h"

#define BLOCK 64

static inline __m256 exp8(__m256 x) { /* Cephes expf, x <= 0 */
  const __m256 low = _mm256_set1_ps(-87.3f);
  const __m256 dead = _mm256_cmp_ps(x, low, _CMP_LT_OQ);
  x = _mm256_max_ps(x, low);
  const __m256 n = _mm256_round_ps(_mm256_mul_ps(x, _mm256_set1_ps(1.44269504088896341f)), _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
  x = _mm256_fnmadd_ps(n, _mm256_set1_ps(0.693359375f), x);
  x = _mm256_fnmadd_ps(n, _mm256_set1_ps(-2.12194440e-4f), x);
  __m256 y = _mm256_set1_ps(1.9875691500e-4f);
  y = _mm256_fmadd_ps(y, x, _mm256_set1_ps(1.3981999507e-3f));
  y = _mm256_fmadd_ps(y, x, _mm256_set1_ps(8.3334519073e-3f));
  y = _mm256_fmadd_ps(y, x, _mm256_set1_ps(4.1665795894e-2f));
  y = _mm256_fmadd_ps(y, x, _mm256_set1_ps(1.6666665459e-1f));
  y = _mm256_fmadd_ps(y, x, _mm256_set1_ps(5.0000001201e-1f));
  y = _mm256_fmadd_ps(y, _mm256_mul_ps(x, x), _mm256_add_ps(x, _mm256_set1_ps(1.0f)));
  const __m256i e = _mm256_slli_epi32(_mm256_add_epi32(_mm256_cvtps_epi32(n), _mm256_set1_epi32(127)), 23);
  return _mm256_andnot_ps(dead, _mm256_mul_ps(y, _mm256_castsi256_ps(e)));
}
static inline float sum8(__m256 x) {
  __m128 y = _mm_add_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1));
  y = _mm_add_ps(y, _mm_movehl_ps(y, y));
  return _mm_cvtss_f32(_mm_add_ss(y, _mm_shuffle_ps(y, y, 1)));
}
static inline float max8(__m256 x) {
  __m128 y = _mm_max_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1));
  y = _mm_max_ps(y, _mm_movehl_ps(y, y));
  return _mm_cvtss_f32(_mm_max_ss(y, _mm_shuffle_ps(y, y, 1)));
}

int attest_judge_attention(attest_judge_call* c) {
  if (c->version != ATTEST_JUDGE_VERSION) return ATTEST_JUDGE_FAILED;
  int causal = 0;
  if (!strcmp(c->options, "causal=true")) causal = 1;
  else if (*c->options && strcmp(c->options, "causal=false")) return ATTEST_JUDGE_UNSUPPORTED;
  if (c->q.type != ATTEST_JUDGE_FLOAT32 || c->mask.data || c->bias.data || c->alibi_slopes.data || c->sinks.data || c->dropout_mask.data ||
      c->cu_seqlens.data || c->dout.data || c->dlse.data)
    return ATTEST_JUDGE_UNSUPPORTED;
  const int64_t B = c->q.shape[0], H = c->q.shape[1], M = c->q.shape[2], D = c->q.shape[3], G = c->k.shape[1], N = c->k.shape[2], E = c->v.shape[3];
  const int64_t E8 = (E + 7) / 8 * 8, shift = N - M;
  float* kt = aligned_alloc(32, sizeof(float) * BLOCK * (D + 8));
  float* vb = aligned_alloc(32, sizeof(float) * BLOCK * (E8 + 8));
  float* acc = aligned_alloc(32, sizeof(float) * (size_t)((M + 1) * E8 + 8));
  float* top = malloc(sizeof(float) * (M + 1));
  float* sum = malloc(sizeof(float) * (M + 1));
  const float scale = 1.0f / sqrtf((float)D);
  for (int64_t b = 0; b < B; ++b)
    for (int64_t h = 0; h < H; ++h) {
      const int64_t g = h * G / H;
      const float* q = (const float*)c->q.data + b * c->q.strides[0] + h * c->q.strides[1];
      const float* k = (const float*)c->k.data + b * c->k.strides[0] + g * c->k.strides[1];
      const float* v = (const float*)c->v.data + b * c->v.strides[0] + g * c->v.strides[1];
      for (int64_t i = 0; i < M; ++i) top[i] = -INFINITY, sum[i] = 0;
      memset(acc, 0, sizeof(float) * M * E8);
      for (int64_t j0 = 0; j0 < N; j0 += BLOCK) {
        const int64_t n = N - j0 < BLOCK ? N - j0 : BLOCK;
        memset(kt, 0, sizeof(float) * BLOCK * D);
        memset(vb, 0, sizeof(float) * BLOCK * E8);
        for (int64_t j = 0; j < n; ++j) {
          for (int64_t d = 0; d < D; ++d) kt[d * BLOCK + j] = k[(j0 + j) * c->k.strides[2] + d * c->k.strides[3]];
          for (int64_t e = 0; e < E; ++e) vb[j * E8 + e] = v[(j0 + j) * c->v.strides[2] + e * c->v.strides[3]];
        }
        for (int64_t i = 0; i < M; ++i) {
          int64_t sees = n;
          if (causal) {
            const int64_t last = i + shift - j0;
            if (last < 0) continue;
            if (last + 1 < sees) sees = last + 1;
          }
          __m256 s[BLOCK / 8];
          for (int t = 0; t < BLOCK / 8; ++t) s[t] = _mm256_setzero_ps();
          for (int64_t d = 0; d < D; ++d) {
            const __m256 x = _mm256_set1_ps(q[i * c->q.strides[2] + d * c->q.strides[3]] * scale);
            for (int t = 0; t < BLOCK / 8; ++t) s[t] = _mm256_fmadd_ps(x, _mm256_load_ps(kt + d * BLOCK + 8 * t), s[t]);
          }
          __m256 most = _mm256_set1_ps(-INFINITY);
          const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
          for (int t = 0; t < BLOCK / 8; ++t) {
            const __m256 seen = _mm256_castsi256_ps(_mm256_cmpgt_epi32(_mm256_set1_epi32((int)sees), _mm256_add_epi32(lane, _mm256_set1_epi32(8 * t))));
            s[t] = _mm256_blendv_ps(_mm256_set1_ps(-INFINITY), s[t], seen);
            most = _mm256_max_ps(most, s[t]);
          }
          const float m = fmaxf(top[i], max8(most));
          if (m == -INFINITY) continue;
          const float keep = top[i] == -INFINITY ? 0.0f : expf(top[i] - m);
          __m256 total = _mm256_setzero_ps();
          float p[BLOCK] __attribute__((aligned(32)));
          for (int t = 0; t < BLOCK / 8; ++t) {
            const __m256 w = exp8(_mm256_sub_ps(s[t], _mm256_set1_ps(m)));
            _mm256_store_ps(p + 8 * t, w);
            total = _mm256_add_ps(total, w);
          }
          sum[i] = sum[i] * keep + sum8(total);
          top[i] = m;
          for (int64_t e = 0; e < E8; e += 8) {
            __m256 o = _mm256_mul_ps(_mm256_load_ps(acc + i * E8 + e), _mm256_set1_ps(keep));
            for (int64_t j = 0; j < sees; ++j) o = _mm256_fmadd_ps(_mm256_set1_ps(p[j]), _mm256_load_ps(vb + j * E8 + e), o);
            _mm256_store_ps(acc + i * E8 + e, o);
          }
        }
      }
      for (int64_t i = 0; i < M; ++i) {
        const float by = sum[i] > 0 ? 1 / sum[i] : 0;
        float* o = (float*)c->out.data + b * c->out.strides[0] + h * c->out.strides[1] + i * c->out.strides[2];
        for (int64_t e = 0; e < E; ++e) o[e * c->out.strides[3]] = acc[i * E8 + e] * by;
        if (c->lse.data) ((float*)c->lse.data)[b * c->lse.strides[0] + h * c->lse.strides[1] + i * c->lse.strides[2]] = sum[i] > 0 ? top[i] + logf(sum[i]) : -INFINITY;
      }
    }
  free(kt), free(vb), free(acc), free(top), free(sum);
  return ATTEST_JUDGE_DONE;
}
