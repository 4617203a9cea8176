// The streamed operations for lanes of any width; included only by the files that compile them for one set of
// instructions.
#pragma once

#include "kernels/random/law_steps.hpp"
#include "kernels/simd/lanes.hpp"
#include "kernels/streamed/operations.hpp"

namespace attest::streamed {

template <typename T, int bytes>
struct LaneOperations {
  using V = simd::Lanes<T, bytes>;
  using Bits = typename V::Bits;
  using Pair = random::DrawPair<V>;
  using Words = typename random::PhiloxLanes<bytes>::Words;

  // Lane l of the first register, then lane l of the second, in units of 64 bits: the order of the words.
  static void store_interleaved(const Pair& pair, T* to) {
    const Words a = __builtin_bit_cast(Words, pair.first.value), b = __builtin_bit_cast(Words, pair.second.value);
    Words low, high;
    if constexpr (bytes == 64) {
      low = __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
      high = __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
    } else if constexpr (bytes == 32) {
      low = __builtin_shufflevector(a, b, 0, 4, 1, 5);
      high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
    } else {
      low = __builtin_shufflevector(a, b, 0, 2);
      high = __builtin_shufflevector(a, b, 1, 3);
    }
    std::memcpy(to, &low, bytes);
    std::memcpy(to + V::count, &high, bytes);
  }

  // pair(first bits, second bits) makes two draws a lane of each register of counters.
  template <typename MakePair>
  static void draw_pairs(const random::StreamName& name, std::uint64_t first, T* z, std::size_t size,
                         const MakePair& pair) {
    constexpr std::uint64_t per_counter = 16 / sizeof(T);
    for (std::size_t i = 0; i < size; i += 2 * V::count) {
      const random::PhiloxLanes<bytes> words(name, (first + i) / per_counter);
      store_interleaved(pair(__builtin_bit_cast(Bits, words.even), __builtin_bit_cast(Bits, words.odd)), z + i);
    }
  }

  template <typename One>
  static void draw_singles(const random::StreamName& name, std::uint64_t first, T* z, std::size_t size,
                           const One& one) {
    draw_pairs(name, first, z, size, [&](Bits a, Bits b) { return Pair{one(a), one(b)}; });
  }

  static void draw(random::Law law, random::StreamName name, std::uint64_t first, T* z, std::size_t size) {
    using Kind = random::LawKind;
    const T parameter = static_cast<T>(law.parameter);
    switch (law.kind) {
      case Kind::gaussian:
        return draw_pairs(name, first, z, size, [](Bits a, Bits b) { return random::normal_pair_steps<T, V>(a, b); });
      case Kind::rademacher:
        return draw_singles(name, first, z, size, [](Bits a) { return random::rademacher_steps<T, V>(a); });
      case Kind::uniform:
        return draw_singles(name, first, z, size, [](Bits a) { return random::uniform_steps<T, V>(a); });
      case Kind::laplace:
        return draw_singles(name, first, z, size, [](Bits a) { return random::laplace_steps<T, V>(a); });
      case Kind::sparse_three_point:
        return draw_singles(name, first, z, size,
                            [parameter](Bits a) { return random::sparse_steps<T, V>(a, parameter); });
      case Kind::student_t:
        // Two words a draw: a counter gives half as many.
        for (std::size_t i = 0; i < size; i += V::count) {
          const random::PhiloxLanes<bytes> words(name, (first + i) / (8 / sizeof(T)));
          random::student_steps<T, V>(__builtin_bit_cast(Bits, words.even), __builtin_bit_cast(Bits, words.odd),
                                      parameter)
              .store(z + i);
        }
        return;
    }
  }

  static void weights(const T* x, T spread, T shift, T* a, std::size_t size) {
    for (std::size_t i = 0; i < size; i += V::count)
      elementary::exponential_steps<T>(V(spread) * V::load(x + i) - V(shift)).store(a + i);
  }

  // body(element, accumulators) for every register, column by column; row r of the accumulators goes to sums[r].
  template <int rows, typename Body>
  static void reduce(std::size_t size, T* sums, const Body& body) {
    for (int column = 0; column < columns<T>; column += V::count) {
      V rows_of[rows];
      for (int r = 0; r < rows; ++r) rows_of[r] = V::load(sums + r * columns<T> + column);
      for (std::size_t i = static_cast<std::size_t>(column); i < size; i += columns<T>) body(i, rows_of);
      for (int r = 0; r < rows; ++r) rows_of[r].store(sums + r * columns<T> + column);
    }
  }

  static void perturbation(const NoisyWeights<T>& w, T* sums) {
    const V scale(w.scale), shift(w.shift);
    const auto add = [&](std::size_t i, V* row, V eta, V change) {
      const V a = V::load(w.a + i);
      const V moved = a * change;
      row[sum_aw] = row[sum_aw] + moved;
      row[sum_a2w] = fused(a, moved, row[sum_a2w]);
      row[sum_a2w2] = fused(moved, moved, row[sum_a2w2]);
      row[largest_eta] = larger(row[largest_eta], eta);
    };
    if (w.minus_one) {
      reduce<perturbation_rows>(w.size, sums, [&](std::size_t i, V* row) {
        const V eta = scale * V::load(w.z + i);
        add(i, row, eta, elementary::exponential_minus_one_steps<T>(eta - shift));
      });
    } else {
      reduce<perturbation_rows>(w.size, sums, [&](std::size_t i, V* row) {
        const V eta = scale * V::load(w.z + i);
        add(i, row, eta, elementary::exponential_steps<T>(eta - shift));
      });
    }
  }

  static V moved_weight(const NoisyWeights<T>& w, std::size_t i) {
    return V::load(w.a + i) * elementary::exponential_steps<T>(V(w.scale) * V::load(w.z + i) - V(w.shift));
  }

  static void top(const NoisyWeights<T>& w, T* sums) {
    reduce<top_rows>(w.size, sums, [&](std::size_t i, V* row) {
      const V b = moved_weight(w, i);
      row[second_b] = larger(row[second_b], if_less(row[largest_b], b, row[largest_b], b));
      row[largest_b] = larger(row[largest_b], b);
      row[sum_b] = row[sum_b] + b;
    });
  }

  static void secular(const NoisyWeights<T>& w, T second, T at, T* sums) {
    const V bound(second), point(at), zero(T(0)), one(T(1));
    reduce<secular_rows>(w.size, sums, [&](std::size_t i, V* row) {
      const V b = moved_weight(w, i);
      const V inverse = one / if_less(b, bound, point - b, one);
      const V term = if_less(b, bound, b * inverse, zero);
      row[pole_sum] = row[pole_sum] + term;
      row[pole_slope] = fused(term, inverse, row[pole_slope]);
      row[count_above] = row[count_above] + if_less(b, bound, zero, one);
    });
  }

  static void moments(const T* x, const T* y, std::size_t size, T* sums) {
    reduce<moment_rows>(size, sums, [&](std::size_t i, V* row) {
      const V a = V::load(x + i), b = V::load(y + i);
      row[sum_x] = row[sum_x] + a;
      row[sum_y] = row[sum_y] + b;
      row[sum_xx] = fused(a, a, row[sum_xx]);
      row[sum_xy] = fused(a, b, row[sum_xy]);
      row[sum_yy] = fused(b, b, row[sum_yy]);
    });
  }

  static constexpr Operations<T> table(const char* name) {
    return {name, &draw, &weights, &perturbation, &top, &secular, &moments};
  }
};

}  // namespace attest::streamed
