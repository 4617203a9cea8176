#include "tests/theorems/language/damaged_text.hpp"

#include <algorithm>
#include <random>

namespace attest::language {

std::string damaged(const std::vector<std::string>& texts, const std::vector<std::string>& pieces, std::uint64_t seed) {
  std::mt19937_64 words(seed);
  const auto below = [&](std::size_t n) { return n == 0 ? 0 : static_cast<std::size_t>(words() % n); };
  const auto stretch = [&](const std::string& text) {
    const std::size_t at = below(text.size() + 1);
    return text.substr(at, below(std::min<std::size_t>(24, text.size() - at) + 1));
  };
  std::string text = texts[below(texts.size())];
  // Mostly characters that occur, or most damage would not be text at all.
  const auto character = [&] {
    return below(4) > 0 && !text.empty() ? text[below(text.size())] : static_cast<char>(below(256));
  };
  const std::size_t changes = 1 + below(3);
  for (std::size_t i = 0; i < changes; ++i) {
    const std::size_t at = below(text.size() + 1);
    switch (below(7)) {
      case 0:
        if (at < text.size()) text[at] = character();
        break;
      case 1:
        text.insert(at, 1, character());
        break;
      case 2:
        text.erase(at, 1);
        break;
      case 3:
        text.erase(at, below(24));
        break;
      case 4:
        text.insert(at, stretch(text));
        break;
      case 5:
        text.insert(at, stretch(texts[below(texts.size())]));
        break;
      default:
        text.insert(at, pieces[below(pieces.size())]);
    }
  }
  return text;
}

}  // namespace attest::language
