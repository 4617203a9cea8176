#include "kernels/attention/mechanism/letters.hpp"

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include <fmt/format.h>

namespace attest::attention {
namespace {

Index extent_of(std::string_view number) {
  Index extent = 0;
  std::from_chars(number.data(), number.data() + number.size(), extent);
  return extent;
}

}  // namespace

std::vector<std::string> letters_of(std::string_view shape) {
  std::vector<std::string> letters;
  for (std::size_t open = shape.find('['); open != std::string_view::npos; open = shape.find('[', open + 1)) {
    const std::string_view letter = shape.substr(open + 1, shape.find(']', open) - open - 1);
    if (!letter.empty()) letters.emplace_back(letter);
  }
  return letters;
}

bool is_extent(std::string_view letter) {
  return !letter.empty() && std::all_of(letter.begin(), letter.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool can_have(std::string_view text, const Shape& shape) {
  const std::vector<std::string> letters = letters_of(text);
  return std::equal(
      letters.begin(), letters.end(), shape.begin(), shape.end(),
      [](const std::string& letter, Index extent) { return !is_extent(letter) || extent_of(letter) == extent; });
}

Shape shape_of(std::string_view text, const Letters& letters) {
  Shape shape;
  for (const std::string& letter : letters_of(text)) {
    if (is_extent(letter)) {
      shape.push_back(extent_of(letter));
      continue;
    }
    const auto found = letters.find(letter);
    if (found == letters.end())
      throw std::invalid_argument(
          fmt::format("the shape {} has the letter {}, which stands for no extent", text, letter));
    shape.push_back(found->second);
  }
  return shape;
}

}  // namespace attest::attention
