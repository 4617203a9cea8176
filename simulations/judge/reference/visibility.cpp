#include "simulations/judge/reference/visibility.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attest::judge {
namespace {

/// Number of the sequence that each of `count` tokens belongs to.
std::vector<Index> sequence_of(const std::vector<Index>& bounds, Index count) {
  std::vector<Index> result(static_cast<std::size_t>(count), 0);
  for (Index n = 0; n < count; ++n) {
    Index sequence = 0;
    while (sequence + 1 < static_cast<Index>(bounds.size()) - 1 && n >= bounds[static_cast<std::size_t>(sequence + 1)])
      ++sequence;
    result[static_cast<std::size_t>(n)] = sequence;
  }
  return result;
}

std::vector<Index> moved(std::vector<Index> bounds, Index by) {
  for (std::size_t n = 1; n + 1 < bounds.size(); ++n) bounds[n] += by;
  return bounds;
}

}  // namespace

Visibility::Visibility(const Problem& problem, const Semantics& semantics) : problem_(problem), semantics_(semantics) {
  using Packed = Semantics::Packed;
  std::vector<Index> q_bounds = {0, problem.queries}, k_bounds = {0, problem.keys};
  if (!problem.q_bounds.empty() && semantics.packed != Packed::ignored) {
    q_bounds = problem.q_bounds, k_bounds = problem.k_bounds;
    if (semantics.packed == Packed::keys_by_query_bounds) k_bounds = q_bounds, k_bounds.back() = problem.keys;
    if (semantics.packed == Packed::one_late) k_bounds = moved(k_bounds, 1);
    if (semantics.packed == Packed::one_early) k_bounds = moved(k_bounds, -1);
  }
  query_sequence_ = sequence_of(q_bounds, problem.queries);
  key_sequence_ = sequence_of(k_bounds, problem.keys);
  using Diagonal = Semantics::Diagonal;
  const bool right = (problem.corner == Corner::bottom_right) != (semantics.diagonal == Diagonal::other_corner);
  for (Index i = 0; i < problem.queries; ++i) {
    const std::size_t s = at(query_sequence_[at(i)]);
    const Index local = i - q_bounds[s], keys = k_bounds[s + 1] - k_bounds[s];
    Index shift = keys - (q_bounds[s + 1] - q_bounds[s]);
    if (semantics.diagonal == Diagonal::not_before_first_key) shift = std::max<Index>(shift, 0);
    query_position_.push_back(local + (right ? shift : 0));
    other_position_.push_back(local + (right ? 0 : shift));
    whole_position_.push_back(i + (right ? problem.keys - problem.queries : 0));
    last_key_.push_back(keys - 1);
  }
  using Alibi = Semantics::Alibi;
  alibi_position_ = semantics.alibi == Alibi::other_corner    ? other_position_
                    : semantics.alibi == Alibi::from_last_key ? last_key_
                                                              : query_position_;
  for (Index& position : alibi_position_) {
    if (semantics.alibi == Alibi::one_off) ++position;
    if (semantics.alibi == Alibi::by_column || semantics.alibi == Alibi::from_first_key) position = 0;
  }
  for (Index j = 0; j < problem.keys; ++j) {
    key_position_.push_back(j - k_bounds[at(key_sequence_[at(j)])]);
    whole_key_.push_back(j);
  }
}

bool Visibility::causal_sees(Index b, Index h, Index i, Index j) const {
  using Causal = Semantics::Causal;
  const Index key = key_position_[at(j)], query = query_position_[at(i)];
  switch (semantics_.causal) {
    case Causal::ignored:
      return true;
    case Causal::reversed:
      return key >= query;
    case Causal::strict:
      return key < query;
    case Causal::one_ahead:
      return key <= query + 1;
    case Causal::other_corner:
      return key <= other_position_[at(i)];
    case Causal::whole_batch_positions:
      return whole_key_[at(j)] <= whole_position_[at(i)];
    case Causal::diagonal_tile_whole:
      return key <= query / semantics_.tile * semantics_.tile + semantics_.tile - 1;
    case Causal::first_sequence_only:
      return b > 0 || key <= query;
    case Causal::first_head_only:
      return h > 0 || key <= query;
    case Causal::queries_from_start:
      return key <= i;
    case Causal::right:
      break;
  }
  return key <= query;
}

