#include "theorems/engine/claim.hpp"

#include <iterator>

namespace attest::engine {

void append(Claims& claims, Claims more) {
  claims.insert(claims.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

}  // namespace attest::engine
