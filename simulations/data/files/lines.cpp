#include "simulations/data/files/lines.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "simulations/data/files/malformed_data.hpp"

namespace attest::data {

bool LineReader::next(Line& line) {
  if (rest_.empty()) return false;
  const std::size_t end = rest_.find('\n');
  unfinished_ = end == std::string_view::npos;
  line.text = rest_.substr(0, end);
  line.number = ++number_;
  rest_.remove_prefix(unfinished_ ? rest_.size() : end + 1);
  if (line.text.ends_with('\r')) line.text.remove_suffix(1);
  return true;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> fields;
  while (true) {
    const std::size_t end = text.find(separator);
    fields.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return fields;
    text.remove_prefix(end + 1);
  }
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
  text.remove_prefix(begin);
  return text.substr(0, text.find_last_not_of(" \t") + 1);
}

std::string place_of(const std::string& name, std::size_t line) { return fmt::format("{}, line {}", name, line); }

std::string cited(std::string_view text) {
  constexpr std::size_t longest = 40;
  std::string shown = "\"";
  for (const char c : text.substr(0, longest)) {
    const auto byte = static_cast<unsigned char>(c);
    shown += byte < 0x20 || byte >= 0x7f ? fmt::format("\\x{:02x}", byte) : std::string(1, c);
  }
  return shown + (text.size() > longest ? "...\"" : "\"");
}

void refuse(const std::string& place, std::string_view what) {
  throw MalformedData(fmt::format("{}: {}", place, what));
}

}  // namespace attest::data