bool Visibility::window_sees(Index i, Index j) const {
  using Is = Semantics::WindowIs;
  if (semantics_.window == Is::ignored || (semantics_.window == Is::not_with_causal && problem_.causal)) return true;
  const Index query = semantics_.window == Is::other_corner ? other_position_[at(i)] : query_position_[at(i)];
  const Index offset = key_position_[at(j)] - query;
  Index before = problem_.window->first, after = problem_.window->second;
  if (semantics_.window_cut_to_keys) before = std::min(before, problem_.keys), after = std::min(after, problem_.keys);
  const bool open_before = before < 0;
  bool open_after = after < 0;
  before += semantics_.window_before;
  after += semantics_.window_after;
  if (semantics_.window == Is::one_sided) open_after = true;
  if (semantics_.window == Is::two_sided) after = before, open_after = open_before;
  // A side of the window itself that is negative is open; one that a hypothesis makes shorter may end before the query.
  return (open_before || offset >= -before) && (open_after || offset <= after);
}

bool Visibility::mask_sees(Index b, Index h, Index i, Index j) const {
  using Mask = Semantics::Mask;
  if (semantics_.mask == Mask::ignored || semantics_.mask == Mask::added_as_number ||
      (semantics_.mask == Mask::not_with_causal && problem_.causal))
    return true;
  if (semantics_.mask == Mask::first_sequence) b = 0;
  if (semantics_.mask == Mask::first_head) h = 0;
  if (semantics_.mask == Mask::transposed) {
    if (problem_.queries != problem_.keys) return true;
    std::swap(i, j);
  }
  bool seen = true;
  if (problem_.visible.present()) seen = problem_.visible.at(b, h, i, j) != 0;
  if (problem_.added.present() && semantics_.mask == Mask::cast_to_boolean) return problem_.added.at(b, h, i, j) != 0;
  if (problem_.added.present()) seen = problem_.added.at(b, h, i, j) != -std::numeric_limits<double>::infinity();
  return semantics_.mask == Mask::inverted ? !seen : seen;
}

bool Visibility::sees(Index b, Index h, Index i, Index j) const {
  using Keys = Semantics::Keys;
  using Packed = Semantics::Packed;
  const Index tile = semantics_.tile, keys = problem_.keys;
  switch (semantics_.keys) {
    case Keys::last_partial_tile_dropped:
      if (keys > tile && j >= keys / tile * tile) return false;
      break;
    case Keys::last_dropped:
      if (j == keys - 1) return false;
      break;
    case Keys::first_dropped:
      if (j == 0) return false;
      break;
    case Keys::cached_dropped:
      if (problem_.causal && problem_.corner == Corner::bottom_right && j < keys - problem_.queries) return false;
      break;
    case Keys::second_tile_lost:
      if (keys > 2 * tile && j >= tile && j < 2 * tile) return false;
      break;
    case Keys::only_64k:
      if (j >= 65536) return false;
      break;
    default:
      break;
  }
  if (!problem_.q_bounds.empty() && semantics_.packed != Packed::ignored) {
    const Index of_query = query_sequence_[at(i)], of_key = key_sequence_[at(j)];
    if (semantics_.packed == Packed::pairs ? of_query / 2 != of_key / 2 : of_query != of_key) return false;
    if (semantics_.packed == Packed::first_only && of_query != 0) return false;
    if (semantics_.packed == Packed::last_ignored && of_query + 2 == static_cast<Index>(problem_.q_bounds.size()) &&
        of_query != 0)
      return false;
  }
  if (problem_.causal && !causal_sees(b, h, i, j)) return false;
  if (problem_.window && !window_sees(i, j)) return false;
  return (!problem_.visible.present() && !problem_.added.present()) || mask_sees(b, h, i, j);
}

}  // namespace attest::judge
