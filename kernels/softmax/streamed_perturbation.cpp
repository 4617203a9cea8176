#include "kernels/softmax/streamed_perturbation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "kernels/elementary/exponential.hpp"
#include "kernels/parallel/blocks.hpp"
#include "kernels/softmax/secular_root.hpp"
#include "kernels/statistics/compensated_sum.hpp"
#include "kernels/streams/chunks.hpp"

namespace attest::softmax {
namespace {

using streams::block_elements;
using streams::chunk_elements;
using streams::column_sum;

constexpr std::uint64_t largest_n = std::uint64_t{1} << 40;

// exp of it, squared and summed, is far from overflow.
template <typename T>
constexpr T largest_plain_eta = sizeof(T) == 4 ? T(35) : T(300);

template <typename T>
using Row = std::array<T, static_cast<std::size_t>(streams::columns<T>)>;

template <typename T>
double row_maximum(const T* row) {
  return static_cast<double>(*std::max_element(row, row + streams::columns<T>));
}

void require_finite(double scale) {
  if (!std::isfinite(scale))
    throw std::invalid_argument(fmt::format("StreamedPerturbation: the noise scale is {}, give a finite one", scale));
}

}  // namespace

template <typename T>
struct StreamedPerturbation<T>::Top {
  double largest = 0, second = 0, sum = 0;

