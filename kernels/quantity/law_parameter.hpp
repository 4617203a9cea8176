// The parameter that names a law of mean 0 and variance 1.
#pragma once

#include <string>

#include "kernels/quantity/quantity.hpp"

namespace attest::quantities {

/// A word that random::law_from_name takes: "gaussian", "student_t(7)", ...
Parameter law_parameter(std::string name, std::string fallback, std::string meaning);

}  // namespace attest::quantities
