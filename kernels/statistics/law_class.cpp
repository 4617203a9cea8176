#include "kernels/statistics/law_class.hpp"

#include <stdexcept>

#include <fmt/format.h>

namespace attest::statistics {

const char* name(Promise promise) {
  switch (promise) {
    case Promise::range:
      return "range";
    case Promise::variance:
      return "variance";
    case Promise::kurtosis:
      return "kurtosis";
    case Promise::symmetric:
      return "symmetric";
    case Promise::asymptotic:
      return "asymptotic";
  }
  throw std::logic_error("a promise without a name");
}

std::string promise_clause(const LawClass& known) {
  switch (known.promise) {
    case Promise::range:
      return fmt::format("holds for every law on [{:.6g}, {:.6g}]", known.within.lower, known.within.upper);
    case Promise::variance:
      return fmt::format("holds for every law of variance {:.6g} or less", known.bound);
    case Promise::kurtosis:
      return fmt::format("holds for every law of kurtosis {:.6g} or less", known.bound);
    case Promise::symmetric:
      return "holds for every law that is symmetric about its centre";
    case Promise::asymptotic:
      return "is asymptotic: that of normal observations, which may miss more often for skewed ones";
  }
  throw std::logic_error("a promise without a clause");
}

}  // namespace attest::statistics
