/* judge: */
/* flags: -mf16c */
// Online softmax with attention sinks; template over the stored type, sums in float (double for double). Gradients are not offered.
#include <immintrin.h>
#include <cmath>
#include <cstring>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "attest_judge.h"

struct half_t {
  uint16_t bits;
  operator float() const { return _cvtsh_ss(bits); }
  half_t& operator=(float f) { bits = _cvtss_sh(f, _MM_FROUND_TO_NEAREST_INT); return *this; }
};
struct brain_t {
  uint16_t bits;
  operator float() const { uint32_t u = uint32_t(bits) << 16; float f; std::memcpy(&f, &u, 4); return f; }
  brain_t& operator=(float f) {
    uint32_t u; std::memcpy(&u, &f, 4);
    bits = f != f ? 0x7fff : uint16_t((u + 0x7fffu + (u >> 16 & 1u)) >> 16);
    return *this;
  }
};
struct Options { bool causal = false, top_left = false; double scale; };

template <typename S> struct Acc { using type = float; };
template <> struct Acc<double> { using type = double; };

template <typename S> static void attend(attest_judge_call& c, const Options& o) {
  using A = typename Acc<S>::type;
  constexpr A none = -std::numeric_limits<A>::infinity();
  auto ptr = [](const attest_judge_array& a, int64_t b, int64_t h, int64_t i) {
    return static_cast<S*>(a.data) + b * a.strides[0] + h * a.strides[1] + i * a.strides[2];
  };
  const int64_t D = c.q.shape[3], E = c.v.shape[3], M = c.q.shape[2], N = c.k.shape[2];
  std::vector<A> acc(E);
  for (int64_t b = 0; b != c.q.shape[0]; ++b)
    for (int64_t h = 0; h != c.q.shape[1]; ++h) {
      const int64_t g = h * c.k.shape[1] / c.q.shape[1];
      for (int64_t i = 0; i != M; ++i) {
        A top = none, sum = 0;
        if (c.sinks.data) top = A(static_cast<S*>(c.sinks.data)[h * c.sinks.strides[0]]), sum = 1;
        std::fill(acc.begin(), acc.end(), A(0));
        const int64_t last = o.causal ? i + (o.top_left ? 0 : N - M) : N - 1;
        const S* q = ptr(c.q, b, h, i);
        for (int64_t j = 0; j < N && j <= last; ++j) {
          const S* k = ptr(c.k, b, g, j);
          const S* v = ptr(c.v, b, g, j);
          A x = 0;
          for (int64_t d = 0; d != D; ++d) x += A(q[d * c.q.strides[3]]) * A(k[d * c.k.strides[3]]);
          x *= A(o.scale);
          if (x > top) {
            const A f = std::exp(top - x);  // 0 at the first key
            sum *= f;
            for (A& y : acc) y *= f;
            top = x;
          }
          const A w = std::exp(x - top);
          sum += w;
          for (int64_t e = 0; e != E; ++e) acc[e] += w * A(v[e * c.v.strides[3]]);
        }
        S* out = ptr(c.out, b, h, i);
        for (int64_t e = 0; e != E; ++e) out[e * c.out.strides[3]] = sum > 0 ? acc[e] / sum : A(0);
        if (c.lse.data) {
          const int64_t at = b * c.lse.strides[0] + h * c.lse.strides[1] + i * c.lse.strides[2];
          const A l = sum > 0 ? top + std::log(sum) : none;
          if (c.lse.type == ATTEST_JUDGE_FLOAT64) static_cast<double*>(c.lse.data)[at] = l;
          else static_cast<float*>(c.lse.data)[at] = float(l);
        }
      }
    }
}

extern "C" int attest_judge_attention(attest_judge_call* c) {
  if (c->version != ATTEST_JUDGE_VERSION) return ATTEST_JUDGE_FAILED;
  if (c->mask.data || c->bias.data || c->alibi_slopes.data || c->dropout_mask.data || c->cu_seqlens.data || c->dout.data || c->dlse.data)
    return ATTEST_JUDGE_UNSUPPORTED;
  Options o;
  o.scale = 1 / std::sqrt(double(c->q.shape[3]));
  std::istringstream in(c->options);
  for (std::string one; std::getline(in, one, ';');) {
    if (one == "causal=true") o.causal = true;
    else if (one == "causal=false") o.causal = false;
    else if (one == "alignment=top_left") o.top_left = true;
    else if (one == "alignment=bottom_right") o.top_left = false;
    else if (one.rfind("scale=", 0) == 0) o.scale = std::stod(one.substr(6));
    else return ATTEST_JUDGE_UNSUPPORTED;
  }
  switch (c->q.type) {
    case ATTEST_JUDGE_FLOAT64: attend<double>(*c, o); break;
    case ATTEST_JUDGE_FLOAT32: attend<float>(*c, o); break;
    case ATTEST_JUDGE_FLOAT16: attend<half_t>(*c, o); break;
    case ATTEST_JUDGE_BFLOAT16: attend<brain_t>(*c, o); break;
    default: return ATTEST_JUDGE_UNSUPPORTED;
  }
  return ATTEST_JUDGE_DONE;
}
