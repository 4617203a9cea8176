#include "theorems/engine/runner/alpha_ledger.hpp"

#include <stdexcept>

#include <fmt/format.h>

namespace attest::engine {

AlphaLedger::AlphaLedger(double total, std::size_t shares) : total_(total), shares_(shares) {
  if (!(total > 0 && total < 1))
    throw std::invalid_argument(fmt::format("the false-alarm bound must lie strictly between 0 and 1, not {}", total));
  if (shares == 0) throw std::invalid_argument("the alpha ledger needs at least one statement");
}

}  // namespace attest::engine
