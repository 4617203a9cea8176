#include "kernels/attention/mechanism/initialisation.hpp"

#include <fmt/format.h>

namespace attest::attention {

std::string in_words(const Initialisation& initialisation) {
  using Law = Initialisation::Law;
  switch (initialisation.law) {
    case Law::constant:
      return fmt::format("{}", initialisation.value);
    case Law::power_of_dim:
      if (initialisation.value == 0.5) return "sqrt(D)";
      return initialisation.value == 0.25 ? "D^(1/4)" : fmt::format("D^{}", initialisation.value);
    case Law::centre:
      return "1 in the middle, 0 elsewhere";
    case Law::uniform:
      return "uniform in [-1, 1]/sqrt(r)";
    case Law::projection:
      return "as the projections of the tokens";
    case Law::none:
      break;
  }
  return {};
}

}  // namespace attest::attention
