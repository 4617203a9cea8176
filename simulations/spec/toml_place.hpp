// A table of a TOML file that knows where it stands, so that every complaint names file, line and key.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <toml++/toml.h>

#include "kernels/quantity/quantity.hpp"

namespace attest::spec {

/// The document of a file's text. Errors: std::invalid_argument, "SOURCE, line N: this is not valid TOML: ...".
toml::table parse_toml(std::string_view text, std::string_view source);

/// What follows the first ": " of a complaint: the sentence without its place.
std::string without_place(const std::string& complaint);

/// Reads the members of a table by name and refuses what nobody asked for. The document must outlive it.
/// Errors of all functions: std::invalid_argument, "FILE, line N: ...", with the fix.
class TomlPlace {
 public:
  /// `what` is how complaints call the table: "the sweep", "axis N", "figure 2".
  TomlPlace(const toml::table& table, std::string_view source, std::string what)
      : table_(&table), source_(source), what_(std::move(what)) {}

  /// Whether the key is there; asking makes it known to refuse_unread.
  bool has(std::string_view key) {
    read_.emplace(key);
    return table_->contains(key);
  }
  std::string string(std::string_view key);
  std::string string_or(std::string_view key, const std::string& fallback);
  double number(std::string_view key);
  /// An integer of [least, most], not above 2^63 - 1.
  std::uint64_t count(std::string_view key, std::uint64_t least, std::uint64_t most);
  /// true or false.
  bool flag(std::string_view key);
  /// One of `allowed`.
  std::string choice(std::string_view key, const std::vector<std::string>& allowed, const std::string& fallback);
  /// A string, or a list of strings.
  std::vector<std::string> strings(std::string_view key);
  /// The tables of `key = {...}` (one) or `[[key]]` (several); none when it is absent.
  std::vector<TomlPlace> tables(std::string_view key, const std::string& each);
  /// The one table `key`, or nothing.
  std::optional<TomlPlace> table(std::string_view key, std::string what);
  /// Keys in the file's order.
  std::vector<std::string> keys() const;
  /// A number or a word; or a list of them, or of lists of two numbers.
  quantities::Value value(std::string_view key);
  bool is_list(std::string_view key) const;
  bool is_table(std::string_view key) const;
  std::vector<quantities::Value> values(std::string_view key);
  std::vector<std::pair<double, double>> pairs(std::string_view key);

  /// To be called when everything was read. Errors: a key that was never asked for, with the nearest one that could be.
  void refuse_unread() const;
  /// "FILE, line N" of `key`, or of the table when there is none.
  std::string place_of(std::string_view key) const;
  /// Throws a complaint at the place of `key`, or at the table's when there is none.
  [[noreturn]] void reject(std::string_view key, const std::string& sentence) const;

 private:
  const toml::node& node(std::string_view key);
  quantities::Value value_of(const toml::node& node, std::string_view key) const;

  const toml::table* table_;
  std::string_view source_;
  std::string what_;
  std::set<std::string, std::less<>> read_;
};

}  // namespace attest::spec
