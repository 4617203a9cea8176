#include "kernels/names/nearest.hpp"

#include <algorithm>
#include <numeric>

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

}  // namespace

std::vector<std::string> nearest(std::vector<std::string> names, std::string_view wanted, std::size_t most) {
  std::stable_sort(names.begin(), names.end(),
                   [&](const std::string& a, const std::string& b) { return edits(a, wanted) < edits(b, wanted); });
  if (names.size() > most) names.resize(most);
  return names;
}

}  // namespace attest::names
