#include "theorems/language/papers/replacements.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>

#include "theorems/language/papers/paper_lines.hpp"

namespace attest::language {
namespace {

constexpr std::string_view word = "replace ";
constexpr std::string_view between = " by ";

struct Replacement {
  std::string before;
  std::string after;
};

std::vector<Replacement> replacements(const std::string& text) {
  std::vector<Replacement> all;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t next = text.find(" replace ", begin);
    const std::size_t end = std::min(next, text.size());
    const std::string_view one = std::string_view(text).substr(begin, end - begin).substr(word.size());
    const std::size_t by = one.find(between);
    if (by == std::string_view::npos || by == 0 || by + between.size() >= one.size())
      throw std::invalid_argument(
          fmt::format("'replace {}' has no two sides; write, for example, replace 1/2 by 0.49", one));
    all.push_back({std::string(one.substr(0, by)), std::string(one.substr(by + between.size()))});
    if (all.back().before == all.back().after)
      throw std::invalid_argument(fmt::format("'replace {}' changes nothing; write another formula after 'by'", one));
    begin = next == std::string::npos ? text.size() : next + 1;
  }
  return all;
}

/// Letters of other alphabets count: their bytes are above those of ASCII.
bool in_word(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return std::isalnum(byte) != 0 || c == '_' || byte >= 0x80U;
}

/// Where `part` stands in `text` without cutting a name or a number.
std::vector<std::size_t> places_of(std::string_view part, std::string_view text) {
  std::vector<std::size_t> places;
  for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) {
    const std::size_t end = at + part.size();
    const bool cuts_before = at > 0 && in_word(text[at - 1]) && in_word(part.front());
    const bool cuts_after = end < text.size() && in_word(text[end]) && in_word(part.back());
    if (!cuts_before && !cuts_after) places.push_back(at);
  }
  return places;
}

}  // namespace

bool tells_replacements(std::string_view text) { return as_prose(std::string(text)).starts_with(word); }

std::string with_replacements(std::string_view text, std::span<const std::string> says) {
  std::vector<std::string> candidates;
  for (const std::string& each : says) candidates.push_back(as_prose(each));
  for (const Replacement& each : replacements(as_prose(std::string(text)))) {
    std::size_t found = 0, at = 0, in = 0;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      const std::vector<std::size_t> places = places_of(each.before, candidates[i]);
      if (places.empty()) continue;
      found += places.size();
      at = places.front();
      in = i;
    }
    if (found == 0)
      throw std::invalid_argument(
          fmt::format("'{}' does not occur in what the claim says; copy it from there", each.before));
    if (found > 1)
      throw std::invalid_argument(
          fmt::format("'{}' occurs {} times in what the claim says; write more of what stands "
                      "around it",
                      each.before, found));
    candidates[in].replace(at, each.before.size(), each.after);
    candidates = {candidates[in]};
  }
  return candidates.front();
}

}  // namespace attest::language
