#include "kernels/attention/attend/key_range.hpp"

#include <algorithm>
#include <cmath>

namespace attest::attention {
namespace {

/// The packed sequence that query i belongs to, or all tokens: where its queries and keys start and end.
struct Segment {
  Index first_query, queries, first_key, keys;
};

Segment segment_of(const Mask& mask, Index i, Index queries, Index keys) {
  if (mask.query_starts.empty()) return {0, queries, 0, keys};
  const auto next = std::upper_bound(mask.query_starts.begin(), mask.query_starts.end(), i);
  const auto s = static_cast<std::size_t>(next - mask.query_starts.begin() - 1);
  return {mask.query_starts[s], mask.query_starts[s + 1] - mask.query_starts[s], mask.key_starts[s],
          mask.key_starts[s + 1] - mask.key_starts[s]};
}

}  // namespace

KeyRange key_range(const Mask& mask, Index b, Index i, Index queries, Index keys) {
  const Segment segment = segment_of(mask, i, queries, keys);
  const Index shift = mask.alignment == Alignment::bottom_right ? segment.keys - segment.queries : 0;
  KeyRange range{segment.first_key, segment.first_key + segment.keys,
                 segment.first_key + i - segment.first_query + shift};
  if (!mask.key_lengths.empty()) range.last = std::min(range.last, mask.key_lengths[static_cast<std::size_t>(b)]);
  if (mask.causal) range.last = std::min(range.last, range.diagonal + 1);
  // Compared by distances, because the sum of a position and a huge window would overflow.
  if (mask.window_left >= 0 && range.diagonal - range.first > mask.window_left)
    range.first = range.diagonal - mask.window_left;
  if (mask.window_right >= 0 && range.last - 1 - range.diagonal > mask.window_right)
    range.last = range.diagonal + mask.window_right + 1;
  return range;
}

bool is_shown(const Mask& mask, Index b, Index h, Index i, Index j, Index queries, Index keys) {
  if (mask.visible.empty()) return true;
  const Index sequence = mask.visible_sequences == 1 ? 0 : b, head = mask.visible_heads == 1 ? 0 : h;
  const Index entry = ((sequence * mask.visible_heads + head) * queries + i) * keys + j;
  return mask.visible[static_cast<std::size_t>(entry)] != 0;
}

Index bias_entry(const Shape& bias, Index b, Index h, Index i, Index j) {
  const std::size_t rank = bias.size();
  const Index queries = bias[rank - 2], keys = bias[rank - 1], heads = bias[rank - 3];
  const Index sequence = rank == 4 && bias[0] > 1 ? b : 0, head = heads > 1 ? h : 0;
  return ((sequence * heads + head) * queries + i) * keys + j;
}

template <typename T>
std::vector<std::uint8_t> hidden_keys(const Shape& q, const Shape& k, const AttendOptions<T>& options) {
  const Index batch = q[0], heads = q[1], queries = q[2], key_heads = k[1], keys = k[2];
  const Index group = heads / key_heads;
  const Tensor<T>& bias = options.bias.dense;
  std::vector<std::uint8_t> hidden(static_cast<std::size_t>(batch * key_heads * keys), 1);
  for (Index b = 0; b < batch; ++b)
    for (Index h = 0; h < heads; ++h)
      for (Index i = 0; i < queries; ++i) {
        const KeyRange range = key_range(options.mask, b, i, queries, keys);
        for (Index j = range.first; j < range.last; ++j) {
          if (!is_shown(options.mask, b, h, i, j, queries, keys)) continue;
          if (!bias.empty() && bias.data()[bias_entry(bias.shape(), b, h, i, j)] == -INFINITY) continue;
          hidden[static_cast<std::size_t>((b * key_heads + h / group) * keys + j)] = 0;
        }
      }
  return hidden;
}

template std::vector<std::uint8_t> hidden_keys(const Shape&, const Shape&, const AttendOptions<float>&);
template std::vector<std::uint8_t> hidden_keys(const Shape&, const Shape&, const AttendOptions<double>&);

}  // namespace attest::attention
