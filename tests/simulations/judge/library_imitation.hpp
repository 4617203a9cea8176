// The library's own mechanisms as a target in the tests' process, with a fault where one is planted.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "kernels/attention/mechanism/mechanism.hpp"
#include "simulations/arrays/rounding.hpp"
#include "simulations/judge/target/target.hpp"

namespace attest::judge {

/// What a fault sees and may change: the inputs before the call, the output after it.
struct Seen {
  attention::Arrays<double>& inputs;
  attention::Tensor<double>* out;        ///< nullptr before the call
  attention::Arrays<double>* gradients;  ///< nullptr before the call
  int calls;                             ///< this one counted
};

class LibraryImitation : public Target {
 public:
  explicit LibraryImitation(const std::string& mechanism, std::function<void(const Seen&)> fault = {})
      : mechanism_(attention::find_mechanism(mechanism)), fault_(std::move(fault)) {
    signature_.any = signature_.differentiates = true;
    signature_.parameters = {"key_lengths"};  // which the contract's list lacks
  }
  const Signature& signature() const override { return signature_; }

  Answer call(const Request& request) override {
    ++calls_;
    attention::Call<double> call;
    for (const auto& [name, array] : request.arrays)
      if (name == "mask")
        put_mask(array, call.mask);
      else if (name == "key_lengths")
        call.mask.key_lengths = lengths_in(array);
      else if (name != "dout")
        call.inputs[name] = {array.shape, arrays::floating_values<double>(array)};
    for (const auto& [name, value] : request.options.items())
      if (!value.is_null()) call.settings[name] = setting(value);
    for (const attention::OptionSpec& option : mechanism_.options)
      if (option.name == "alignment" && !call.settings.contains(option.name))
        call.settings[option.name] = "bottom-right";
    if (fault_) fault_({call.inputs, nullptr, nullptr, calls_});
    try {
      return in_type(request.arrays.at("q").type, request, call);
    } catch (const std::invalid_argument& refusal) {
      // The library refuses NaN and infinity in what some query sees.
      Answer answer;
      answer.status = Answer::Status::absent;
      answer.message = refusal.what();
      return answer;
    }
  }

 private:
  static std::vector<attention::Index> lengths_in(const arrays::Array& array) {
    std::vector<std::int32_t> narrow(static_cast<std::size_t>(array.shape.front()));
    std::memcpy(narrow.data(), array.bytes.data(), array.bytes.size());
    return {narrow.begin(), narrow.end()};
  }

  static void put_mask(const arrays::Array& array, attention::Mask& mask) {
    mask.visible.assign(array.bytes.begin(), array.bytes.end());
    if (array.shape.size() == 4) mask.visible_sequences = array.shape[0], mask.visible_heads = array.shape[1];
  }

  /// An option as the library writes it: "3,2" for a list, "bottom-right" for bottom_right.
  static std::string setting(const nlohmann::json& value) {
    std::string text = value.is_string() ? value.get<std::string>() : value.dump();
    if (value.is_array()) text = text.substr(1, text.size() - 2);
    if (text == "bottom_right" || text == "top_left") std::ranges::replace(text, '_', '-');
    return text;
  }

  /// float32 is computed in float, what is narrower in double and rounded once.
  Answer in_type(ElementType type, const Request& request, const attention::Call<double>& call) {
    attention::Tensor<double> out;
    attention::Arrays<double> gradients;
    const auto dout = request.arrays.find("dout");
    const auto evaluated = [&]<typename T>(const attention::Call<T>& typed) {
      attention::Evaluation<T> evaluation = evaluate(mechanism_, typed);
      out = converted<double>(evaluation.out);
      if (dout == request.arrays.end()) return;
      const attention::Tensor<double> weights{dout->second.shape, arrays::floating_values<double>(dout->second)};
      for (const auto& [name, gradient] : evaluation.backward(converted<T>(weights)))
        gradients[name] = converted<double>(gradient);
    };
    if (type == ElementType::float32) {
      attention::Call<float> narrow;
      for (const auto& [name, array] : call.inputs) narrow.inputs[name] = converted<float>(array);
      narrow.settings = call.settings, narrow.mask = call.mask;
      evaluated(narrow);
    } else {
      evaluated(call);
    }
    attention::Arrays<double> inputs = call.inputs;
    if (fault_) fault_({inputs, &out, &gradients, calls_});
    Answer answer;
    answer.arrays["out"] = array_in(type, out.shape(), out.values());
    for (const auto& [name, gradient] : gradients)
      answer.arrays["d" + name] = array_in(type, gradient.shape(), gradient.values());
    return answer;
  }

  template <typename To, typename From>
  static attention::Tensor<To> converted(const attention::Tensor<From>& array) {
    return {array.shape(), std::vector<To>(array.values().begin(), array.values().end())};
  }

  const attention::Mechanism& mechanism_;
  std::function<void(const Seen&)> fault_;
  Signature signature_;
  int calls_ = 0;
};

}  // namespace attest::judge
