// The classes of a classification task.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attest::data {

/// Names of the classes; class `i` is names[i].
struct LabelVocabulary {
  std::vector<std::string> names;

  /// The class of that name, if there is one.
  std::optional<std::int32_t> find(std::string_view name) const;

  bool operator==(const LabelVocabulary&) const = default;
};

/// Classes named "0", "1", ..., count - 1.
LabelVocabulary numbered_labels(std::size_t count);

/// How many examples each class has; labels outside the vocabulary are an error (std::out_of_range).
std::vector<std::int64_t> count_labels(const std::vector<std::int32_t>& labels, std::size_t classes);

}  // namespace attest::data
