#include "simulations/judge/diagnosis/tile_lengths.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

namespace attest::judge {
namespace {

constexpr Index lengths[] = {1,  2,  3,  4,  5,  7,  8,  9,  12, 13,  16,  17,  20,  24, 31,
                             32, 33, 36, 40, 48, 63, 64, 65, 96, 128, 129, 192, 200, 256};

bool every_multiple_right(const std::map<Index, bool>& wrong, Index tile) {
  int multiples = 0;
  for (const auto& [length, is_wrong] : wrong) {
    if (length % tile != 0) continue;
    if (is_wrong) return false;
    ++multiples;
  }
  return multiples >= 2;
}

/// Whether the wrong lengths are the multiples of a tile, all of those asked for and no other.
bool are_the_multiples_of_a_tile(const std::map<Index, bool>& wrong) {
  const auto first = std::find_if(wrong.begin(), wrong.end(), [](const auto& one) { return one.second; });
  if (first == wrong.end() || first->first < 4) return false;
  return std::all_of(wrong.begin(), wrong.end(),
                     [&](const auto& one) { return one.second == (one.first % first->first == 0); });
}

}  // namespace

Fault fault_by_lengths(const CaseSpec& spec, const std::string& output, Target& target, const TrialSettings& settings) {
  std::map<Index, bool> wrong;
  const Index gap = spec.keys - spec.queries;
  for (const Index keys : lengths) {
    CaseSpec other = spec;
    other.keys = keys;
    if (other.causal || other.window || !is_plain_attention(spec.mechanism))
      other.queries = std::max<Index>(1, keys - gap);
    Record record;
    try {
      record = run_trial(other, target, settings);
    } catch (const std::invalid_argument&) {
      continue;  // the mechanism does not take these extents
    }
    if (!record.judged) continue;
    wrong[keys] = std::any_of(record.failures.begin(), record.failures.end(),
                              [&](const Failure& failure) { return failure.output == output; });
  }
  const auto failing = std::count_if(wrong.begin(), wrong.end(), [](const auto& one) { return one.second; });
  if (failing == 0 || failing == static_cast<std::ptrdiff_t>(wrong.size())) return {};
  // Whole tiles are lost or doubled, and the weights tell which.
  if (are_the_multiples_of_a_tile(wrong)) return {};
  for (const Index tile : {128, 96, 64, 48, 32, 24, 16, 12, 8, 4})
    if (every_multiple_right(wrong, tile)) {
      // Something wrong beyond the first tile, and a multiple beyond that which is right.
      const bool between = std::any_of(wrong.begin(), wrong.end(), [&](const auto& one) {
        return one.second && one.first > tile && std::any_of(wrong.begin(), wrong.end(), [&](const auto& other) {
                 return !other.second && other.first % tile == 0 && other.first > one.first;
               });
      });
      if (between) return fault::partial_tiles;
    }
  Index right_up_to = 0;
  for (const auto& [length, is_wrong] : wrong) {
    if (is_wrong) break;
    right_up_to = length;
  }
  const auto longer =
      std::count_if(wrong.begin(), wrong.end(), [&](const auto& one) { return one.first > right_up_to; });
  return right_up_to >= 4 && 2 * failing > longer ? fault::wrong_across_tiles_of_keys : Fault{};
}

}  // namespace attest::judge
