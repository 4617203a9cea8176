// The mechanisms as LibTorch operations against the library's kernels, which are tested against plain formulas.
#include "simulations/models/attention_operations.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "kernels/attention/mechanism/example_call.hpp"
#include "tests/kernels/attention/mechanisms/mechanism_calls.hpp"
#include "tests/support/scratch_folder.hpp"

namespace attest::models {
namespace {

using at::Tensor;
using attention::Index;
using attention::Mechanism;
using attention::Variant;

constexpr Index batch = 2, heads = 4, tokens = 12, dim = 4, width = heads * dim;

/// Both ways are exact up to rounding, and no example amplifies it by more than 1e4 (1/epsilon of a variance near zero
/// is 1e5 for the first key alone, where the softmax has one entry and no gradient).
constexpr double tolerance = 1e-11;
/// bfloat16 keeps 8 bits. Logits of a few units are off by a few 2^-8, so the weights by a few percent, and values and
/// gradients pass through about ten such roundings.
constexpr double half_tolerance = 0.15;

Tensor drawn(at::IntArrayRef shape, std::uint64_t seed) {
  return at::randn(shape, at::make_generator<at::CPUGeneratorImpl>(seed), at::TensorOptions(at::kDouble));
}

/// What a model can give a mechanism besides q, k and v.
ExtraInputs extras(const Mechanism& mechanism, const Variant& variant) {
  attention::Letters letters = attention::example_letters();
  letters["D_v"] = dim;
  ExtraInputs all;
  for (const attention::InputSpec& input : mechanism.inputs) {
    if (input.name == "q" || input.name == "k" || input.name == "v") continue;
    const auto named = [&](const std::vector<std::string>& names) {
      return std::find(names.begin(), names.end(), input.name) != names.end();
    };
    if (named(variant.left_out) || !(input.required || input.shown || named(variant.optional_inputs))) continue;
    const auto other = variant.other_shapes.find(input.name);
    const std::string& shape = other != variant.other_shapes.end() ? other->second : input.shape;
    const auto array = attention::example_array<double>(attention::shape_of(shape, letters), input.name, 7);
    Tensor tensor = at::tensor(std::vector<double>(array.values().begin(), array.values().end()), at::kDouble)
                        .reshape(at::IntArrayRef(array.shape().data(), array.shape().size()));
    if (input.positive) tensor = tensor.abs() + 0.5;
    all.emplace_back(input.name, tensor);
  }
  return all;
}

using Attend = Tensor (*)(const AttentionCall&, const Tensor&, Index, const ExtraInputs&);

/// The output and the gradients of sum(out * r) by qkv and every other input.
std::vector<Tensor> value_and_gradients(Attend attend, const AttentionCall& call, const ExtraInputs& given,
                                        at::ScalarType type) {
  std::vector<Tensor> leaves = {drawn({batch, tokens, 3 * width}, 1).to(type).requires_grad_(true)};
  ExtraInputs extra;
  for (const auto& [name, tensor] : given) {
    leaves.push_back(tensor.to(type).detach().clone().requires_grad_(true));
    extra.emplace_back(name, leaves.back());
  }
  const Tensor out = attend(call, leaves.front(), heads, extra);
  const Tensor loss = (out * drawn({batch, tokens, width}, 3).to(type)).sum();
  std::vector<Tensor> all = torch::autograd::grad({loss}, leaves, {}, false, false, true);
  all.push_back(out.detach());
  return all;
}

void expect_equal(const std::vector<Tensor>& found, const std::vector<Tensor>& expected, double within,
                  const std::string& what) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    // An input that the result does not depend on has no gradient in the one way and zeros in the other.
    const Tensor one = found[i].defined() ? found[i].to(at::kDouble) : at::zeros_like(expected[i]);
    const double most = expected[i].abs().max().item<double>();
    const double error = (one - expected[i]).abs().max().item<double>();
    EXPECT_TRUE(error <= within * std::max(1.0, most))
        << what << ", array " << i << ": off by " << error << " of " << most;
  }
}

/// Whether the variant has an option or input that the kernels alone can do.
bool asks_for_kernels(const Mechanism& mechanism, const Variant& variant) {
  const auto& optional = variant.optional_inputs;
  return std::any_of(
             mechanism.options.begin(), mechanism.options.end(),
             [&](const auto& option) { return option.kernels_alone && variant.settings.contains(option.name); }) ||
         std::any_of(mechanism.inputs.begin(), mechanism.inputs.end(), [&](const auto& input) {
           return input.kernels_alone && (variant.other_shapes.contains(input.name) ||
                                          std::find(optional.begin(), optional.end(), input.name) != optional.end());
         });
}

