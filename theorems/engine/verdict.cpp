#include "theorems/engine/verdict.hpp"

#include <array>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

namespace attest::engine {
namespace {

constexpr std::array<std::pair<Verdict, std::string_view>, 6> names = {{{Verdict::certified, "certified"},
                                                                        {Verdict::supported, "supported"},
                                                                        {Verdict::refuted, "refuted"},
                                                                        {Verdict::undecided, "undecided"},
                                                                        {Verdict::vacuous, "vacuous"},
                                                                        {Verdict::error, "error"}}};

}  // namespace

std::string_view name(Verdict verdict) {
  for (const auto& [value, word] : names)
    if (value == verdict) return word;
  throw std::logic_error("verdict without a name");
}

Verdict verdict_from_name(std::string_view word) {
  for (const auto& [value, known] : names)
    if (known == word) return value;
  throw std::invalid_argument(
      fmt::format("unknown verdict '{}': use certified, supported, refuted, undecided, vacuous or error", word));
}

}  // namespace attest::engine
