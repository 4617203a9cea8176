#include "simulations/models/operation_stages.hpp"

#include <algorithm>

namespace attest::models {

using at::Tensor;

Tensor wide(const Tensor& x) {
  return x.scalar_type() == at::kHalf || x.scalar_type() == at::kBFloat16 ? x.to(at::kFloat) : x;
}

Tensor beside(const Tensor& like, const std::vector<double>& numbers, at::IntArrayRef shape) {
  return at::tensor(numbers, at::kDouble)
      .view(shape)
      .to(like.device(), like.is_floating_point() ? like.scalar_type() : at::kDouble);
}

Tensor real_tokens(const Tensor& like, const std::vector<Index>& lengths, Index tokens) {
  if (lengths.empty()) return {};
  const Tensor length = at::tensor(lengths, at::kLong).view({-1, 1, 1, 1});
  return at::arange(tokens, at::kLong).view({1, 1, -1, 1}).lt(length).to(like.device(), like.scalar_type());
}

Tensor cut(const Tensor& x, const std::vector<Index>& lengths) {
  return lengths.empty() ? x : x * real_tokens(x, lengths, x.size(2));
}

Tensor average_pooled(const Tensor& x, Index factor, attention::Remainder remainder,
                      const std::vector<Index>& lengths) {
  const Index tokens = x.size(2), windows = attention::pooled_length(tokens, factor, remainder);
  const Index covered = std::min(tokens, windows * factor);
  const bool floor = remainder == attention::Remainder::floor;
  std::vector<double> shares;  // of each window's tokens in its mean
  const std::vector<Index> real = lengths.empty() ? std::vector<Index>{tokens} : lengths;
  for (const Index length : real)
    for (Index w = 0; w < windows; ++w) {
      const Index count = std::clamp<Index>(length - w * factor, 0, factor);
      shares.push_back(count == 0 || (floor && count < factor) ? 0 : 1 / static_cast<double>(count));
    }
  const Tensor kept =
      at::constant_pad_nd(wide(cut(x, lengths)).narrow(2, 0, covered), {0, 0, 0, windows * factor - covered});
  const Tensor sums = kept.reshape({x.size(0), x.size(1), windows, factor, x.size(3)}).sum(3);
  return (sums * beside(sums, shares, {static_cast<Index>(real.size()), 1, windows, 1})).to(x.scalar_type());
}

namespace {

/// Tokens that a mean over sequence b runs over, [B or 1][1][1][1], at least 1.
Tensor counts(const Tensor& like, const std::vector<Index>& lengths, Index tokens) {
  std::vector<double> all;
  for (const Index length : lengths.empty() ? std::vector<Index>{tokens} : lengths)
    all.push_back(static_cast<double>(std::max<Index>(1, length)));
  return beside(like, all, {-1, 1, 1, 1});
}

/// The same over the tokens 0..i, [B or 1][1][N][1].
Tensor prefix_counts(const Tensor& like, const std::vector<Index>& lengths, Index tokens) {
  std::vector<double> all;
  for (const Index length : lengths.empty() ? std::vector<Index>{tokens} : lengths)
    for (Index i = 0; i < tokens; ++i) all.push_back(static_cast<double>(std::max<Index>(1, std::min(i + 1, length))));
  return beside(like, all, {-1, 1, tokens, 1});
}

RecentredPair recentred_by_prefixes(const Tensor& q, const Tensor& k, const Tensor& beta, const Recentring& how) {
  const Tensor count = prefix_counts(k, how.key_lengths, k.size(2));
  // About a common point, which changes no variance, so that little cancels.
  const Tensor point = k.detach().mean(2, true);
  const Tensor away = cut(k - point, how.key_lengths);
  const Tensor mean_away = away.cumsum(2) / count;
  const Tensor any = how.key_lengths.empty()
                         ? at::ones({1, 1, 1, 1}, k.options())
                         : beside(k, {how.key_lengths.begin(), how.key_lengths.end()}, {-1, 1, 1, 1}).clamp_max(1);
  const Tensor centred = q - beta * (mean_away + point * any);
  if (!how.normalised) return {centred, k};
  const Tensor variance = ((away * away).cumsum(2) / count - mean_away * mean_away).clamp_min(0);
  return {centred / (variance + how.epsilon), k};
}

}  // namespace

RecentredPair recentred(const Tensor& queries, const Tensor& keys, const Tensor& weight, const Recentring& how) {
  const at::ScalarType type = how.normalised || how.prefix ? at::kDouble : wide(keys).scalar_type();
  const Tensor q = queries.to(type), k = keys.to(type), beta = weight.to(type);
  if (how.prefix) return recentred_by_prefixes(q, k, beta, how);
  const Tensor count = counts(k, how.key_lengths, k.size(2));
  const Tensor mean = cut(k, how.key_lengths).sum(2, true) / count;
  RecentredPair moved = {q - beta * mean, k - beta * mean};
  if (!how.normalised) return moved;
  const Tensor away = cut(k - mean, how.key_lengths);
  const Tensor inverse = ((away * away).sum(2, true) / count + how.epsilon).rsqrt();
  return {moved.q * inverse, moved.k * inverse};
}

Tensor convolved(const Tensor& x, const Tensor& kernel, const Grid& grid) {
  const Index rows = kernel.dim() == 3 ? kernel.size(1) : 1, columns = kernel.size(-1);
  const Index above = grid.causal ? rows - 1 : (rows - 1) / 2, before = grid.causal ? columns - 1 : (columns - 1) / 2;
  const Tensor taps = kernel.reshape({kernel.size(0), rows, columns});
  const Tensor body = wide(x)
                          .narrow(2, grid.first, grid.rows * grid.columns)
                          .reshape({x.size(0), x.size(1), grid.rows, grid.columns, x.size(3)});
  const Tensor padded = at::constant_pad_nd(body, {0, 0, before, columns - 1 - before, above, rows - 1 - above});
  Tensor sum;
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < columns; ++j) {
      const Tensor weight = taps.select(1, i).select(1, j).view({-1, 1, 1, 1});
      const Tensor one = weight * padded.narrow(2, i, grid.rows).narrow(3, j, grid.columns);
      sum = sum.defined() ? sum + one : one;
    }
  const Tensor tokens = sum.reshape({x.size(0), x.size(1), grid.rows * grid.columns, x.size(3)}).to(x.scalar_type());
  return grid.first == 0 ? tokens : at::cat({x.narrow(2, 0, grid.first), tokens}, 2);
}

