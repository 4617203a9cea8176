#include "theorems/mechanisms/library.hpp"

namespace attest::mechanisms {

const attention::Mechanism& judged(std::string_view name) { return attention::find_mechanism(name); }

}  // namespace attest::mechanisms
