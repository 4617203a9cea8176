/* judge: */
// FlashAttention-2: tiles of 32 x 48, rescaled once at the end; backward over key tiles outside and query tiles inside, with the
// weights recomputed from lse and delta = rowsum(dO * O) made first. float32 and bfloat16 (tiles held in float32).
#include <algorithm>
#include <cmath>
#include <cstring>
#include <sstream>
#include <string>
#include <vector>

#include "attest_judge.h"

namespace flash {
constexpr int64_t Br = 32, Bc = 48;
using Mat = std::vector<float>;

float read(const attest_judge_array& a, int64_t at) {
  if (a.type == ATTEST_JUDGE_FLOAT32) return static_cast<const float*>(a.data)[at];
  const uint32_t u = uint32_t(static_cast<const uint16_t*>(a.data)[at]) << 16;
  float f;
  std::memcpy(&f, &u, 4);
  return f;
}
void write(const attest_judge_array& a, int64_t at, float f) {
  if (a.type == ATTEST_JUDGE_FLOAT32) { static_cast<float*>(a.data)[at] = f; return; }
  uint32_t u;
  std::memcpy(&u, &f, 4);
  static_cast<uint16_t*>(a.data)[at] = std::isnan(f) ? 0x7fc0 : uint16_t((u + 0x7fff + (u >> 16 & 1)) >> 16);
}
Mat fetch(const attest_judge_array& a, int64_t b, int64_t h) {  // [N][D]
  Mat m(a.shape[2] * a.shape[3]);
  for (int64_t n = 0; n < a.shape[2]; ++n)
    for (int64_t d = 0; d < a.shape[3]; ++d) m[n * a.shape[3] + d] = read(a, b * a.strides[0] + h * a.strides[1] + n * a.strides[2] + d * a.strides[3]);
  return m;
}
void put(const attest_judge_array& a, int64_t b, int64_t h, const Mat& m) {
  for (int64_t n = 0; n < a.shape[2]; ++n)
    for (int64_t d = 0; d < a.shape[3]; ++d) write(a, b * a.strides[0] + h * a.strides[1] + n * a.strides[2] + d * a.strides[3], m[n * a.shape[3] + d]);
}
}  // namespace flash

