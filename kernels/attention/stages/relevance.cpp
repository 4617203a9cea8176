#include "kernels/attention/stages/relevance.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "kernels/attention/real_tokens.hpp"

namespace attest::attention {
namespace {

/// Entry n of every feature's |v - v'| is added when token n is seen; `row(n, sums, count)` looks at the sums
/// afterwards.
template <typename T, typename Row>
void for_each_row(const Tensor<T>& v, const Tensor<T>& previous, const RelevanceOptions& options, Index b, Index h,
                  Row row) {
  const Index tokens = v.extent(2), dim = v.extent(3);
  const Index length = real_tokens(options.key_lengths, b, tokens);
  std::vector<double> sums(static_cast<std::size_t>(dim), 0.0);
  for (Index n = 0; n < tokens; ++n) {
    for (Index d = 0; d < dim && n < length; ++d)
      sums[static_cast<std::size_t>(d)] +=
          std::abs(static_cast<double>(v.at(b, h, n, d)) - static_cast<double>(previous.at(b, h, n, d)));
    if (options.prefix) row(n, sums, std::min(n + 1, length));
  }
  if (!options.prefix) row(0, sums, length);
}

/// What the sums are divided by.
double divisor(const std::vector<double>& sums, Index count, const RelevanceOptions& options) {
  if (options.normalisation == RelevanceOptions::max) return *std::max_element(sums.begin(), sums.end());
  if (options.normalisation == RelevanceOptions::none) return static_cast<double>(count) * options.delta;
  double total = 0;
  for (const double sum : sums) total += sum;
  return total / static_cast<double>(sums.size());
}

bool nothing_changes(const std::vector<double>& sums) {
  return std::all_of(sums.begin(), sums.end(), [](double sum) { return sum == 0; });
}

/// d(sums / divisor) -> d sums.
std::vector<double> through_divisor(const std::vector<double>& sums, Index count, const RelevanceOptions& options,
                                    const double* dm) {
  const std::size_t dim = sums.size();
  std::vector<double> result(dim, 0.0);
  if (nothing_changes(sums)) return result;
  const double by = divisor(sums, count, options);
  double d_by = 0;
  for (std::size_t d = 0; d < dim; ++d) {
    result[d] = dm[d] / by;
    d_by -= dm[d] * sums[d] / (by * by);
  }
  if (options.normalisation == RelevanceOptions::max)
    result[static_cast<std::size_t>(std::max_element(sums.begin(), sums.end()) - sums.begin())] += d_by;
  if (options.normalisation == RelevanceOptions::mean)
    for (double& entry : result) entry += d_by / static_cast<double>(dim);
  return result;
}

}  // namespace

template <typename T>
Tensor<double> relevance(const Tensor<T>& v, const Tensor<T>& previous, const RelevanceOptions& options) {
  if (!(options.delta > 0)) throw std::invalid_argument("relevance: delta must be above 0");
  Tensor<double> m({v.extent(0), v.extent(1), options.prefix ? v.extent(2) : 1, v.extent(3)});
  for (Index b = 0; b < v.extent(0); ++b)
    for (Index h = 0; h < v.extent(1); ++h)
      for_each_row(v, previous, options, b, h, [&](Index n, const std::vector<double>& sums, Index count) {
        const double by = nothing_changes(sums) ? 1 : divisor(sums, count, options);
        for (std::size_t d = 0; d < sums.size(); ++d)
          m.at(b, h, n, static_cast<Index>(d)) = nothing_changes(sums) ? 1 : sums[d] / by;
      });
  return m;
}

template <typename T>
Tensor<T> relevance_backward(const Tensor<T>& v, const Tensor<T>& previous, const RelevanceOptions& options,
                             const Tensor<double>& dm) {
  Tensor<T> dv(v.shape());
  const Index tokens = v.extent(2), dim = v.extent(3);
  for (Index b = 0; b < v.extent(0); ++b)
    for (Index h = 0; h < v.extent(1); ++h) {
      const Index length = real_tokens(options.key_lengths, b, tokens);
      Tensor<double> d_sums({1, 1, options.prefix ? tokens : 1, dim});
      for_each_row(v, previous, options, b, h, [&](Index n, const std::vector<double>& sums, Index count) {
        const auto row = through_divisor(sums, count, options, &dm.at(b, h, n, 0));
        std::copy(row.begin(), row.end(), &d_sums.at(0, 0, n, 0));
      });
      // Token n enters the sums of all rows, with `prefix` of the rows from n on: they are added up while n goes down.
      std::vector<double> total(static_cast<std::size_t>(dim), 0.0);
      for (Index n = tokens - 1; n >= 0; --n) {
        for (Index d = 0; d < dim; ++d) {
          double& sum = total[static_cast<std::size_t>(d)];
          if (options.prefix || n == tokens - 1) sum += d_sums.at(0, 0, options.prefix ? n : 0, d);
          const T change = v.at(b, h, n, d) - previous.at(b, h, n, d);
          const double sign = change > 0 ? 1 : change < 0 ? -1 : 0;
          if (n < length) dv.at(b, h, n, d) = static_cast<T>(sign * sum);
        }
      }
    }
  return dv;
}

#define ATTEST_INSTANTIATE(T)                                                                        \
  template Tensor<double> relevance(const Tensor<T>&, const Tensor<T>&, const RelevanceOptions&);    \
  template Tensor<T> relevance_backward(const Tensor<T>&, const Tensor<T>&, const RelevanceOptions&, \
                                        const Tensor<double>&);
ATTEST_INSTANTIATE(float)
ATTEST_INSTANTIATE(double)
#undef ATTEST_INSTANTIATE

}  // namespace attest::attention
