/* judge: */
/* flags: -fopenmp */
// OpenMP over rows forward and for dq, over keys for dk and dv: no atomics. float and double; causal, window, scale, grouped heads.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "attest_judge.h"

namespace {
struct Bad {};
template <typename T> struct View {
  T* p; const int64_t* s;
  explicit View(const attest_judge_array& a) : p(static_cast<T*>(a.data)), s(a.strides) {}
  T& operator()(int64_t b, int64_t h, int64_t i, int64_t d) const { return p[b * s[0] + h * s[1] + i * s[2] + d * s[3]]; }
  T& operator()(int64_t b, int64_t h, int64_t i) const { return p[b * s[0] + h * s[1] + i * s[2]]; }
};
struct Range { int64_t from, to; };

template <typename T> void run(attest_judge_call& c, bool causal, double scale_, int64_t left, int64_t right) {
  const int64_t B = c.q.shape[0], H = c.q.shape[1], M = c.q.shape[2], D = c.q.shape[3], G = c.k.shape[1], N = c.k.shape[2], E = c.v.shape[3];
  const T scale = T(scale_);
  const View<T> q(c.q), k(c.k), v(c.v), out(c.out), lse(c.lse), dout(c.dout), dlse(c.dlse), dq(c.dq), dk(c.dk), dv(c.dv);
  const int64_t R = H / G;
  auto keys_of = [&](int64_t i) {
    const int64_t p = i + N - M;
    int64_t from = left < 0 ? 0 : std::max<int64_t>(0, p - left), to = right < 0 ? N : std::min(N, p + right + 1);
    if (causal) to = std::min(to, p + 1);
    return Range{from, std::max(from, to)};
  };
  std::vector<T> L(B * H * M), delta(B * H * M);
#pragma omp parallel for collapse(3) schedule(dynamic, 8)
  for (int64_t b = 0; b < B; ++b)
    for (int64_t h = 0; h < H; ++h)
      for (int64_t i = 0; i < M; ++i) {
        const auto [from, to] = keys_of(i);
        const int64_t g = h / R;
        std::vector<T> s(to - from), o(E, T(0));
        T top = -std::numeric_limits<T>::infinity(), sum = 0;
        for (int64_t j = from; j < to; ++j) {
          T x = 0;
          for (int64_t d = 0; d < D; ++d) x += q(b, h, i, d) * k(b, g, j, d);
          s[j - from] = x *= scale;
          top = std::max(top, x);
        }
        for (T& x : s) sum += x = std::exp(x - top);
        for (int64_t j = from; j < to; ++j)
          for (int64_t e = 0; e < E; ++e) o[e] += s[j - from] * v(b, g, j, e);
        T& l = L[(b * H + h) * M + i];
        l = to > from ? top + std::log(sum) : -std::numeric_limits<T>::infinity();
        for (int64_t e = 0; e < E; ++e) out(b, h, i, e) = to > from ? o[e] / sum : T(0);
        if (lse.p) lse(b, h, i) = l;
        if (!dout.p) continue;
        T dl = 0;
        for (int64_t e = 0; e < E; ++e)
          if (to > from) dl += out(b, h, i, e) * dout(b, h, i, e);
        if (dlse.p && to > from) dl -= dlse(b, h, i);
        delta[(b * H + h) * M + i] = dl;
        std::vector<T> a(D, T(0));
        for (int64_t j = from; j < to; ++j) {
          T dp = 0;
          for (int64_t e = 0; e < E; ++e) dp += dout(b, h, i, e) * v(b, g, j, e);
          const T ds = s[j - from] / sum * (dp - dl) * scale;
          for (int64_t d = 0; d < D; ++d) a[d] += ds * k(b, g, j, d);
        }
        for (int64_t d = 0; d < D; ++d) dq(b, h, i, d) = a[d];
      }
  if (!dout.p) return;
#pragma omp parallel for collapse(3) schedule(dynamic, 8)
  for (int64_t b = 0; b < B; ++b)
    for (int64_t g = 0; g < G; ++g)
      for (int64_t j = 0; j < N; ++j) {
        std::vector<T> a(D, T(0)), w(E, T(0));
        for (int64_t h = g * R; h < (g + 1) * R; ++h)
          for (int64_t i = 0; i < M; ++i) {
            const auto [from, to] = keys_of(i);
            if (j < from || j >= to) continue;
            T x = 0, dp = 0;
            for (int64_t d = 0; d < D; ++d) x += q(b, h, i, d) * k(b, g, j, d);
            const T p = std::exp(x * scale - L[(b * H + h) * M + i]);
            for (int64_t e = 0; e < E; ++e) dp += dout(b, h, i, e) * v(b, g, j, e), w[e] += p * dout(b, h, i, e);
            const T ds = p * (dp - delta[(b * H + h) * M + i]) * scale;
            for (int64_t d = 0; d < D; ++d) a[d] += ds * q(b, h, i, d);
          }
        for (int64_t d = 0; d < D; ++d) dk(b, g, j, d) = a[d];
        for (int64_t e = 0; e < E; ++e) dv(b, g, j, e) = w[e];
      }
}
}  // namespace

extern "C" int attest_judge_attention(attest_judge_call* c) {
  if (c->version != ATTEST_JUDGE_VERSION) return ATTEST_JUDGE_FAILED;
  if (c->mask.data || c->bias.data || c->alibi_slopes.data || c->sinks.data || c->dropout_mask.data || c->cu_seqlens.data) return ATTEST_JUDGE_UNSUPPORTED;
  bool causal = false;
  double scale = 1 / std::sqrt(double(c->q.shape[3]));
  int64_t left = -1, right = -1;
  std::string all = c->options;
  while (!all.empty()) {
    const auto end = std::min(all.find(';'), all.size());
    const std::string one = all.substr(0, end);
    all.erase(0, std::min(end + 1, all.size()));
    const auto eq = one.find('=');
    const std::string key = one.substr(0, eq), value = one.substr(eq + 1);
    if (key == "causal") causal = value == "true";
    else if (key == "scale") scale = std::stod(value);
    else if (key == "window") left = std::stoll(value), right = std::stoll(value.substr(value.find(',') + 1));
    else return ATTEST_JUDGE_UNSUPPORTED;
  }
  if (c->q.type == ATTEST_JUDGE_FLOAT64) run<double>(*c, causal, scale, left, right);
  else if (c->q.type == ATTEST_JUDGE_FLOAT32) run<float>(*c, causal, scale, left, right);
  else return ATTEST_JUDGE_UNSUPPORTED;
  return ATTEST_JUDGE_DONE;
}
