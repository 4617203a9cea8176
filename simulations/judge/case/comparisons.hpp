// Which of the properties that compare calls with each other hold for a mechanism, from its traits.
#pragma once

#include <string>
#include <vector>

#include "kernels/attention/mechanism/mechanism.hpp"
#include "simulations/judge/case/property.hpp"

namespace attest::judge {

/// A property, and why it is not judged.
struct Comparison {
  Property property;
  std::string why_not;  ///< one clause; empty: it holds and is judged
};

/// All properties beyond values, for a mechanism other than softmax called with these settings.
std::vector<Comparison> comparisons_of(const attention::Mechanism& mechanism, const attention::Settings& settings);

}  // namespace attest::judge
