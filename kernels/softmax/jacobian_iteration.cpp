#include "kernels/softmax/jacobian_iteration.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "kernels/elementary/exponential.hpp"
#include "kernels/parallel/fold_blocks.hpp"
#include "kernels/random/stream.hpp"
#include "kernels/simd/lanes.hpp"
#include "kernels/statistics/compensated_sum.hpp"
#include "kernels/streams/chunks.hpp"

namespace attest::softmax {
namespace {

using V = simd::Lanes<double, 32>;
constexpr std::size_t width = static_cast<std::size_t>(streams::columns<double>), registers = width / V::count;
constexpr std::int64_t kept_blocks = 128;
using Chunk = std::array<double, streams::chunk_elements>;

/// Calls body(first, count) for the chunks of a block.
template <typename Body>
void for_each_chunk(std::uint64_t n, std::int64_t block, const Body& body) {
  const std::uint64_t begin = static_cast<std::uint64_t>(block) * streams::block_elements;
  const std::uint64_t end = std::min(n, begin + streams::block_elements);
  for (std::uint64_t first = begin; first < end; first += streams::chunk_elements)
    body(first, std::min(end - first, streams::chunk_elements));
}

std::int64_t blocks_of(std::uint64_t n) {
  return static_cast<std::int64_t>((n + streams::block_elements - 1) / streams::block_elements);
}

/// Weights that are kept.
struct KeptWeights {
  std::span<const double> p;
  const double* chunk(std::uint64_t first, std::uint64_t count, Chunk& room) const {
    if (count % width == 0) return p.data() + first;
    std::copy_n(p.data() + first, count, room.begin());
    std::fill(room.begin() + static_cast<std::ptrdiff_t>(count), room.end(), 0.0);
    return room.data();
  }
};

/// Weights exp(scale X_i - shift) drawn anew whenever they are needed.
struct DrawnWeights {
  streams::Noise logits;
  std::uint64_t sample;
  double shift;
  const streams::Operations<double>& operations = *streams::operations<double>().back();

  void draw(std::uint64_t first, std::uint64_t padded, Chunk& room) const {
    operations.draw(logits.law, {logits.seed, logits.key, sample}, first, room.data(), padded);
  }
  const double* chunk(std::uint64_t first, std::uint64_t count, Chunk& room) const {
    const std::uint64_t padded = (count + width - 1) / width * width;
    draw(first, padded, room);
    operations.weights(room.data(), logits.scale, shift, room.data(), padded);
    std::fill(room.begin() + static_cast<std::ptrdiff_t>(count), room.begin() + static_cast<std::ptrdiff_t>(padded), 0);
    return room.data();
  }
};

/// Over all elements, b the weights, v before and w after a step: sums of b, b w, w^2 and v w.
struct Sums {
  double b = 0, bw = 0, ww = 0, vw = 0;
};

/// w_i = v_i, or b_i (v_i - mean) factor where `product` is set, in place.
struct Step {
  bool product = false;
  double mean = 0, factor = 0;
};

Sums chunk_sums(const double* b, double* v, std::uint64_t padded, const Step& step) {
  const V mean(step.mean), factor(step.factor);
  std::array<std::array<V, registers>, 4> rows{};
  for (std::uint64_t i = 0; i < padded; i += width) {
    for (std::size_t r = 0; r < registers; ++r) {
      const V weight = V::load(b + i + r * V::count), before = V::load(v + i + r * V::count);
      const V after = step.product ? (weight * factor) * (before - mean) : before;
      after.store(v + i + r * V::count);
      rows[0][r] = rows[0][r] + weight;
      rows[1][r] = fused(weight, after, rows[1][r]);
      rows[2][r] = fused(after, after, rows[2][r]);
      rows[3][r] = fused(before, after, rows[3][r]);
    }
  }
  std::array<double, 4> sums{};
  for (std::size_t row = 0; row < sums.size(); ++row) {
    std::array<double, width> values;
    for (std::size_t r = 0; r < registers; ++r) rows[row][r].store(values.data() + r * V::count);
    sums[row] = streams::column_sum(values.data());
  }
  return {sums[0], sums[1], sums[2], sums[3]};
}

template <typename Weights>
Sums pass(const Weights& weights, std::span<double> v, const Step& step, unsigned threads) {
  statistics::CompensatedSum b, bw, ww, vw;
  parallel::fold_blocks<Sums>(
      blocks_of(v.size()), threads, kept_blocks,
      [&](std::int64_t block) {
        Sums total;
        for_each_chunk(v.size(), block, [&](std::uint64_t first, std::uint64_t count) {
          alignas(64) Chunk room, last;
          double* to = v.data() + first;
          if (count % width != 0) {
            std::copy_n(v.data() + first, count, last.begin());
            std::fill(last.begin() + static_cast<std::ptrdiff_t>(count), last.end(), 0.0);
            to = last.data();
          }
          const Sums part =
              chunk_sums(weights.chunk(first, count, room), to, (count + width - 1) / width * width, step);
          if (to == last.data()) std::copy_n(last.begin(), count, v.data() + first);
          total = {total.b + part.b, total.bw + part.bw, total.ww + part.ww, total.vw + part.vw};
        });
        return total;
      },
      [&](const Sums& part) {
        b.add(part.b);
        bw.add(part.bw);
        ww.add(part.ww);
        vw.add(part.vw);
      });
  return {b.value(), bw.value(), ww.value(), vw.value()};
}

template <typename Weights>
PowerIteration iterate(const Weights& weights, std::span<double> v, const PowerOptions& options) {
  Sums sums = pass(weights, v, {}, options.threads);
  const double total = sums.b;
  if (!(total > 0 && std::isfinite(total)))
    throw std::invalid_argument(
        fmt::format("jacobian_power_iteration: the weights' sum is {}, give positive ones", total));
  PowerIteration found;
  for (; found.steps < options.most_steps && sums.ww > 0; ++found.steps) {
    // v as stored is s times a unit vector; the product is taken of that one.
    const double s = std::sqrt(sums.ww);
    sums = pass(weights, v, {true, sums.bw / total, 1 / (total * s)}, options.threads);
    found.norm = sums.vw / s;
    found.residual = std::sqrt(std::max(sums.ww - found.norm * found.norm, 0.0));
    if (found.residual <= options.tolerance * found.norm) return {found.norm, found.residual, found.steps + 1};
  }
  return found;
}

void check(std::size_t weights, std::size_t vector) {
  if (vector == 0 || weights != vector)
    throw std::invalid_argument(
        fmt::format("jacobian_power_iteration: {} weights and a vector of {}; give as many", weights, vector));
}

/// The largest of scale X_i.
double largest_logit(const DrawnWeights& weights, std::uint64_t n, unsigned threads) {
  double largest = -HUGE_VAL;
  parallel::fold_blocks<double>(
      blocks_of(n), threads, kept_blocks,
      [&](std::int64_t block) {
        double top = -HUGE_VAL;
        for_each_chunk(n, block, [&](std::uint64_t first, std::uint64_t count) {
          alignas(64) Chunk room;
          weights.draw(first, (count + width - 1) / width * width, room);
          for (std::uint64_t i = 0; i < count; ++i) top = std::max(top, weights.logits.scale * room[i]);
        });
        return top;
      },
      [&](double top) { largest = std::max(largest, top); });
  return largest;
}

}  // namespace

PowerIteration jacobian_power_iteration(std::span<const double> p, std::span<double> v, const PowerOptions& options) {
  check(p.size(), v.size());
  return iterate(KeptWeights{p}, v, options);
}

PowerIteration jacobian_power_iteration(const streams::Noise& logits, std::uint64_t sample, std::span<double> v,
                                        const PowerOptions& options) {
  check(v.size(), v.size());
  DrawnWeights weights{logits, sample, 0};
  weights.shift = largest_logit(weights, v.size(), options.threads);
  return iterate(weights, v, options);
}

namespace {

/// A point of the search: its logits, softmax weights, and the eigenvector to begin the next one with.
struct SearchPoint {
  std::vector<double> c, p, v;
  double norm = 0;

