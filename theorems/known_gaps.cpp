#include "theorems/known_gaps.hpp"

#include <iterator>

namespace attest::engine {

const Gaps& known_gaps() {
  static const Gaps all = [] {
    Gaps gathered;
    for (Gaps gaps :
         {attest::gaps::boosting(), attest::gaps::primal_dual(), attest::gaps::probdr(), attest::gaps::twicing()})
      std::move(gaps.begin(), gaps.end(), std::back_inserter(gathered));
    return gathered;
  }();
  return all;
}

}  // namespace attest::engine
