// A checksum over the fields of a row, so that a changed byte of a run's database is not taken for a result.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <string_view>

namespace attest::journal {

/// FNV-1a, 64 bits, over the fields in order, each with its length (Fowler, Noll and Vo). It tells of damage, not of
/// forgery.
class Checksum {
 public:
  Checksum& add(std::string_view text) {
    add(static_cast<std::int64_t>(text.size()));
    for (const char c : text) take(static_cast<unsigned char>(c));
    return *this;
  }
  Checksum& add(std::int64_t number) {
    for (int shift = 0; shift < 64; shift += 8)
      take(static_cast<unsigned char>(static_cast<std::uint64_t>(number) >> shift));
    return *this;
  }
  /// By its bits; every NaN is the same and so are both zeros, which the database does not keep apart.
  Checksum& add(double number) {
    const double kept = std::isnan(number) ? std::nan("") : number == 0 ? 0.0 : number;
    return add(std::bit_cast<std::int64_t>(kept));
  }
  std::int64_t value() const { return static_cast<std::int64_t>(state_); }

 private:
  void take(unsigned char byte) { state_ = (state_ ^ byte) * 0x100000001B3U; }
  std::uint64_t state_ = 0xCBF29CE484222325U;
};

}  // namespace attest::journal
