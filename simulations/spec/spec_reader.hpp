// Values with defaults and ranges from one table of an experiment's file.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/attention/tensor.hpp"
#include "simulations/spec/toml_place.hpp"

namespace attest::spec {

/// TomlPlace where most keys may be absent. Errors: std::invalid_argument with file, line, key and fix.
class SpecReader {
 public:
  explicit SpecReader(TomlPlace place) : place_(std::move(place)) {}

  TomlPlace& place() { return place_; }
  bool has(std::string_view key) { return place_.has(key); }
  std::string text(std::string_view key, const std::string& fallback) { return place_.string_or(key, fallback); }
  std::string choice(std::string_view key, const std::vector<std::string>& allowed, const std::string& fallback) {
    return place_.choice(key, allowed, fallback);
  }
  /// An integer of [least, most].
  attention::Index count(std::string_view key, attention::Index fallback, attention::Index least,
                         attention::Index most = attention::Index{1} << 40U);
  double number(std::string_view key, double fallback, double least, double most);
  /// true or false.
  bool flag(std::string_view key, bool fallback);
  std::optional<SpecReader> table(const std::string& key);
  SpecReader required_table(const std::string& key);
  /// The tables of [[key]]; at least one.
  std::vector<SpecReader> tables(const std::string& key);
  /// Whole numbers from 0 on; none when the key is absent.
  std::vector<attention::Index> indices(std::string_view key);
  /// Names; none when the key is absent.
  std::vector<std::string> names(std::string_view key);
  /// To be called when everything was read: refuses keys that nobody asked for.
  void done() const { place_.refuse_unread(); }

 private:
  TomlPlace place_;
};

}  // namespace attest::spec
