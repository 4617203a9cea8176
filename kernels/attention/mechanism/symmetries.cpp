#include "kernels/attention/mechanism/symmetries.hpp"

#include <algorithm>

namespace attest::attention {

bool is_of_values(const InputSpec& input) {
  return input.name == "v" || input.role == Role::first_values || input.role == Role::previous_values;
}

bool depends_on_order(const Mechanism& mechanism, const Settings& settings) {
  return mechanism.positional ||
         std::any_of(mechanism.options.begin(), mechanism.options.end(),
                     [&](const OptionSpec& option) { return option.positional && settings.contains(option.name); }) ||
         std::any_of(mechanism.inputs.begin(), mechanism.inputs.end(),
                     [](const InputSpec& input) { return input.positional && (input.required || input.shown); });
}

template <typename T>
Shift shift_of(const Mechanism& mechanism, const Settings& settings, const Arrays<T>& inputs) {
  const auto broken = [](const auto& specs, const auto& given) {
    return std::any_of(specs.begin(), specs.end(),
                       [&](const auto& spec) { return spec.breaks_shift && given.contains(spec.name); });
  };
  return broken(mechanism.options, settings) || broken(mechanism.inputs, inputs) ? Shift::none : mechanism.shift;
}

bool joins_heads_and_sequences(const Mechanism& mechanism, const Settings& settings) {
  return std::any_of(mechanism.options.begin(), mechanism.options.end(), [&](const OptionSpec& option) {
    const auto given = settings.find(option.name);
    return !option.joining.empty() && given != settings.end() && given->second == option.joining;
  });
}

template Shift shift_of(const Mechanism&, const Settings&, const Arrays<float>&);
template Shift shift_of(const Mechanism&, const Settings&, const Arrays<double>&);

}  // namespace attest::attention
