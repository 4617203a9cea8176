// A value of a JSON document that knows where it stands, so that every complaint can say so.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "reports/files/malformed_results.hpp"

namespace attest::reports {

/// A place in a JSON document. The document must outlive it.
/// Errors: every reading function throws MalformedResults naming the document, the path ("claims[3].verdict"), what
/// stands there and what is expected.
class JsonPlace {
 public:
  JsonPlace(const nlohmann::ordered_json& value, std::string_view source) : value_(&value), source_(source) {}

  /// The member `key` of an object; an error when this is not an object or has no such member.
  JsonPlace at(const std::string& key) const;
  /// The same, or nothing when the member is absent or null.
  std::optional<JsonPlace> find(const std::string& key) const;
  /// The elements of an array.
  std::vector<JsonPlace> elements() const;
  /// The members of an object, in the document's order.
  std::vector<std::pair<std::string, JsonPlace>> members() const;

  std::string string() const;
  bool boolean() const;
  /// A number; null, which stands for a number that is not finite, reads as NaN.
  double number() const;
  /// A whole number from 0 on; 4.0 is one.
  std::int64_t count() const;
  std::vector<std::string> strings() const;
  std::vector<double> numbers() const;

  /// Optional members: an absent or null member reads as empty.
  std::string string_or_empty(const std::string& key) const;
  std::optional<double> number_if_any(const std::string& key) const;
  std::optional<std::int64_t> count_if_any(const std::string& key) const;
  std::vector<std::string> strings_if_any(const std::string& key) const;

  /// Any value as one line of text: strings as they are, numbers readable, lists in parentheses (long ones cut short
  /// and counted), objects as "name = value; ...".
  std::string text() const;

  bool is_null() const;
  bool is_number() const;
  bool is_string() const;
  bool is_array() const;
  bool is_object() const;

  /// Throws MalformedResults: "<source>: <path> <complaint>".
  [[noreturn]] void reject(std::string_view complaint) const;

 private:
  JsonPlace(const nlohmann::ordered_json& value, std::string_view source, std::string path)
      : value_(&value), source_(source), path_(std::move(path)) {}

  const nlohmann::ordered_json* value_;
  std::string_view source_;
  std::string path_;
};

/// The JSON document in `file`. Errors: IoError when it cannot be read, MalformedResults when it is not JSON.
std::shared_ptr<const nlohmann::ordered_json> parse_json_file(const std::filesystem::path& file);

}  // namespace attest::reports
