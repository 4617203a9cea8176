#include "kernels/quantity/law_parameter.hpp"

#include <stdexcept>

#include "kernels/random/laws.hpp"

namespace attest::quantities {

Parameter law_parameter(std::string name, std::string fallback, std::string meaning) {
  Parameter parameter = Parameter::word(
      std::move(name), std::move(fallback),
      {"gaussian", "rademacher", "uniform", "laplace", "student_t(5)", "sparse_three_point(0.1)"}, std::move(meaning));
  parameter.also = [](const std::string& word) {
    try {
      random::law_from_name(word);
      return true;
    } catch (const std::invalid_argument&) {
      return false;
    }
  };
  return parameter;
}

}  // namespace attest::quantities
