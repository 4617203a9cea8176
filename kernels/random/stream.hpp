// Random numbers as a pure function of (seed, key, sample, index): Philox 4x32-10 of Random123.
#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string_view>

#include "kernels/random/normal_quantile.hpp"
#include "kernels/random/stream_words.hpp"

namespace attest::random {

/// The 32-bit key of what draws (a claim, a near-miss, a quantity, a test): FNV-1a of its name, the same on every
/// machine.
constexpr std::uint32_t stream_key(std::string_view id) {
  std::uint32_t hash = 2166136261U;
  for (const char c : id) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  return hash;
}

/// The sequence of 64-bit words w_0, w_1, ... that belongs to (seed, key, sample).
///
/// Word w_i is half i mod 2 of word_pair(floor(i / 2)) (kernels/random/stream_words.hpp). So any word can be computed
/// alone (`bits`), in any order and on any thread; the sequential calls only remember where they are. Every sequential
/// call takes exactly one word, so the k-th call's word is w_k whatever the calls before it were. A stream has 2^49
/// words; seeds, keys and samples that differ give words that are independent for every practical purpose (Random123
/// passes BigCrush in all of these directions).
class Stream {
 public:
  /// Throws std::invalid_argument unless sample < 2^48.
  Stream(std::uint64_t seed, std::uint32_t key, std::uint64_t sample) : name_{seed, key, sample} {
    if (sample >> 48 != 0) throw std::invalid_argument("random::Stream: the sample number must be below 2^48");
  }

  /// Words 2 block and 2 block + 1.
  std::array<std::uint64_t, 2> words(std::uint64_t block) const {
    const WordPair pair = word_pair(name_, block);
    return {pair.even, pair.odd};
  }

  /// Word w_index, without moving the stream.
  std::uint64_t bits(std::uint64_t index) const { return words(index >> 1)[index & 1]; }

  /// The next word.
  std::uint64_t next_u64() {
    if ((next_ & 1) == 0) buffer_ = words(next_ >> 1);
    return buffer_[next_++ & 1];
  }

  /// Number of words taken so far.
  std::uint64_t position() const { return next_; }
  /// Goes to word `index`.
  void seek(std::uint64_t index) {
    next_ = index;
    if ((next_ & 1) != 0) buffer_ = words(next_ >> 1);
  }

  /// Uniform on the midpoints of 2^52 equal cells of (0, 1): never 0, never 1, symmetric about 1/2.
  double uniform() { return to_unit(next_u64()); }
  /// Uniform on (low, high), up to the rounding of low + (high - low) u.
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  /// Standard normal, by inversion of its distribution function.
  double normal() { return normal_quantile(uniform()); }
  /// Uniform on 0, ..., n - 1; each value's probability is 1/n up to 2^-64. Precondition: n > 0.
  std::uint64_t integer(std::uint64_t n) {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>((static_cast<Wide>(next_u64()) * n) >> 64);
  }

  /// The number in (0, 1) that `uniform` makes of a word: (floor(word / 2^12) + 1/2) 2^-52, which is exact.
  static constexpr double to_unit(std::uint64_t word) {
    return (static_cast<double>(static_cast<std::int64_t>(word >> 12)) + 0.5) * 0x1p-52;
  }

 private:
  StreamName name_;
  std::uint64_t next_ = 0;
  std::array<std::uint64_t, 2> buffer_{};
};

}  // namespace attest::random
