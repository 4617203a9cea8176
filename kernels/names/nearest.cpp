#include "kernels/names/nearest.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace attest::names {
namespace {

/// Insertions, deletions and replacements that turn one word into the other.
std::size_t edits(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

/// Somebody who writes "fro" may mean "frobenius".
std::size_t distance(std::string_view name, std::string_view wanted) {
  constexpr std::size_t least_beginning = 3;
  return wanted.size() >= least_beginning && name.starts_with(wanted) ? std::min<std::size_t>(1, edits(name, wanted))
                                                                      : edits(name, wanted);
}

}  // namespace

std::vector<std::string> nearest(std::vector<std::string> names, std::string_view wanted, std::size_t most) {
  std::vector<std::pair<std::size_t, std::string>> by_distance;
  for (std::string& name : names) by_distance.emplace_back(distance(name, wanted), std::move(name));
  std::ranges::stable_sort(by_distance, {}, [](const auto& each) { return each.first; });
  constexpr std::size_t further = 1;
  std::vector<std::string> found;
  for (auto& [letters, name] : by_distance) {
    if (found.size() == most || letters > by_distance.front().first + further) break;
    if (std::ranges::find(found, name) == found.end()) found.push_back(std::move(name));
  }
  return found;
}

std::string mistyped(std::vector<std::string> names, std::string_view wanted) {
  constexpr std::size_t most_edits = 2;
  const std::vector<std::string> found = nearest(std::move(names), wanted, 1);
  if (found.empty()) return {};
  const std::size_t letters = distance(found.front(), wanted);
  return letters <= most_edits && 2 * letters < wanted.size() ? found.front() : std::string();
}

}  // namespace attest::names
