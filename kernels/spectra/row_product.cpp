#include "kernels/spectra/row_product.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/parallel/blocks.hpp"
#include "kernels/simd/lanes.hpp"

namespace attest::spectra {
namespace {

using V = simd::Lanes<double, 32>;

// The dot products of R neighbouring rows, which share what is loaded of x; each row's sum has the same order for any
// R.
template <int R>
void dots(const double* a, const double* x, Eigen::Index n, double* y) {
  constexpr Eigen::Index step = Eigen::Index{2} * V::count;
  V sums[R][2];
  Eigen::Index j = 0;
  for (; j + step <= n; j += step) {
    const V left = V::load(x + j), right = V::load(x + j + V::count);
#pragma GCC unroll 8
    for (int r = 0; r < R; ++r) {
      sums[r][0] = fused(V::load(a + r * n + j), left, sums[r][0]);
      sums[r][1] = fused(V::load(a + r * n + j + V::count), right, sums[r][1]);
    }
  }
  for (int r = 0; r < R; ++r) {
    double lanes[V::count];
    (sums[r][0] + sums[r][1]).store(lanes);
    y[r] = (lanes[0] + lanes[2]) + (lanes[1] + lanes[3]);
    for (Eigen::Index k = j; k < n; ++k) y[r] = std::fma(a[r * n + k], x[k], y[r]);
  }
}

}  // namespace

void RowProduct::perform_op(const double* x, double* y) const {
  // Starting threads costs as much as some ten thousand products.
  constexpr Eigen::Index least_work = 1 << 18;
  const Eigen::Index n = rows_.rows();
  const Eigen::Index block = std::max<Eigen::Index>(1, least_work / std::max<Eigen::Index>(1, n));
  parallel::for_each_block((n + block - 1) / block, threads_, [&](std::int64_t b) {
    const Eigen::Index end = std::min(n, (b + 1) * block);
    Eigen::Index i = b * block;
    for (; i + 4 <= end; i += 4) dots<4>(rows_.data() + i * n, x, n, y + i);
    for (; i < end; ++i) dots<1>(rows_.data() + i * n, x, n, y + i);
  });
}

}  // namespace attest::spectra
