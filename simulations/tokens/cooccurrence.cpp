#include "simulations/tokens/cooccurrence.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/core.h>

namespace attest::tokens {

std::vector<Entry> positive_mutual_information(std::span<const std::int32_t> text, std::size_t vocabulary_size,
                                               std::size_t window) {
  if (window == 0) throw std::invalid_argument("the co-occurrence window is 0 words; give at least 1");
  std::vector<std::uint32_t> pairs(vocabulary_size * vocabulary_size, 0);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] < 0 || static_cast<std::size_t>(text[i]) >= vocabulary_size) {
      throw std::invalid_argument(
          fmt::format("word {} at position {} is outside the vocabulary of {}", text[i], i, vocabulary_size));
    }
    for (std::size_t j = i - std::min(i, window); j < i; ++j) {
      const auto a = static_cast<std::size_t>(text[i]);
      const auto b = static_cast<std::size_t>(text[j]);
      ++pairs[a * vocabulary_size + b];
      ++pairs[b * vocabulary_size + a];
    }
  }
  std::vector<double> totals(vocabulary_size, 0);
  double total = 0;
  for (std::size_t a = 0; a < vocabulary_size; ++a) {
    for (std::size_t b = 0; b < vocabulary_size; ++b) totals[a] += pairs[a * vocabulary_size + b];
    total += totals[a];
  }
  std::vector<Entry> entries;
  for (std::size_t a = 0; a < vocabulary_size; ++a) {
    for (std::size_t b = 0; b < vocabulary_size; ++b) {
      const double count = pairs[a * vocabulary_size + b];
      if (count == 0) continue;
      // The product of the two totals is formed first: then entries (a, b) and (b, a) have the same bits.
      const double information = std::log(count * total / (totals[a] * totals[b]));
      if (information > 0) entries.push_back({static_cast<std::int32_t>(a), static_cast<std::int32_t>(b), information});
    }
  }
  return entries;
}

}  // namespace attest::tokens