  void evaluate(unsigned threads) {
    const double largest = *std::max_element(c.begin(), c.end());
    for (std::size_t i = 0; i < c.size(); ++i) p[i] = elementary::exponential(c[i] - largest);
    norm = jacobian_power_iteration(p, v, {1e-7, 60, threads}).norm;
  }

  /// (v_k - m)^2/norm - 1 for the unit vector.
  std::vector<double> direction() const {
    double total = 0, mean = 0, variance = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
      total += p[i];
      mean += p[i] * v[i];
    }
    mean /= total;
    for (std::size_t i = 0; i < p.size(); ++i) variance += p[i] / total * (v[i] - mean) * (v[i] - mean);
    std::vector<double> g(p.size());
    if (!(variance > 0)) return g;
    for (std::size_t i = 0; i < p.size(); ++i) g[i] = (v[i] - mean) * (v[i] - mean) / variance - 1;
    return g;
  }
};

}  // namespace

LipschitzSearch search_lipschitz(std::span<double> c, std::uint64_t seed, int most_ascents, unsigned threads) {
  SearchPoint at{{c.begin(), c.end()}, std::vector<double>(c.size()), std::vector<double>(c.size())};
  check(c.size(), c.size());
  random::Stream stream(seed, random::stream_key("search_lipschitz"), 0);
  for (double& x : at.v) x = stream.normal();
  at.evaluate(threads);
  LipschitzSearch found;
  found.start = at.norm;
  constexpr double least_move = 1e-6, largest_move = 16, least_gain = 1e-12;
  double move = 1;  // the largest change of a logit
  while (found.ascents < most_ascents && move >= least_move) {
    const std::vector<double> g = at.direction();
    double steepest = 0;
    for (const double x : g) steepest = std::max(steepest, std::fabs(x));
    if (!(steepest > 0)) break;
    SearchPoint next = at;
    for (std::size_t i = 0; i < g.size(); ++i) next.c[i] += move / steepest * g[i];
    next.evaluate(threads);
    ++found.ascents;
    if (!(next.norm >= at.norm)) {
      move /= 2;
      continue;
    }
    const double gain = next.norm - at.norm;
    at = std::move(next);
    if (gain <= least_gain * at.norm) break;
    move = std::min(2 * move, largest_move);
  }
  found.norm = at.norm;
  std::copy(at.c.begin(), at.c.end(), c.begin());
  double total = 0;
  for (const double x : at.p) total += x;
  std::partial_sort(at.p.begin(), at.p.begin() + std::min<std::ptrdiff_t>(2, std::ssize(at.p)), at.p.end(),
                    std::greater<>());
  for (std::size_t i = 0; i < std::min<std::size_t>(2, at.p.size()); ++i) found.top.push_back(at.p[i] / total);
  return found;
}

}  // namespace attest::softmax
