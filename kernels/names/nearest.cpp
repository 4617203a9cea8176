#include "kernels/names/nearest.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

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

/// Somebody who writes "fro" may mean "frobenius", and with "twicing_attention" "twicing".
std::size_t distance(std::string_view name, std::string_view wanted) {
  constexpr std::size_t least_beginning = 3;
  const bool one_begins_the_other =
      std::min(name.size(), wanted.size()) >= least_beginning && (name.starts_with(wanted) || wanted.starts_with(name));
  const std::size_t letters = edits(name, wanted);
  return one_begins_the_other ? std::min<std::size_t>(1, letters) : letters;
}

bool is_near(std::size_t letters, std::string_view wanted) {
  constexpr std::size_t one_in = 3;
  return letters <= (wanted.size() + one_in - 1) / one_in && letters < wanted.size();
}

/// "a", "a or b", "a, b or c".
std::string listed(const std::vector<std::string>& names, std::string_view last) {
  if (names.size() == 1) return names.front();
  return fmt::format("{} {} {}", fmt::join(names.begin(), names.end() - 1, ", "), last, names.back());
}

}  // namespace

std::vector<std::string> nearest(std::vector<std::string> names, std::string_view wanted, std::size_t most) {
  std::vector<std::pair<std::size_t, std::string>> by_distance;
  for (std::string& name : names)
    if (const std::size_t letters = distance(name, wanted); is_near(letters, wanted))
      by_distance.emplace_back(letters, std::move(name));
  std::ranges::stable_sort(by_distance, {}, [](const auto& each) { return each.first; });
  constexpr std::size_t further = 1;
  std::vector<std::string> found;
  for (auto& [letters, name] : by_distance) {
    if (found.size() == most || letters > by_distance.front().first + further) break;
    if (std::ranges::find(found, name) == found.end()) found.push_back(std::move(name));
  }
  return found;
}

std::string did_you_mean(const std::vector<std::string>& names, std::string_view wanted, std::string_view otherwise) {
  constexpr std::size_t most = 3, few = 12;
  const std::vector<std::string> near = nearest(names, wanted, most);
  if (!near.empty())
    return fmt::format("; did you mean {}?{}{}", listed(near, "or"), otherwise.empty() ? "" : " ", otherwise);
  if (!otherwise.empty()) return fmt::format("; {}", otherwise);
  if (names.empty() || names.size() > few) return "";
  return names.size() == 1 ? fmt::format("; there is only {}", names.front())
                           : fmt::format("; there are {}", listed(names, "and"));
}

}  // namespace attest::names
