#include "theorems/language/mechanisms/judged.hpp"

namespace attest::language {

const attention::Mechanism& judged(std::string_view name) { return attention::find_mechanism(name); }

}  // namespace attest::language
