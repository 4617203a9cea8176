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

std::string_view name(Finding finding) {
  switch (finding) {
    case Finding::none:
      return "none";
    case Finding::error:
      return "error";
    case Finding::constant:
      return "constant";
    case Finding::assumption:
      return "assumption";
    case Finding::slip:
      return "slip";
    case Finding::imprecise:
      return "imprecise";
    case Finding::unsupported:
      return "unsupported";
  }
  throw std::logic_error("finding without a name");
}

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