extern "C" int attest_judge_attention(attest_judge_call* c) {
  using namespace flash;
  if (c->version != ATTEST_JUDGE_VERSION) return ATTEST_JUDGE_FAILED;
  if (c->q.type != ATTEST_JUDGE_FLOAT32 && c->q.type != ATTEST_JUDGE_BFLOAT16) return ATTEST_JUDGE_UNSUPPORTED;
  if (c->mask.data || c->bias.data || c->alibi_slopes.data || c->sinks.data || c->dropout_mask.data || c->cu_seqlens.data) return ATTEST_JUDGE_UNSUPPORTED;
  const int64_t B = c->q.shape[0], H = c->q.shape[1], G = c->k.shape[1], M = c->q.shape[2], N = c->k.shape[2], D = c->q.shape[3], E = c->v.shape[3];
  bool causal = false;
  float scale = 1 / std::sqrt(float(D)), cap = 0;
  std::stringstream in(c->options);
  for (std::string o; std::getline(in, o, ';');) {
    if (o.substr(0, 7) == "causal=") causal = o == "causal=true";
    else if (o.substr(0, 6) == "scale=") scale = std::strtof(o.c_str() + 6, nullptr);
    else if (o.substr(0, 8) == "softcap=") cap = std::strtof(o.c_str() + 8, nullptr);
    else return ATTEST_JUDGE_UNSUPPORTED;
  }
  const int64_t shift = N - M;
  auto visible = [&](int64_t i, int64_t j) { return !causal || j <= i + shift; };
  for (int64_t b = 0; b < B; ++b)
    for (int64_t g = 0; g < G; ++g) {
      const Mat K = fetch(c->k, b, g), V = fetch(c->v, b, g);
      Mat dK(c->dout.data ? N * D : 0), dV(c->dout.data ? N * E : 0);
      for (int64_t h = g * (H / G); h < (g + 1) * (H / G); ++h) {
        const Mat Q = fetch(c->q, b, h);
        Mat O(M * E), L(M);
        auto logit = [&](int64_t i, int64_t j) {
          float x = 0;
          for (int64_t d = 0; d < D; ++d) x += Q[i * D + d] * K[j * D + d];
          x *= scale;
          return cap > 0 ? cap * std::tanh(x / cap) : x;
        };
        for (int64_t i0 = 0; i0 < M; i0 += Br) {
          const int64_t i1 = std::min(M, i0 + Br);
          Mat m(Br, -INFINITY), l(Br, 0.f), S(Br * Bc);
          for (int64_t j0 = 0; j0 < N; j0 += Bc) {
            const int64_t j1 = std::min(N, j0 + Bc);
            if (!visible(i1 - 1, j0)) break;
            for (int64_t i = i0; i < i1; ++i) {
              float* s = &S[(i - i0) * Bc];
              float most = m[i - i0];
              for (int64_t j = j0; j < j1; ++j) most = std::max(most, s[j - j0] = visible(i, j) ? logit(i, j) : -INFINITY);
              if (most == -INFINITY) continue;
              const float keep = std::exp(m[i - i0] - most);
              float sum = 0;
              for (int64_t j = j0; j < j1; ++j) sum += s[j - j0] = std::exp(s[j - j0] - most);
              l[i - i0] = l[i - i0] * keep + sum;
              m[i - i0] = most;
              for (int64_t e = 0; e < E; ++e) O[i * E + e] *= keep;
              for (int64_t j = j0; j < j1; ++j)
                if (visible(i, j))
                  for (int64_t e = 0; e < E; ++e) O[i * E + e] += s[j - j0] * V[j * E + e];
            }
          }
          for (int64_t i = i0; i < i1; ++i) {
            const bool some = l[i - i0] > 0;
            L[i] = some ? m[i - i0] + std::log(l[i - i0]) : -INFINITY;
            for (int64_t e = 0; e < E; ++e) O[i * E + e] = some ? O[i * E + e] / l[i - i0] : 0;
          }
        }
        put(c->out, b, h, O);
        if (c->lse.data)
          for (int64_t i = 0; i < M; ++i) static_cast<float*>(c->lse.data)[b * c->lse.strides[0] + h * c->lse.strides[1] + i * c->lse.strides[2]] = L[i];
        if (!c->dout.data) continue;
        const Mat dO = fetch(c->dout, b, h);
        Mat dQ(M * D), delta(M);
        for (int64_t i = 0; i < M; ++i) {
          if (L[i] == -INFINITY) continue;
          for (int64_t e = 0; e < E; ++e) delta[i] += dO[i * E + e] * O[i * E + e];
          if (c->dlse.data) delta[i] -= static_cast<float*>(c->dlse.data)[b * c->dlse.strides[0] + h * c->dlse.strides[1] + i * c->dlse.strides[2]];
        }
        for (int64_t j0 = 0; j0 < N; j0 += Bc)
          for (int64_t i0 = 0; i0 < M; i0 += Br)
            for (int64_t i = i0; i < std::min(M, i0 + Br); ++i)
              for (int64_t j = j0; j < std::min(N, j0 + Bc); ++j) {
                if (!visible(i, j)) continue;
                const float s = logit(i, j), p = std::exp(s - L[i]);
                float dp = 0;
                for (int64_t e = 0; e < E; ++e) dp += dO[i * E + e] * V[j * E + e], dV[j * E + e] += p * dO[i * E + e];
                float ds = p * (dp - delta[i]) * scale;
                if (cap > 0) ds *= 1 - (s / cap) * (s / cap);
                for (int64_t d = 0; d < D; ++d) dQ[i * D + d] += ds * K[j * D + d], dK[j * D + d] += ds * Q[i * D + d];
              }
        put(c->dq, b, h, dQ);
      }
      if (!c->dout.data) continue;
      put(c->dk, b, g, dK);
      put(c->dv, b, g, dV);
    }
  return ATTEST_JUDGE_DONE;
}