class Operations : public testing::TestWithParam<std::string> {
 protected:
  /// Every variant of the mechanism that a model can have, with and without lengths where it takes them.
  template <typename Function>
  void for_each_call(Function function) const {
    const Mechanism& mechanism = attention::find_mechanism(GetParam());
    for (const Variant& variant : attention::variants_of(mechanism)) {
      if (variant.fewer_queries || variant.grouped_heads || asks_for_kernels(mechanism, variant)) continue;
      if (const auto pattern = variant.settings.find("pattern");
          pattern != variant.settings.end() && pattern->second == "mask")
        continue;
      for (const std::vector<Index>& lengths :
           {std::vector<Index>{}, std::vector<Index>{12, 7}, std::vector<Index>{2, 0}}) {
        if (!lengths.empty() && !mechanism.takes_key_lengths) continue;
        AttentionCall call{&mechanism, variant.settings, false, lengths};
        std::string what = lengths.empty() ? "no lengths" : "lengths " + std::to_string(lengths[0]);
        for (const auto& [name, value] : variant.settings) what += ", " + name + "=" + value;
        function(call, extras(mechanism, variant), what);
      }
    }
  }
};

TEST_P(Operations, have_the_values_and_gradients_of_the_kernels) {
  for_each_call([](const AttentionCall& call, const ExtraInputs& extra, const std::string& what) {
    expect_equal(value_and_gradients(&attend_by_operations, call, extra, at::kDouble),
                 value_and_gradients(&attend_packed, call, extra, at::kDouble), tolerance, what);
  });
}

TEST_P(Operations, take_bfloat16) {
  for_each_call([](const AttentionCall& call, const ExtraInputs& extra, const std::string& what) {
    if (!call.key_lengths.empty()) return;
    const auto found = value_and_gradients(&attend_by_operations, call, extra, at::kBFloat16);
    EXPECT_EQ(found.back().scalar_type(), at::kBFloat16) << what;
    for (const Tensor& one : found) EXPECT_TRUE(!one.defined() || at::isfinite(one).all().item<bool>()) << what;
  });
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const Mechanism& mechanism : attention::mechanisms())
    if (mechanism.name != "independent-positions") all.push_back(mechanism.name);
  return all;
}

std::string test_name(const testing::TestParamInfo<std::string>& tested) {
  std::string name = tested.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Attention, Operations, testing::ValuesIn(names()), test_name);

TEST(SoftmaxByOperations, is_off_by_bfloat16_s_rounding) {
  const AttentionCall call{&attention::find_mechanism("softmax"), {}, true};
  expect_equal(value_and_gradients(&attend_by_operations, call, {}, at::kBFloat16),
               value_and_gradients(&attend_packed, call, {}, at::kDouble), half_tolerance, "softmax");
}

TEST(DropoutByOperations, keeps_the_mean_and_is_a_function_of_the_seed) {
  AttentionCall call{&attention::find_mechanism("softmax"), {}};
  call.dropout = {0.25, 5};
  Tensor qkv = drawn({batch, tokens, 3 * width}, 1);
  qkv.narrow(2, 2 * width, width).fill_(1);
  const Tensor once = attend_by_operations(call, qkv, heads);
  EXPECT_TRUE(once.equal(attend_by_operations(call, qkv, heads)));
  call.dropout.seed = 6;
  EXPECT_FALSE(once.equal(attend_by_operations(call, qkv, heads)));
  // Each of 96 rows is a mean of 12 weights kept with probability 3/4: its deviation is at most sqrt(1/3) where one
  // weight has it all, so the mean of all is off by more than that but once in three million.
  const double deviation = std::sqrt(1.0 / 3 / 96), z = 5.1;
  EXPECT_NEAR(once.mean().item<double>(), 1, z * deviation);
}

TEST(OperationsRefuse, what_they_do_not_know) {
  const Tensor qkv = drawn({batch, tokens, 3 * width}, 1);
  AttentionCall call{&attention::find_mechanism("independent-positions"), {}};
  EXPECT_THROW(attend_by_operations(call, qkv, heads), std::invalid_argument);
  call = {&attention::find_mechanism("softmax"), {{"colour", "red"}}};
  EXPECT_NE(test_support::message_of<std::invalid_argument>([&] {
              attend_by_operations(call, qkv, heads);
            }).find("colour=red"),
            std::string::npos);
}

TEST(OperationsRefuse, what_the_kernels_alone_can_do) {
  const Tensor qkv = drawn({batch, tokens, 3 * width}, 1);
  const Mechanism& softmax = attention::find_mechanism("softmax");
  const auto message = [&](const attention::Settings& settings, const ExtraInputs& extra) {
    return test_support::message_of<std::invalid_argument>([&] {
      attend_by_operations({&softmax, settings}, qkv, heads, extra);
    });
  };
  EXPECT_NE(message({{"window", "3"}}, {}).find("option window"), std::string::npos);
  EXPECT_NE(message({}, {{"sinks", drawn({heads}, 2)}}).find("input sinks"), std::string::npos);
}

}  // namespace
}  // namespace attest::models
