// A number that counts what is done with it: how many instructions a lane of the shared arithmetic takes.
#pragma once

#include "kernels/simd/scalar.hpp"

namespace attest::benchmarks {

/// Instructions on registers: `slow` are divisions and square roots, which have a unit of their own.
struct InstructionCount {
  int quick = 0, slow = 0;
};
inline InstructionCount counted;

/// The bit pattern of a CountedLane.
template <typename T>
struct CountedBits {
  using Bits = typename simd::Format<T>::Bits;
  Bits value;
  CountedBits(Bits v) : value(v) {}  // NOLINT(google-explicit-constructor): as the bits of a number do

  static CountedBits of(Bits v) {
    ++counted.quick;
    return CountedBits(v);
  }
  friend CountedBits operator+(CountedBits a, CountedBits b) { return of(a.value + b.value); }
  friend CountedBits operator-(CountedBits a, CountedBits b) { return of(a.value - b.value); }
  friend CountedBits operator&(CountedBits a, CountedBits b) { return of(a.value & b.value); }
  friend CountedBits operator|(CountedBits a, CountedBits b) { return of(a.value | b.value); }
  friend CountedBits operator^(CountedBits a, CountedBits b) { return of(a.value ^ b.value); }
  friend CountedBits operator<<(CountedBits a, int n) { return of(a.value << n); }
  friend CountedBits operator>>(CountedBits a, int n) { return of(a.value >> n); }
  /// Processors negate for nothing in the logical operation that follows.
  friend CountedBits operator~(CountedBits a) { return CountedBits(~a.value); }
};

/// T, counting.
template <typename T>
struct CountedLane {
  T value{};

  CountedLane() = default;
  explicit CountedLane(T v) : value(v) {}

  static CountedLane of(T v) {
    ++counted.quick;
    return CountedLane(v);
  }
  friend CountedLane operator+(CountedLane a, CountedLane b) { return of(a.value + b.value); }
  friend CountedLane operator-(CountedLane a, CountedLane b) { return of(a.value - b.value); }
  friend CountedLane operator*(CountedLane a, CountedLane b) { return of(a.value * b.value); }
  friend CountedLane operator/(CountedLane a, CountedLane b) {
    ++counted.slow;
    return CountedLane(a.value / b.value);
  }
  friend CountedLane fused(CountedLane a, CountedLane b, CountedLane c) {
    return of(simd::fused(a.value, b.value, c.value));
  }
  friend CountedLane larger(CountedLane a, CountedLane b) { return of(simd::larger(a.value, b.value)); }
  /// A comparison and a choice.
  friend CountedLane if_less(CountedLane a, CountedLane b, CountedLane yes, CountedLane no) {
    ++counted.quick;
    return of(simd::if_less(a.value, b.value, yes.value, no.value));
  }
  friend CountedLane square_root(CountedLane x) {
    ++counted.slow;
    return CountedLane(simd::square_root(x.value));
  }
  friend CountedBits<T> to_bits(CountedLane x) { return CountedBits<T>(simd::to_bits(x.value)); }
  friend void set_bits(CountedLane& x, CountedBits<T> bits) { simd::set_bits(x.value, bits.value); }
  friend void set_whole(CountedLane& x, CountedBits<T> whole) { x = of(static_cast<T>(whole.value)); }
};

}  // namespace attest::benchmarks
