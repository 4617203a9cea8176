// Two registers that are computed with side by side, so that one's operations fill the waits of the other's.
#pragma once

#include "kernels/simd/lanes.hpp"

namespace attest::simd {

/// The bit patterns of a Paired: every operation on both registers, lane by lane.
template <typename Words>
struct PairedWords {
  Words a{}, b{};

  friend PairedWords operator+(PairedWords x, PairedWords y) { return {x.a + y.a, x.b + y.b}; }
  friend PairedWords operator-(PairedWords x, PairedWords y) { return {x.a - y.a, x.b - y.b}; }
  friend PairedWords operator^(PairedWords x, PairedWords y) { return {x.a ^ y.a, x.b ^ y.b}; }
  friend PairedWords operator|(PairedWords x, PairedWords y) { return {x.a | y.a, x.b | y.b}; }
  friend PairedWords operator~(PairedWords x) { return {~x.a, ~x.b}; }
  friend PairedWords operator<<(PairedWords x, int n) { return {x.a << n, x.b << n}; }
  friend PairedWords operator>>(PairedWords x, int n) { return {x.a >> n, x.b >> n}; }
  /// With the same number in every lane.
  template <typename Number>
  friend PairedWords operator+(PairedWords x, Number y) {
    return {x.a + y, x.b + y};
  }
  template <typename Number>
  friend PairedWords operator-(PairedWords x, Number y) {
    return {x.a - y, x.b - y};
  }
  template <typename Number>
  friend PairedWords operator^(PairedWords x, Number y) {
    return {x.a ^ y, x.b ^ y};
  }
  template <typename Number>
  friend PairedWords operator|(PairedWords x, Number y) {
    return {x.a | y, x.b | y};
  }
  template <typename Number>
  friend PairedWords operator&(PairedWords x, Number y) {
    return {x.a & y, x.b & y};
  }

  /// As low_products and high_halves of registers (kernels/simd/lanes.hpp).
  friend PairedWords high_halves(PairedWords x) { return {simd::high_halves(x.a), simd::high_halves(x.b)}; }
  friend PairedWords low_products(PairedWords x, PairedWords y) {
    return {simd::low_products(x.a, y.a), simd::low_products(x.b, y.b)};
  }
};

/// Two V: the lanes of `a`, then those of `b`, with the operations of V (kernels/simd/lanes.hpp) and its bits.
///
/// A processor looks for work among the next hundred or so instructions that wait for their operands. Chains of
/// dependent instructions as long as a draw's (ten rounds of Philox, a logarithm, a root) leave it idle when only one
/// fits; of two chains side by side one has something to do more often: measured 1.4 times as fast with AVX-512.
template <typename V>
struct Paired {
  using Bits = PairedWords<typename V::Bits>;
  static constexpr int count = 2 * V::count;

  V a, b;

  Paired() = default;
  template <typename T>
  explicit Paired(T x) : a(x), b(x) {}
  Paired(V first, V second) : a(first), b(second) {}
  template <typename T>
  static Paired load(const T* from) {
    return {V::load(from), V::load(from + V::count)};
  }
  template <typename T>
  void store(T* to) const {
    a.store(to);
    b.store(to + V::count);
  }

  friend Paired operator+(Paired x, Paired y) { return {x.a + y.a, x.b + y.b}; }
  friend Paired operator-(Paired x, Paired y) { return {x.a - y.a, x.b - y.b}; }
  friend Paired operator*(Paired x, Paired y) { return {x.a * y.a, x.b * y.b}; }
  friend Paired operator/(Paired x, Paired y) { return {x.a / y.a, x.b / y.b}; }
  friend Paired fused(Paired x, Paired y, Paired z) { return {fused(x.a, y.a, z.a), fused(x.b, y.b, z.b)}; }
  friend Paired larger(Paired x, Paired y) { return {larger(x.a, y.a), larger(x.b, y.b)}; }
  friend Paired square_root(Paired x) { return {square_root(x.a), square_root(x.b)}; }
  friend Paired if_less(Paired x, Paired y, Paired yes, Paired no) {
    return {if_less(x.a, y.a, yes.a, no.a), if_less(x.b, y.b, yes.b, no.b)};
  }
  friend Bits to_bits(Paired x) { return {to_bits(x.a), to_bits(x.b)}; }
  friend void set_bits(Paired& x, Bits bits) {
    set_bits(x.a, bits.a);
    set_bits(x.b, bits.b);
  }
  friend void set_whole(Paired& x, Bits whole) {
    set_whole(x.a, whole.a);
    set_whole(x.b, whole.b);
  }
};

}  // namespace attest::simd
