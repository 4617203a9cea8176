#include "kernels/attention/mechanism/option_reader.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace attest::attention {
namespace {

[[noreturn]] void refuse(std::string_view name, std::string_view written, const std::string& wanted) {
  throw std::invalid_argument(fmt::format("option {}={}: {}", name, written, wanted));
}

template <typename Number>
std::optional<Number> parsed(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

const OptionSpec& OptionReader::spec(std::string_view name) const {
  for (const OptionSpec& option : specs_)
    if (option.name == name) return option;
  throw std::logic_error(fmt::format("a mechanism reads the option {}, which it does not declare", name));
}

bool OptionReader::declares(std::string_view name) const {
  return std::any_of(specs_.begin(), specs_.end(), [&](const OptionSpec& option) { return option.name == name; });
}

const std::string& OptionReader::text(std::string_view name) const {
  const OptionSpec& option = spec(name);
  const auto found = settings_.find(name);
  return found == settings_.end() ? option.fallback : found->second;
}

bool OptionReader::flag(std::string_view name) const {
  const std::string& written = text(name);
  if (written == "true" || written == "1" || written == "yes") return true;
  if (written == "false" || written == "0" || written == "no") return false;
  refuse(name, written, "give true or false");
}

double OptionReader::number(std::string_view name, double least, double most) const {
  const std::string& written = text(name);
  const auto value = parsed<double>(written);
  if (!value || !(*value >= least && *value <= most))
    refuse(name, written, fmt::format("give a number from {} to {}", least, most));
  return *value;
}

Index OptionReader::integer(std::string_view name, Index least, Index most) const {
  const std::string& written = text(name);
  const auto value = parsed<Index>(written);
  if (!value || *value < least || *value > most)
    refuse(name, written,
           most == std::numeric_limits<Index>::max() ? fmt::format("give an integer of at least {}", least)
                                                     : fmt::format("give an integer from {} to {}", least, most));
  return *value;
}

std::vector<Index> OptionReader::integers(std::string_view name, Index least) const {
  const std::string& written = text(name);
  std::vector<Index> values;
  std::string_view rest = written;
  while (true) {
    const std::size_t comma = rest.find(',');
    const auto value = parsed<Index>(rest.substr(0, comma));
    if (!value || *value < least)
      refuse(name, written,
             fmt::format("give integers of at least {}, separated by commas (such as {})", least, spec(name).example));
    values.push_back(*value);
    if (comma == std::string_view::npos) return values;
    rest.remove_prefix(comma + 1);
  }
}

const std::string& OptionReader::choice(std::string_view name, std::initializer_list<std::string_view> allowed) const {
  const std::string& written = text(name);
  for (const std::string_view one : allowed)
    if (one == written) return written;
  refuse(name, written, fmt::format("give one of {}", fmt::join(allowed, ", ")));
}

}  // namespace attest::attention
