#include "simulations/judge/diagnosis/failures.hpp"

namespace attest::judge {

bool is_gradient(const std::string& output) { return output.starts_with("d"); }

double cost(const CaseSpec& s) {
  return static_cast<double>(s.batch * s.heads * s.queries * s.keys) *
         static_cast<double>(s.width + s.value_width + 8) * (s.gradient ? 3 : 1);
}

bool compares_calls(const CaseSpec& spec) {
  return !compares_values(spec.property) && spec.property != Property::rounding_bias;
}

bool is_narrow(const CaseSpec& s) { return s.type == ElementType::float16 || s.type == ElementType::bfloat16; }

std::vector<Open> open_failures(std::vector<Record>& records, bool gradient) {
  std::vector<Open> result;
  for (Record& record : records)
    for (Failure& failure : record.failures)
      if (!failure.fault && is_gradient(failure.output) == gradient) result.push_back({&record, &failure});
  return result;
}

}  // namespace attest::judge
