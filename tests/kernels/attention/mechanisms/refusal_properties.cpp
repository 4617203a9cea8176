// Calls of mechanisms that must be refused by one sentence.
#include <limits>
#include <map>
#include <stdexcept>

#include <fmt/format.h>

#include "tests/kernels/attention/mechanisms/mechanism_calls.hpp"

namespace attest::attention {
namespace {

/// Complains unless the call is refused by std::invalid_argument, in one line that holds `word`.
void expect_refusal(Complaints& complaints, const Mechanism& mechanism, const Call<double>& call,
                    const std::string& what, const std::string& word) {
  try {
    evaluate(mechanism, call);
  } catch (const std::invalid_argument& refusal) {
    const std::string message = refusal.what();
    if (message.find(word) == std::string::npos || message.find('\n') != std::string::npos)
      complaints.push_back(fmt::format("{} is refused without the word '{}': {}", what, word, message));
    return;
  } catch (const std::exception& other) {
    complaints.push_back(fmt::format("{} throws no std::invalid_argument: {}", what, other.what()));
    return;
  }
  complaints.push_back(what + " is accepted");
}

Tensor<double> longer(const Tensor<double>& array, Index axis) {
  Shape shape = array.shape();
  ++shape[static_cast<std::size_t>(axis)];
  return example_array<double>(shape, "longer", example_seed);
}

void check_inputs(Complaints& complaints, const Mechanism& mechanism, const Call<double>& call) {
  std::map<std::string, int> uses;  // of a letter over all inputs
  const std::vector<InputSpec> inputs = present_inputs(mechanism, call.inputs);
  for (const InputSpec& input : inputs)
    for (const std::string& letter : letters_of(input.shape)) ++uses[letter];
  for (const InputSpec& input : inputs) {
    const auto with = [&](Tensor<double> array) {
      Call<double> changed = call;
      changed.inputs[input.name] = std::move(array);
      return changed;
    };
    const Tensor<double>& array = call.inputs.at(input.name);
    Call<double> missing = call;
    missing.inputs.erase(input.name);
    if (input.required) expect_refusal(complaints, mechanism, missing, "a call without " + input.name, input.name);
    Shape deeper = array.shape();
    deeper.insert(deeper.begin(), 1);
    expect_refusal(complaints, mechanism, with({deeper, {array.values().begin(), array.values().end()}}),
                   input.name + " with one axis more", input.name);
    if (array.rank() > 0) {
      Shape empty = array.shape();
      empty.back() = 0;
      expect_refusal(complaints, mechanism, with(Tensor<double>(empty)), input.name + " without entries", input.name);
    }
    if (input.positive)
      expect_refusal(complaints, mechanism, with(Tensor<double>(array.shape())), input.name + " of zeros", input.name);
    const auto letters = letters_of(input.shape);
    for (std::size_t axis = 0; axis < letters.size(); ++axis)
      // An extent that nothing else has to agree with is free.
      if (uses[letters[axis]] > 1)
        expect_refusal(complaints, mechanism, with(longer(array, static_cast<Index>(axis))),
                       fmt::format("{} with axis {} longer", input.name, axis), "");
    for (const double wrong : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
      Tensor<double> spoilt = array;
      spoilt.values().back() = wrong;
      expect_refusal(complaints, mechanism, with(spoilt), fmt::format("{} with {}", input.name, wrong), input.name);
    }
  }
  Call<double> unknown = call;
  unknown.inputs["nonsense"] = Tensor<double>({1});
  expect_refusal(complaints, mechanism, unknown, "an unknown input", "nonsense");
}

void check_settings(Complaints& complaints, const Mechanism& mechanism, const Call<double>& call) {
  Call<double> changed = call;
  changed.settings.emplace("nonsense", "1");
  expect_refusal(complaints, mechanism, changed, "an unknown setting", "nonsense");
  for (const OptionSpec& option : mechanism.options)
    for (const std::string value : {"banana", "", "1e999", "-1e-3,x"}) {
      changed = call;
      changed.settings[option.name] = value;
      expect_refusal(complaints, mechanism, changed, fmt::format("{}={}", option.name, value), option.name);
    }
}

void check_masks(Complaints& complaints, const Mechanism& mechanism, const Call<double>& call) {
  const Index queries = call.inputs.at("q").extent(2);
  const Index keys = call.inputs.at("k").extent(2);
  Call<double> masked = call;
  masked.mask.visible.assign(static_cast<std::size_t>(queries * keys - (mechanism.takes_mask ? 1 : 0)), 1);
  expect_refusal(complaints, mechanism, masked, "a mask that does not fit", "mask");
  masked = call;
  masked.mask.key_lengths = {keys, mechanism.takes_key_lengths ? keys + 1 : keys};
  expect_refusal(complaints, mechanism, masked, "key lengths that do not fit", "key_lengths");
  masked.mask.key_lengths = {keys};
  expect_refusal(complaints, mechanism, masked, "one key length for two sequences", "key_lengths");
}

}  // namespace

Complaints wrong_calls_accepted(const Mechanism& mechanism, const Variant& variant) {
  Complaints complaints;
  const Call<double> call = call_of<double>(mechanism, variant);
  check_inputs(complaints, mechanism, call);
  check_settings(complaints, mechanism, call);
  check_masks(complaints, mechanism, call);
  return complaints;
}

}  // namespace attest::attention
