#include "theorems/mechanisms/library.hpp"

#include <algorithm>

namespace attest::mechanisms {
namespace {

void add(attention::Call<double>& call, const Input& input) {
  call.inputs.emplace(input.name, attention::Tensor<double>(input.shape, {input.values.begin(), input.values.end()}));
}

attention::Call<double> call_of(std::initializer_list<Input> inputs, const Setting& how) {
  attention::Call<double> call;
  for (const Input& input : inputs) add(call, input);
  call.settings = how.options;
  call.mask = how.mask;
  call.threads = 1;  // the searches and the claims have the threads
  return call;
}

std::vector<double> evaluated(std::string_view mechanism, const attention::Call<double>& call) {
  const auto evaluation = attention::evaluate(language::judged(mechanism), call);
  return {evaluation.out.values().begin(), evaluation.out.values().end()};
}

}  // namespace

Input rows(std::string_view name, std::span<const double> values, std::size_t columns) {
  const auto width = static_cast<attention::Index>(columns);
  return {name, values, {1, 1, static_cast<attention::Index>(values.size()) / width, width}};
}

std::vector<double> output(std::string_view mechanism, std::initializer_list<Input> inputs, const Setting& how) {
  return evaluated(mechanism, call_of(inputs, how));
}

std::vector<double> weights(std::string_view mechanism, std::initializer_list<Input> inputs, std::size_t n,
                            const Setting& how) {
  attention::Call<double> call = call_of(inputs, how);
  const auto size = static_cast<attention::Index>(n);
  attention::Tensor<double> unit({1, 1, size, size});
  for (attention::Index i = 0; i < size; ++i) unit.at(0, 0, i, i) = 1;
  call.inputs.emplace("v", std::move(unit));
  return evaluated(mechanism, call);
}

}  // namespace attest::mechanisms
