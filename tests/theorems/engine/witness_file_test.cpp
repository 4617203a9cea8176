#include "theorems/engine/witness_file.hpp"

#include <stdexcept>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace attest::engine {
namespace {

Witness example() {
  Witness witness;
  witness.claim = "paper/claim";
  witness.inputs.add("x", {0.1, -3, 1e-300});
  witness.inputs.add("beta", {1.0 / 3});
  witness.relation = Relation::less;
  witness.precision_bits = 128;
  return witness;
}

TEST(WitnessFile, keeps_every_bit_of_the_inputs_and_their_order) {
  const Witness read = witness_from_json(nlohmann::ordered_json::parse(witness_to_json(example()).dump()), "test");
  EXPECT_EQ(read.inputs, example().inputs);
  EXPECT_EQ(read.claim, example().claim);
  EXPECT_EQ(read.relation, Relation::less);
}

TEST(WitnessFile, keeps_seed_effort_and_level_of_a_stochastic_witness) {
  Witness witness = example();
  witness.kind = WitnessKind::stochastic;
  witness.seed = 0xFFFFFFFFFFFFFFFF;
  witness.effort = 4;
  witness.alpha = 1e-9;
  const Witness read = witness_from_json(witness_to_json(witness), "test");
  EXPECT_EQ(read.seed, witness.seed);
  EXPECT_EQ(read.effort, witness.effort);
  EXPECT_EQ(read.alpha, witness.alpha);
}

TEST(WitnessFile, names_the_file_and_the_key_of_a_corrupt_witness) {
  const auto complaint = [](const auto& spoil) {
    nlohmann::ordered_json json = witness_to_json(example());
    spoil(json);
    try {
      witness_from_json(json, "w.json");
    } catch (const std::invalid_argument& failure) {
      return std::string(failure.what());
    }
    return std::string("accepted");
  };
  const auto mentions = [](const std::string& text, const char* word) { return text.find(word) != std::string::npos; };
  EXPECT_TRUE(mentions(complaint([](auto& j) { j.erase("claim"); }), "'claim'"));
  EXPECT_TRUE(mentions(complaint([](auto& j) { j["inputs"]["x"][0] = "banana"; }), "banana"));
  EXPECT_TRUE(mentions(complaint([](auto& j) { j["inputs"]["x"][0] = "nan"; }), "nan"));
  EXPECT_TRUE(mentions(complaint([](auto& j) { j["inputs"]["x"] = 3; }), "'x'"));
  EXPECT_TRUE(mentions(complaint([](auto& j) { j["relation"] = "<>"; }), "<>"));
  EXPECT_TRUE(mentions(complaint([](auto& j) { j["kind"] = "odd"; }), "odd"));
  EXPECT_TRUE(mentions(complaint([](auto& j) { j["order"] = {"x"}; }), "order"));
  EXPECT_TRUE(mentions(complaint([](auto& j) { j.erase("claim"); }), "w.json"));
}

}  // namespace
}  // namespace attest::engine
