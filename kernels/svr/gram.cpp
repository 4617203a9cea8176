#include "kernels/svr/gram.hpp"

#include <cmath>
#include <stdexcept>
#include <utility>

#include <fmt/core.h>

namespace attest::svr {
namespace {

void check_diagonal(std::span<const double> diagonal) {
  for (std::size_t i = 0; i < diagonal.size(); ++i) {
    if (!(std::isfinite(diagonal[i]) && diagonal[i] >= 0)) {
      throw std::invalid_argument(
          fmt::format("Gram: diagonal entry {} is {}; a kernel matrix needs finite values >= 0 there", i, diagonal[i]));
    }
  }
}

}  // namespace

Gram Gram::dense(std::size_t n, std::vector<double> entries) {
  if (entries.size() != n * n) {
    throw std::invalid_argument(
        fmt::format("Gram::dense: {} entries given for n = {}; n * n are needed", entries.size(), n));
  }
  Gram gram;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      const double lower = entries[i * n + j];
      if (!std::isfinite(lower) || lower != entries[j * n + i]) {
        throw std::invalid_argument(
            fmt::format("Gram::dense: entries ({0}, {1}) = {2} and ({1}, {0}) = {3} must be finite and equal", i, j,
                        lower, entries[j * n + i]));
      }
    }
    gram.diagonal_.push_back(entries[i * n + i]);
    gram.columns_.emplace_back(entries.begin() + static_cast<std::ptrdiff_t>(i * n),
                               entries.begin() + static_cast<std::ptrdiff_t>((i + 1) * n));
  }
  check_diagonal(gram.diagonal_);
  return gram;
}

Gram Gram::by_columns(std::vector<double> diagonal, ColumnFunction function, std::size_t kept_columns) {
  if (!function)
    throw std::invalid_argument("Gram::by_columns: the column function is empty; give one that fills a column");
  if (kept_columns < 2)
    throw std::invalid_argument(
        fmt::format("Gram::by_columns: {} columns may be kept; a solver needs 2 at once", kept_columns));
  check_diagonal(diagonal);
  Gram gram;
  gram.columns_.resize(diagonal.size());
  gram.last_use_.assign(diagonal.size(), 0);
  gram.diagonal_ = std::move(diagonal);
  gram.function_ = std::move(function);
  gram.kept_columns_ = kept_columns;
  return gram;
}

std::span<const double> Gram::column(std::size_t j) {
  auto& stored = columns_[j];
  if (function_) last_use_[j] = ++clock_;
  if (stored.empty() && !diagonal_.empty()) {
    if (stored_ == kept_columns_) {
      // Finding the column not used for longest costs less than computing the new one.
      std::size_t oldest = size();
      for (std::size_t i = 0; i < size(); ++i) {
        const bool older = oldest == size() || last_use_[i] < last_use_[oldest];
        if (!columns_[i].empty() && older) oldest = i;
      }
      stored = std::move(columns_[oldest]);
      columns_[oldest] = {};
    } else {
      stored.resize(size());
      ++stored_;
    }
    function_(j, stored);
  }
  return stored;
}

}  // namespace attest::svr
