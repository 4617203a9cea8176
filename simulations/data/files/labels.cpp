#include "simulations/data/files/labels.hpp"

#include <algorithm>

namespace attest::data {

std::optional<std::int32_t> LabelVocabulary::find(std::string_view name) const {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<std::int32_t>(found - names.begin());
}

LabelVocabulary numbered_labels(std::size_t count) {
  LabelVocabulary labels;
  for (std::size_t i = 0; i < count; ++i) labels.names.push_back(std::to_string(i));
  return labels;
}

std::vector<std::int64_t> count_labels(const std::vector<std::int32_t>& labels, std::size_t classes) {
  std::vector<std::int64_t> counts(classes);
  for (const std::int32_t label : labels) ++counts.at(static_cast<std::size_t>(label));
  return counts;
}

}  // namespace attest::data
