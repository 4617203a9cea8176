#include "theorems/engine/budget.hpp"

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

namespace attest::engine {

Budget parse_budget(const std::string& word) {
  if (word == "quick") return {word, 1, 0};
  if (word == "standard") return {word, 4, 0};
  if (word == "deep") return {word, 32, 0};
  if (word.size() > 1 && word.back() == 's') {
    std::size_t used = 0;
    double seconds = 0;
    try {
      seconds = std::stod(word, &used);
    } catch (const std::exception&) {
      used = 0;
    }
    if (used + 1 == word.size() && std::isfinite(seconds) && seconds > 0) return {word, 1, seconds};
  }
  throw std::invalid_argument(
      fmt::format("unknown budget '{}': use quick, standard, deep or a number of seconds such as 90s", word));
}

}  // namespace attest::engine
