#include "reports/text/sentence.hpp"

#include "reports/text/greek.hpp"

namespace attest::reports {
namespace {

bool is_small(char c) { return c >= 'a' && c <= 'z'; }

/// Whether the first word is one that takes a capital: two or more small letters, and no symbol's name.
bool starts_with_a_word(std::string_view text) {
  std::size_t length = 0;
  while (length < text.size() && is_small(text[length])) ++length;
  // The article is the one word of a single letter that starts a sentence.
  if (length == 1 && text.size() > 3 && text.substr(0, 2) == "a " && is_small(text[2]) && is_small(text[3]))
    return true;
  const bool whole = length == text.size() || std::string_view(" ,:;-'").find(text[length]) != std::string_view::npos;
  return length >= 2 && whole && greek_letter(text.substr(0, length)).empty();
}

}  // namespace

std::string as_sentence(std::string_view text) {
  std::string sentence(text);
  if (sentence.empty()) return sentence;
  if (starts_with_a_word(text)) sentence[0] = static_cast<char>(sentence[0] - 'a' + 'A');
  if (std::string_view(".!?:").find(sentence.back()) == std::string_view::npos) sentence += '.';
  return sentence;
}

}  // namespace attest::reports
