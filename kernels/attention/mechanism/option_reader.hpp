// Reading a mechanism's options from what the user wrote.
#pragma once

#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/attention/mechanism/mechanism.hpp"

namespace attest::attention {

/// Values of options by name, the default where the user wrote nothing. Every reader throws std::invalid_argument in
/// one sentence naming the option, what was written, and what is wanted; std::logic_error for a name that is not in
/// `specs`.
class OptionReader {
 public:
  OptionReader(const std::vector<OptionSpec>& specs, const Settings& settings) : specs_(specs), settings_(settings) {}

  /// Whether the user wrote it.
  bool given(std::string_view name) const { return settings_.contains(name); }
  /// Whether the mechanism has such an option.
  bool declares(std::string_view name) const;
  /// As the user or the default wrote it.
  const std::string& text(std::string_view name) const;
  /// "true" or "false" ("1", "0", "yes", "no" too).
  bool flag(std::string_view name) const;
  /// A number of [least, most]; "inf" only where `most` is infinite.
  double number(std::string_view name, double least, double most) const;
  /// An integer of [least, most].
  Index integer(std::string_view name, Index least, Index most = std::numeric_limits<Index>::max()) const;
  /// Integers of at least `least`, separated by commas; at least one.
  std::vector<Index> integers(std::string_view name, Index least) const;
  /// One of `allowed`.
  const std::string& choice(std::string_view name, std::initializer_list<std::string_view> allowed) const;

 private:
  const OptionSpec& spec(std::string_view name) const;
  const std::vector<OptionSpec>& specs_;
  const Settings& settings_;
};

}  // namespace attest::attention
