#include "simulations/judge/reference/precision.hpp"

#include <algorithm>
#include <stdexcept>

#include "simulations/arrays/rounding.hpp"

namespace attest::judge {

using arrays::ElementType;

Accumulation accumulation_named(const std::string& text) {
  if (text == "float32") return Accumulation::widened;
  if (text == "strict") return Accumulation::strict;
  if (text == "input") return Accumulation::input;
  throw std::invalid_argument("unknown --accumulate '" + text + "': use float32, strict or input");
}

Precision precision_of(ElementType type, Accumulation accumulation) {
  const double own = unit_roundoff(type);
  const double wide = std::min(own, unit_roundoff(ElementType::float32));
  Precision precision{own, own, own, least_kept(type), least_kept(type)};
  if (accumulation != Accumulation::input) precision.sums = wide;
  if (accumulation == Accumulation::strict) {
    precision.between = wide;
    precision.tiny = std::min(precision.tiny, least_kept(ElementType::float32));
  }
  return precision;
}

}  // namespace attest::judge