Tensor segment_means(const Tensor& like, const std::vector<Index>& lengths, Index tokens, Index landmarks) {
  const std::vector<Index> real = lengths.empty() ? std::vector<Index>{tokens} : lengths;
  const Index rows = std::min(landmarks, tokens);
  std::vector<double> weights(real.size() * static_cast<std::size_t>(rows * tokens));
  for (std::size_t b = 0; b < real.size(); ++b) {
    const Index m = std::min(landmarks, real[b]);
    if (m == 0) continue;
    const Index size = real[b] / m, shorter = (size + 1) * m - real[b];
    Index next = 0;
    for (Index r = 0; r < m; ++r) {
      const Index members = r < shorter ? size : size + 1;
      const Index row = (static_cast<Index>(b) * rows + r) * tokens;
      std::fill_n(weights.begin() + row + next, members, 1 / static_cast<double>(members));
      next += members;
    }
  }
  return beside(like, weights, {static_cast<Index>(real.size()), 1, rows, tokens});
}

Tensor relevance_of(const Tensor& v, const Tensor& previous, const Relevance& how) {
  const Tensor change = cut((wide(v) - wide(previous)).abs(), how.lengths);
  const Tensor sums = how.prefix ? change.cumsum(2) : change.sum(2, true);
  Tensor divisor;
  switch (how.divisor) {
    case Relevance::max:
      divisor = std::get<0>(sums.max(3, true));
      break;
    case Relevance::mean:
      divisor = sums.mean(3, true);
      break;
    case Relevance::none:
      divisor =
          how.delta * (how.prefix ? prefix_counts(sums, how.lengths, v.size(2)) : counts(sums, how.lengths, v.size(2)));
      break;
  }
  // Where nothing changes every feature counts 1. The divisor is replaced there first: a quotient 0/0 that `where` then
  // leaves out would still have a gradient that is not a number.
  const Tensor nothing = std::get<0>(sums.max(3, true)).eq(0);
  return at::where(nothing, at::ones_like(sums), sums / at::where(nothing, at::ones_like(divisor), divisor));
}

}  // namespace attest::models
