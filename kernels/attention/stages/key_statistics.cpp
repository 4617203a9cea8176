#include "kernels/attention/stages/key_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "kernels/simd/paired.hpp"

namespace attest::attention {
namespace {

// Sums run along the tokens, one per feature, so that features are independent: those of two registers stay there while
// the rows go by.
using Lane = simd::Lanes<double, 32>;
using Features = simd::Paired<Lane>;
using Narrow [[gnu::vector_size(16)]] = float;

/// Numbers from x on, in double; V is Features or double.
template <typename V, typename T>
V load_as(const T* x) {
  if constexpr (std::is_same_v<V, Features>) {
    return {load_as<Lane>(x), load_as<Lane>(x + Lane::count)};
  } else if constexpr (std::is_same_v<V, double>) {
    return static_cast<double>(*x);
  } else if constexpr (std::is_same_v<T, double>) {
    return V::load(x);
  } else {
    Narrow narrow;
    std::memcpy(&narrow, x, sizeof narrow);
    return V::of(__builtin_convertvector(narrow, typename V::Register));
  }
}
template <typename V, typename T>
void store_as(V value, T* to) {
  if constexpr (std::is_same_v<V, Features>) {
    store_as(value.a, to);
    store_as(value.b, to + Lane::count);
  } else if constexpr (std::is_same_v<V, double>) {
    *to = static_cast<T>(value);
  } else if constexpr (std::is_same_v<T, double>) {
    value.store(to);
  } else {
    const Narrow narrow = __builtin_convertvector(value.value, Narrow);
    std::memcpy(to, &narrow, sizeof narrow);
  }
}

/// Rows that stay in the first cache while their features go by.
constexpr Index rows_at_once = 64;

/// use(V, d, first, end) for rows first .. end - 1 and features from d on, as many as V has: for each feature all rows
/// in order.
template <typename Use>
void for_features(Index rows, Index dim, const Use& use) {
  for (Index first = 0; first < rows; first += rows_at_once) {
    const Index end = std::min(first + rows_at_once, rows);
    Index d = 0;
    for (; d + Features::count <= dim; d += Features::count) use(Features(), d, first, end);
    for (; d < dim; ++d) use(double{}, d, first, end);
  }
}

}  // namespace

void fill_inverse_deviations(const double* sums_of_squares, Index dim, Index count, const RecentreOptions& options,
                             double* inverse) {
  const auto n = static_cast<double>(std::max<Index>(count, 1));
  for (Index d = 0; d < dim; ++d)
    inverse[d] = options.normalised ? 1 / std::sqrt(sums_of_squares[d] / n + options.epsilon) : 1;
}

template <typename T>
KeyStatistics::KeyStatistics(const T* keys, Index length, Index dim, double beta, const RecentreOptions& options)
    : mean(static_cast<std::size_t>(dim)), inverse(mean.size()), shift(mean.size()) {
  Row squares(mean.size());
  for_features(length, dim, [&]<typename V>(V, Index d, Index first, Index end) {
    V sum = load_as<V>(mean.data() + d);
    for (Index j = first; j < end; ++j) sum = sum + load_as<V>(keys + j * dim + d);
    store_as(sum, mean.data() + d);
  });
  for (std::size_t d = 0; d < mean.size(); ++d) {
    mean[d] /= static_cast<double>(std::max<Index>(length, 1));
    shift[d] = beta * mean[d];
  }
  for_features(length, dim, [&]<typename V>(V, Index d, Index first, Index end) {
    const V centre = load_as<V>(mean.data() + d);
    V sum = load_as<V>(squares.data() + d);
    for (Index j = first; j < end; ++j) {
      const V deviation = load_as<V>(keys + j * dim + d) - centre;
      sum = sum + deviation * deviation;
    }
    store_as(sum, squares.data() + d);
  });
  fill_inverse_deviations(squares.data(), dim, length, options, inverse.data());
}

template <typename T, typename To>
void scale_rows(const T* x, Index x_row, Index rows, Index dim, const double* shift, const double* inverse, To* to,
                Index to_row) {
  for_features(rows, dim, [&]<typename V>(V, Index d, Index first, Index end) {
    const V less = load_as<V>(shift + d), factor = load_as<V>(inverse + d);
    for (Index i = first; i < end; ++i) store_as((load_as<V>(x + i * x_row + d) - less) * factor, to + i * to_row + d);
  });
}

template <typename T, typename G>
void StatisticsGradients::add(const T* x, const G* gradients, Index gradient_row, Index rows,
                              const KeyStatistics& statistics) {
  const auto dim = static_cast<Index>(of_shift.size());
  for_features(rows, dim, [&]<typename V>(V, Index d, Index first, Index end) {
    const V less = load_as<V>(statistics.shift.data() + d), factor = load_as<V>(statistics.inverse.data() + d);
    V d_shift = load_as<V>(of_shift.data() + d), d_inverse = load_as<V>(of_inverse.data() + d);
    for (Index i = first; i < end; ++i) {
      const V in = load_as<V>(gradients + i * gradient_row + d);
      d_shift = d_shift - in * factor;
      d_inverse = d_inverse + in * (load_as<V>(x + i * dim + d) - less);
    }
    store_as(d_shift, of_shift.data() + d);
    store_as(d_inverse, of_inverse.data() + d);
  });
}

void StatisticsGradients::finish(const KeyStatistics& statistics, double beta, Index length, bool normalised) {
  of_beta.resize(of_shift.size());
  through_mean.resize(of_shift.size());
  through_key.resize(of_shift.size());
  const double n = static_cast<double>(std::max<Index>(length, 1));
  for (std::size_t d = 0; d < of_shift.size(); ++d) {
    const double inverse = statistics.inverse[d];
    of_beta[d] = of_shift[d] * statistics.mean[d];
    through_mean[d] = beta * of_shift[d] / n;
    through_key[d] = normalised ? -of_inverse[d] * inverse * inverse * inverse / n : 0;
  }
}

template <typename T, typename G>
void StatisticsGradients::write_keys(const T* keys, const G* gradients, Index gradient_row, Index rows,
                                     const KeyStatistics& statistics, T* to) const {
  const auto dim = static_cast<Index>(of_shift.size());
  for_features(rows, dim, [&]<typename V>(V, Index d, Index first, Index end) {
    const V centre = load_as<V>(statistics.mean.data() + d), factor = load_as<V>(statistics.inverse.data() + d),
            of_mean = load_as<V>(through_mean.data() + d), of_key = load_as<V>(through_key.data() + d);
    for (Index j = first; j < end; ++j) {
      const V in = load_as<V>(gradients + j * gradient_row + d);
      store_as(in * factor + (of_mean + of_key * (load_as<V>(keys + j * dim + d) - centre)), to + j * dim + d);
    }
  });
}

#define ATTEST_INSTANTIATE(T, G)                                                                  \
  template void StatisticsGradients::add(const T*, const G*, Index, Index, const KeyStatistics&); \
  template void StatisticsGradients::write_keys(const T*, const G*, Index, Index, const KeyStatistics&, T*) const;
ATTEST_INSTANTIATE(float, float)
ATTEST_INSTANTIATE(float, double)
ATTEST_INSTANTIATE(double, double)
#undef ATTEST_INSTANTIATE
#define ATTEST_INSTANTIATE(T, To) \
  template void scale_rows(const T*, Index, Index, Index, const double*, const double*, To*, Index);
ATTEST_INSTANTIATE(float, float)
ATTEST_INSTANTIATE(float, double)
ATTEST_INSTANTIATE(double, float)
ATTEST_INSTANTIATE(double, double)
#undef ATTEST_INSTANTIATE
template KeyStatistics::KeyStatistics(const float*, Index, Index, double, const RecentreOptions&);
template KeyStatistics::KeyStatistics(const double*, Index, Index, double, const RecentreOptions&);

}  // namespace attest::attention
