// The streamed operations for lanes of any width; included only by the files that compile them for one set of
// instructions.
#pragma once

#include <array>
#include <type_traits>

#include "kernels/random/law_steps.hpp"
#include "kernels/random/philox_lanes.hpp"
#include "kernels/simd/lanes.hpp"
#include "kernels/simd/paired.hpp"
#include "kernels/streams/operations.hpp"

namespace attest::streams {

/// `side_by_side`: whether draws are made of two registers of counters at once (kernels/simd/paired.hpp), which pays
/// where there are registers enough.
template <typename T, int bytes, bool side_by_side = false>
struct LaneOperations {
  using V = simd::Lanes<T, bytes>;
  using Bits = typename V::Bits;
  using Words = typename simd::Lanes<double, bytes>::Bits;
  using TwoV = simd::Paired<V>;
  using TwoWords = simd::PairedWords<Words>;
  using W = std::conditional_t<side_by_side, TwoV, V>;  // of reductions; as wide as the columns at most

  static Bits as_bits(Words words) { return __builtin_bit_cast(Bits, words); }
  static typename TwoV::Bits as_bits(const TwoWords& words) { return {as_bits(words.a), as_bits(words.b)}; }

  // Lane l of the first register, then lane l of the second, in units of 64 bits: the order of the words.
  static void store_interleaved(const random::DrawPair<V>& pair, T* to) {
    const auto a = __builtin_bit_cast(Words, pair.first.value), b = __builtin_bit_cast(Words, pair.second.value);
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
  static void store_interleaved(const random::DrawPair<TwoV>& pair, T* to) {
    store_interleaved(random::DrawPair<V>{pair.first.a, pair.second.a}, to);
    store_interleaved(random::DrawPair<V>{pair.first.b, pair.second.b}, to + 2 * V::count);
  }

  // one(words of as many counters as fit, to, type of the numbers) for all counters of draws first ... first + size,
  // of which a register of counters makes `per_register`.
  template <int per_register, typename One>
  static void for_each_counter(const random::StreamName& name, std::uint64_t first, T* z, std::size_t size,
                               const One& one) {
    constexpr std::uint64_t lanes = bytes / 8, per_counter = per_register / lanes;
    std::size_t i = 0;
    if constexpr (side_by_side) {
      // First the words of several registers, then what is made of them: chains half as long.
      constexpr std::size_t batch = 8, step = std::size_t{2} * per_register;
      std::array<random::PhiloxWords<TwoWords>, batch> words;
      for (; i + batch * step <= size; i += batch * step) {
        for (std::size_t k = 0; k < batch; ++k) {
          const auto index = random::counters_from<Words>((first + i + k * step) / per_counter);
          words[k] = random::philox_words<TwoWords>(name, {index, index + lanes});
        }
        for (std::size_t k = 0; k < batch; ++k) one(words[k], z + i + k * step, TwoV());
      }
    }
    for (; i < size; i += per_register)
      one(random::philox_words(name, random::counters_from<Words>((first + i) / per_counter)), z + i, V());
  }

  // one(bits) makes one draw a lane.
  template <typename One>
  static void draw_singles(const random::StreamName& name, std::uint64_t first, T* z, std::size_t size,
                           const One& one) {
    for_each_counter<2 * V::count>(name, first, z, size, [&](const auto& words, T* to, auto type) {
      using Numbers = decltype(type);
      store_interleaved(random::DrawPair<Numbers>{one(as_bits(words.even), type), one(as_bits(words.odd), type)}, to);
    });
  }

  static void draw(random::Law law, random::StreamName name, std::uint64_t first, T* z, std::size_t size) {
    using Kind = random::LawKind;
    const T parameter = static_cast<T>(law.parameter);
    switch (law.kind) {
      case Kind::gaussian:
        return for_each_counter<2 * V::count>(name, first, z, size, [](const auto& words, T* to, auto type) {
          store_interleaved(random::normal_pair_steps<T, decltype(type)>(as_bits(words.even), as_bits(words.odd)), to);
        });
      case Kind::rademacher:
        return draw_singles(name, first, z, size,
                            [](auto bits, auto type) { return random::rademacher_steps<T, decltype(type)>(bits); });
      case Kind::uniform:
        return draw_singles(name, first, z, size,
                            [](auto bits, auto type) { return random::uniform_steps<T, decltype(type)>(bits); });
      case Kind::laplace:
        return draw_singles(name, first, z, size,
                            [](auto bits, auto type) { return random::laplace_steps<T, decltype(type)>(bits); });
      case Kind::sparse_three_point:
        return draw_singles(name, first, z, size, [parameter](auto bits, auto type) {
          return random::sparse_steps<T, decltype(type)>(bits, parameter);
        });
      case Kind::student_t:
        // Two words per draw: a counter gives half as many.
        return for_each_counter<V::count>(name, first, z, size, [parameter](const auto& words, T* to, auto type) {
          random::student_steps<T, decltype(type)>(as_bits(words.even), as_bits(words.odd), parameter).store(to);
        });
    }
  }

  static void weights(const T* x, T spread, T shift, T* a, std::size_t size) {
    for (std::size_t i = 0; i < size; i += W::count)
      elementary::exponential_steps<T>(W(spread) * W::load(x + i) - W(shift)).store(a + i);
  }

  // body(element, accumulators) for every register, column by column; row r of the accumulators goes to sums[r].
  template <int rows, typename Body>
  static void reduce(std::size_t size, T* sums, const Body& body) {
    for (int column = 0; column < columns<T>; column += W::count) {
      W rows_of[rows];
      for (int r = 0; r < rows; ++r) rows_of[r] = W::load(sums + r * columns<T> + column);
      for (auto i = static_cast<std::size_t>(column); i < size; i += columns<T>) body(i, rows_of);
      for (int r = 0; r < rows; ++r) rows_of[r].store(sums + r * columns<T> + column);
    }
  }

  static void perturbation(const NoisyWeights<T>& w, T* sums) {
    const W scale(w.scale), shift(w.shift);
    const auto add = [&](std::size_t i, W* row, W eta, W change) {
      const W a = W::load(w.a + i);
      const W moved = a * change;
      row[sum_aw] = row[sum_aw] + moved;
      row[sum_a2w] = fused(a, moved, row[sum_a2w]);
      row[sum_a2w2] = fused(moved, moved, row[sum_a2w2]);
      row[largest_eta] = larger(row[largest_eta], eta);
    };
    if (w.minus_one) {
      reduce<perturbation_rows>(w.size, sums, [&](std::size_t i, W* row) {
        const W eta = scale * W::load(w.z + i);
        add(i, row, eta, elementary::exponential_minus_one_steps<T>(eta - shift));
      });
    } else {
      reduce<perturbation_rows>(w.size, sums, [&](std::size_t i, W* row) {
        const W eta = scale * W::load(w.z + i);
        add(i, row, eta, elementary::exponential_steps<T>(eta - shift));
      });
    }
  }

  static W moved_weight(const NoisyWeights<T>& w, std::size_t i) {
    return W::load(w.a + i) * elementary::exponential_steps<T>(W(w.scale) * W::load(w.z + i) - W(w.shift));
  }

  static void top(const NoisyWeights<T>& w, T* sums) {
    reduce<top_rows>(w.size, sums, [&](std::size_t i, W* row) {
      const W b = moved_weight(w, i);
      row[second_b] = larger(row[second_b], if_less(row[largest_b], b, row[largest_b], b));
      row[largest_b] = larger(row[largest_b], b);
      row[sum_b] = row[sum_b] + b;
    });
  }

  static void secular(const NoisyWeights<T>& w, T second, T at, T* sums) {
    const W bound(second), point(at), zero(T(0)), one(T(1));
    reduce<secular_rows>(w.size, sums, [&](std::size_t i, W* row) {
      const W b = moved_weight(w, i);
      const W inverse = one / if_less(b, bound, point - b, one);
      const W term = if_less(b, bound, b * inverse, zero);
      row[pole_sum] = row[pole_sum] + term;
      row[pole_slope] = fused(term, inverse, row[pole_slope]);
      row[count_above] = row[count_above] + if_less(b, bound, zero, one);
    });
  }

  static void moments(const T* x, const T* y, std::size_t size, T* sums) {
    reduce<moment_rows>(size, sums, [&](std::size_t i, W* row) {
      const W a = W::load(x + i), b = W::load(y + i);
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

}  // namespace attest::streams
