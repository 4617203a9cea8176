#include "theorems/engine/statement.hpp"

#include <stdexcept>

namespace attest::engine {

std::string_view name(Kind kind) {
  switch (kind) {
    case Kind::identity:
      return "identity";
    case Kind::universal_inequality:
      return "universal inequality";
    case Kind::rate:
      return "asymptotic rate";
    case Kind::limit:
      return "limit";
    case Kind::expectation_bound:
      return "expectation bound";
    case Kind::optimality:
      return "optimality condition";
    case Kind::existence:
      return "existence";
    case Kind::definition:
      return "definition";
    case Kind::implication:
      return "implication";
    case Kind::figure:
      return "figure";
    case Kind::cost_model:
      return "cost model";
  }
  throw std::logic_error("kind without a name");
}

}  // namespace attest::engine