  void merge(const Top& other) {
    second = std::max({second, other.second, std::min(largest, other.largest)});
    largest = std::max(largest, other.largest);
    sum += other.sum;
  }
};

template <typename T>
StreamedPerturbation<T>::StreamedPerturbation(std::span<const double> c)
    : n_(c.size()), operations_(streams::operations<T>().back()) {
  double largest = -HUGE_VAL;
  for (const double value : c) {
    if (std::isnan(value)) throw std::invalid_argument("StreamedPerturbation: a logit is NaN; give numbers");
    largest = std::max(largest, value);
  }
  if (!std::isfinite(largest))
    throw std::invalid_argument(
        fmt::format("StreamedPerturbation: the largest of {} logits is {}, give one that is finite", n_, largest));
  logit_shift_ = largest;
  weights_.assign((n_ + streams::columns<T> - 1) / streams::columns<T> * streams::columns<T>, T(0));
  for (std::size_t i = 0; i < n_; ++i) weights_[i] = elementary::exponential(static_cast<T>(c[i] - largest));
  find_totals(1);
}

template <typename T>
StreamedPerturbation<T>::StreamedPerturbation(std::uint64_t n, const streams::Noise& logits, unsigned threads)
    : n_(n), operations_(streams::operations<T>().back()), logits_(logits) {
  find_shift_and_totals(threads);
}

template <typename T>
StreamedPerturbation<T>::StreamedPerturbation(std::uint64_t n, const streams::Noise& logits,
                                              PerturbationBlocks elsewhere)
    : n_(n), operations_(streams::operations<T>().back()), logits_(logits), elsewhere_(std::move(elsewhere)) {
  if (sizeof(T) != sizeof(double))
    throw std::invalid_argument("StreamedPerturbation: sums made elsewhere are in double precision; use that");
  find_shift_and_totals(1);
}

template <typename T>
void StreamedPerturbation<T>::find_shift_and_totals(unsigned threads) {
  if (n_ == 0 || n_ > largest_n)
    throw std::invalid_argument(fmt::format("StreamedPerturbation: {} logits; give 1 to 2^40", n_));
  require_finite(logits_.scale);
  logit_shift_ = largest_logit(threads);
  find_totals(threads);
}

template <typename T>
double StreamedPerturbation<T>::largest_logit(unsigned threads) const {
  // The logits as the noise of equal weights.
  StreamedPerturbation equal = *this;
  equal.logits_.scale = equal.logit_shift_ = 0;
  return equal.sample_sums(logits_, 0, {}, threads).largest;
}

template <typename T>
std::uint64_t StreamedPerturbation<T>::blocks() const {
  return (n_ + block_elements - 1) / block_elements;
}

template <typename T>
void StreamedPerturbation<T>::for_each_chunk(const streams::Noise& noise, std::uint64_t sample, std::uint64_t block,
                                             Shift shift,
                                             const std::function<void(const streams::NoisyWeights<T>&)>& body) const {
  alignas(64) std::array<T, chunk_elements> z, a;
  // Drawn logits times 0 are equal: nothing to draw.
  const bool equal = weights_.empty() && logits_.scale == 0 && logit_shift_ == 0;
  const std::uint64_t end = std::min(n_, (block + 1) * block_elements);
  for (std::uint64_t first = block * block_elements; first < end; first += chunk_elements) {
    const std::uint64_t count = std::min(end - first, chunk_elements);
    const std::uint64_t padded = (count + streams::columns<T> - 1) / streams::columns<T> * streams::columns<T>;
    const T* weights = weights_.data() + first;
    if (weights_.empty()) {
      if (equal) {
        std::fill(a.begin(), a.begin() + count, T(1));
      } else {
        operations_->draw(logits_.law, {logits_.seed, logits_.key, 0}, first, a.data(), padded);
        operations_->weights(a.data(), static_cast<T>(logits_.scale), static_cast<T>(logit_shift_), a.data(), padded);
      }
      std::fill(a.begin() + count, a.begin() + padded, T(0));
      weights = a.data();
    }
    operations_->draw(noise.law, {noise.seed, noise.key, sample}, first, z.data(), padded);
    std::fill(z.begin() + count, z.begin() + padded, z[0]);
    body({weights, z.data(), padded, static_cast<T>(noise.scale), static_cast<T>(shift.taken_off), shift.minus_one});
  }
}

template <typename T>
typename StreamedPerturbation<T>::Sums StreamedPerturbation<T>::block_sums(const streams::Noise& noise,
                                                                           std::uint64_t sample, std::uint64_t block,
                                                                           Shift shift) const {
  Sums total;
  for_each_chunk(noise, sample, block, shift, [&](const streams::NoisyWeights<T>& chunk) {
    std::array<Row<T>, streams::perturbation_rows> rows{};
    rows[streams::largest_eta].fill(-std::numeric_limits<T>::infinity());
    operations_->perturbation(chunk, rows[0].data());
    total.aw += column_sum(rows[streams::sum_aw].data());
    total.a2w += column_sum(rows[streams::sum_a2w].data());
    total.a2w2 += column_sum(rows[streams::sum_a2w2].data());
    total.largest = std::max(total.largest, row_maximum(rows[streams::largest_eta].data()));
  });
  return total;
}

template <typename T>
typename StreamedPerturbation<T>::Sums StreamedPerturbation<T>::combined(std::span<const Sums> parts) {
  statistics::CompensatedSum aw, a2w, a2w2;
  Sums total;
  for (const Sums& part : parts) {
    aw.add(part.aw);
    a2w.add(part.a2w);
    a2w2.add(part.a2w2);
    total.largest = std::max(total.largest, part.largest);
  }
  return {aw.value(), a2w.value(), a2w2.value(), total.largest};
}

template <typename T>
typename StreamedPerturbation<T>::Sums StreamedPerturbation<T>::sample_sums(const streams::Noise& noise,
                                                                            std::uint64_t sample, Shift shift,
                                                                            unsigned threads) const {
  if (elsewhere_.sums)
    return combined(elsewhere_.sums({n_, logits_, logit_shift_, noise, shift.taken_off, shift.minus_one}, sample, 1));
  std::vector<Sums> parts(blocks());
  parallel::for_each_block(static_cast<std::int64_t>(parts.size()), threads, [&](std::int64_t block) {
    parts[static_cast<std::size_t>(block)] = block_sums(noise, sample, static_cast<std::uint64_t>(block), shift);
  });
  return combined(parts);
}

template <typename T>
void StreamedPerturbation<T>::find_totals(unsigned threads) {
  std::vector<WeightSums> parts;
  if (elsewhere_.weights) {
    parts = elsewhere_.weights(n_, logits_, logit_shift_);
  } else {
    parts.resize(blocks());
    parallel::for_each_block(static_cast<std::int64_t>(parts.size()), threads, [&](std::int64_t block) {
      WeightSums& part = parts[static_cast<std::size_t>(block)];
      for_each_chunk({random::Law::rademacher()}, 0, static_cast<std::uint64_t>(block), {},
                     [&](const streams::NoisyWeights<T>& chunk) {
                       std::array<Row<T>, streams::moment_rows> rows{};
                       operations_->moments(chunk.a, chunk.a, chunk.size, rows[0].data());
                       part.sum += column_sum(rows[streams::sum_x].data());
                       part.squares += column_sum(rows[streams::sum_xx].data());
                     });
    });
  }
  statistics::CompensatedSum sum, squares;
  for (const WeightSums& part : parts) {
    sum.add(part.sum);
    squares.add(part.squares);
  }
  total_ = sum.value();
  total2_ = squares.value();
}

template <typename T>
double StreamedPerturbation<T>::norm(const streams::Noise& noise, std::uint64_t sample, const Sums& sums,
                                     unsigned threads) const {
  struct Result {
    double mean, squares;
  };
  const auto from = [&](const Sums& s) {
    const double mean = s.aw / total_;
    return Result{mean, s.a2w2 - 2 * mean * s.a2w + mean * mean * total2_};
  };
  Sums used = sums;
  Shift shift;
  Result result = from(used);
  if (!(used.largest <= largest_plain_eta<T>) || !(result.mean > -0.75)) {
    shift = {static_cast<double>(static_cast<T>(used.largest)), false};
    used = sample_sums(noise, sample, shift, threads);
    result = from(used);
  }
  // With the mean growth taken off the mean of w is 0 up to rounding, and nothing is left to cancel.
  if (!(result.squares > 0.05 * used.a2w2)) {
    shift = {shift.taken_off + std::log(shift.minus_one ? 1 + result.mean : result.mean), true};
    result = from(sample_sums(noise, sample, shift, threads));
  }
  return std::sqrt(std::max(result.squares, 0.0)) / (total_ * (shift.minus_one ? 1 + result.mean : result.mean));
}

template <typename T>
void StreamedPerturbation<T>::norms(const streams::Noise& noise, std::uint64_t first_sample, std::span<double> norms,
                                    unsigned threads) const {
  require_finite(noise.scale);
  // Small samples are handed to the threads several at a time, and sums are kept of at most this many blocks.
  constexpr std::uint64_t elements_per_task = 1 << 16;
  const std::uint64_t most_parts = elsewhere_.sums ? 1 << 20 : 1 << 16;
  const std::uint64_t blocks_each = blocks();
  const std::uint64_t batch = std::max<std::uint64_t>(1, most_parts / blocks_each);
  const std::uint64_t task_parts = std::max<std::uint64_t>(1, elements_per_task / std::min(n_, block_elements));
  std::vector<Sums> parts;
  for (std::uint64_t done = 0; done < norms.size(); done += batch) {
    const std::uint64_t samples = std::min<std::uint64_t>(batch, norms.size() - done);
    if (elsewhere_.sums) {
      parts = elsewhere_.sums({n_, logits_, logit_shift_, noise}, first_sample + done, samples);
    } else {
      parts.assign(samples * blocks_each, {});
      const std::uint64_t tasks = (parts.size() + task_parts - 1) / task_parts;
      parallel::for_each_block(static_cast<std::int64_t>(tasks), threads, [&](std::int64_t task) {
        const std::uint64_t begin = static_cast<std::uint64_t>(task) * task_parts;
        for (std::uint64_t i = begin; i < std::min<std::uint64_t>(begin + task_parts, parts.size()); ++i)
          parts[i] = block_sums(noise, first_sample + done + i / blocks_each, i % blocks_each, {});
      });
    }
    for (std::uint64_t k = 0; k < samples; ++k)
      norms[done + k] = norm(noise, first_sample + done + k,
                             combined(std::span(parts).subspan(k * blocks_each, blocks_each)), threads);
  }
}

template <typename T>
streams::PerturbationMeans StreamedPerturbation<T>::means(const streams::Noise& noise, std::uint64_t sample,
                                                          unsigned threads) const {
  require_finite(noise.scale);
  const Sums sums = sample_sums(noise, sample, {}, threads);
  const double once = std::exp(logit_shift_) / static_cast<double>(n_), twice = once * std::exp(logit_shift_);
  return {norm(noise, sample, sums, threads),
          once * total_,
          twice * total2_,
          once * sums.aw,
          twice * sums.a2w,
          twice * sums.a2w2};
}

template <typename T>
std::pair<typename StreamedPerturbation<T>::Top, double> StreamedPerturbation<T>::top_and_sum(
    const streams::Noise& noise, std::uint64_t sample, Shift shift, unsigned threads) const {
  std::vector<Top> tops(blocks());
  parallel::for_each_block(static_cast<std::int64_t>(tops.size()), threads, [&](std::int64_t block) {
    Top& top = tops[static_cast<std::size_t>(block)];
    for_each_chunk(noise, sample, static_cast<std::uint64_t>(block), shift, [&](const streams::NoisyWeights<T>& chunk) {
      std::array<Row<T>, streams::top_rows> rows{};
      operations_->top(chunk, rows[0].data());
      const double sum = column_sum(rows[streams::sum_b].data());
      for (std::size_t i = 0; i < rows[0].size(); ++i)
        top.merge(
            {static_cast<double>(rows[streams::largest_b][i]), static_cast<double>(rows[streams::second_b][i]), 0});
      top.merge({0, 0, sum});
    });
  });
  Top top;
  statistics::CompensatedSum sum;
  for (const Top& part : tops) {
    top.merge(part);
    sum.add(part.sum);
  }
  return {top, sum.value()};
}

template <typename T>
double StreamedPerturbation<T>::largest_share(const streams::Noise& noise, std::uint64_t sample,
                                              unsigned threads) const {
  require_finite(noise.scale);
  const Shift shift{sample_sums(noise, sample, {}, threads).largest, false};
  const auto [top, sum] = top_and_sum(noise, sample, shift, threads);
  return top.largest / sum;
}

template <typename T>
double StreamedPerturbation<T>::jacobian_norm(const streams::Noise& noise, std::uint64_t sample,
                                              unsigned threads) const {
  require_finite(noise.scale);
  // The eigenvalue depends on the ratios of the b alone.
  const Shift shift{sample_sums(noise, sample, {}, threads).largest, false};
  const std::pair<Top, double> found = top_and_sum(noise, sample, shift, threads);
  const Top& top = found.first;
  std::vector<SecularTerms> terms(blocks());
  const auto pass = [&](double at) {
    parallel::for_each_block(static_cast<std::int64_t>(terms.size()), threads, [&](std::int64_t block) {
      SecularTerms& term = terms[static_cast<std::size_t>(block)];
      term = {};
      for_each_chunk(noise, sample, static_cast<std::uint64_t>(block), shift,
                     [&](const streams::NoisyWeights<T>& chunk) {
                       std::array<Row<T>, streams::secular_rows> rows{};
                       operations_->secular(chunk, static_cast<T>(top.second), static_cast<T>(at), rows[0].data());
                       term.rest += column_sum(rows[streams::pole_sum].data());
                       term.slope += column_sum(rows[streams::pole_slope].data());
                       term.above += column_sum(rows[streams::count_above].data());
                     });
    });
    statistics::CompensatedSum rest, slope, above;
    for (const SecularTerms& term : terms) {
      rest.add(term.rest);
      slope.add(term.slope);
      above.add(term.above);
    }
    return SecularTerms{rest.value(), slope.value(), above.value()};
  };
  constexpr double tolerance = sizeof(T) == 4 ? 1e-6 : 1e-14;
  return secular_root(top.largest, top.second, found.second, tolerance, pass) / found.second;
}

template class StreamedPerturbation<float>;
template class StreamedPerturbation<double>;

}  // namespace attest::softmax
