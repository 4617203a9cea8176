#include "simulations/apply/layout.hpp"

#include <algorithm>
#include <cstring>

#include "kernels/attention/mechanism/letters.hpp"

namespace attest::apply {
namespace {

bool has_heads_tokens_and_features(const attention::InputSpec& input) {
  const std::vector<std::string> letters = attention::letters_of(input.shape);
  return letters.size() == 4 && letters[1].starts_with('H') && letters[2].starts_with('N') &&
         letters[3].starts_with('D');
}

}  // namespace

Array with_heads_and_tokens_exchanged(const Array& array) {
  const std::int64_t outer = array.shape[0], first = array.shape[1], second = array.shape[2];
  const std::size_t row = static_cast<std::size_t>(array.shape[3]) * size_of(array.type);
  Array result{array.type, {outer, second, first, array.shape[3]}, std::string(array.bytes.size(), '\0')};
  for (std::int64_t b = 0; b < outer; ++b)
    for (std::int64_t i = 0; i < first; ++i)
      for (std::int64_t j = 0; j < second; ++j)
        std::memcpy(result.bytes.data() + static_cast<std::size_t>((b * second + j) * first + i) * row,
                    array.bytes.data() + static_cast<std::size_t>((b * first + i) * second + j) * row, row);
  return result;
}

bool depends_on_layout(const attention::Mechanism& mechanism, std::string_view name) {
  if (name == "out" || name == "R") return true;
  if (name.starts_with("grad.")) name.remove_prefix(5);
  return std::any_of(mechanism.inputs.begin(), mechanism.inputs.end(), [&](const attention::InputSpec& input) {
    return input.name == name && has_heads_tokens_and_features(input);
  });
}

NamedArrays in_other_layout(const attention::Mechanism& mechanism, NamedArrays arrays, Layout layout) {
  if (layout == Layout::bhnd) return arrays;
  for (auto& [name, array] : arrays)
    if (array.shape.size() == 4 && depends_on_layout(mechanism, name)) array = with_heads_and_tokens_exchanged(array);
  return arrays;
}

}  // namespace attest::apply
