// What is judged is what is trained: a fault planted in a mechanism of the library makes statements about it come out
// otherwise.
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "theorems/engine/registry.hpp"
#include "theorems/engine/runner/runner.hpp"
#include "theorems/engine/verdict_rule.hpp"
#include "theorems/mechanisms/library.hpp"

namespace attest {
namespace {

std::optional<attention::Mechanism> faulty;

}  // namespace

namespace language {

// Linked in the place of theorems/language/mechanisms/judged.cpp.
const attention::Mechanism& judged(std::string_view name) {
  return faulty && faulty->name == name ? *faulty : attention::find_mechanism(name);
}

}  // namespace language

namespace mechanisms {
namespace {

using engine::Verdict;

/// What the suite says of a statement while `mechanism`, unless it is empty, has an input `input` that is larger by a
/// part in 10^6 than the caller's.
Verdict verdict(const char* id, const std::string& mechanism = {}, const std::string& input = {}) {
  faulty.reset();
  if (!mechanism.empty()) {
    faulty = attention::find_mechanism(mechanism);
    faulty->forward_double = [right = faulty->forward_double, input](attention::Call<double> call) {
      for (double& entry : call.inputs.find(input)->second.values()) entry *= 1 + 1e-6;
      return right(call);
    };
  }
  const engine::Claim& claim = engine::find_claim(id);
  const auto context = engine::make_context(claim, "printed", 1, 1, 1e-9);
  const Verdict result = judge(claim.statement.kind, claim.check.run(context)).verdict;
  faulty.reset();
  return result;
}

struct Fault {
  const char* mechanism;
  const char* input;  ///< larger by a part in 10^6; q is the same as a wrong scale
  const char* statement;
};

class PlantedFaultsInTheLibrary : public testing::TestWithParam<Fault> {};

TEST_P(PlantedFaultsInTheLibrary, change_the_verdict_on_a_statement) {
  const Fault fault = GetParam();
  EXPECT_EQ(verdict(fault.statement), engine::find_claim(fault.statement).statement.expected);
  EXPECT_EQ(verdict(fault.statement, fault.mechanism, fault.input), Verdict::error);
}

INSTANTIATE_TEST_SUITE_P(
    , PlantedFaultsInTheLibrary,
    testing::Values(Fault{"softmax", "q", "boosting/eq-2.4"}, Fault{"softmax", "q", "primal-dual/eq-1-3"},
                    Fault{"softmax", "q", "twicing/eq-2"}, Fault{"twicing", "q", "twicing/eq-19"},
                    Fault{"softmax", "v", "twicing/three-steps"},
                    Fault{"bilateral", "qp", "boosting/eq-3.10-identity-w"},
                    Fault{"alibi", "q", "boosting/remark-3.4-alibi"}, Fault{"attention-bn", "k", "primal-dual/eq-24"},
                    Fault{"attention-bn-simplified", "q", "primal-dual/recentring-queries-alone"},
                    Fault{"attention-sh", "v", "primal-dual/remark-5"},
                    Fault{"conv1d", "wq", "primal-dual/def-3-def-4"}, Fault{"conv2d", "wq", "primal-dual/def-3-def-4"},
                    Fault{"linear", "v", "primal-dual/linear-attention"},
                    Fault{"sparse", "q", "primal-dual/eq-16-subset-normaliser"},
                    Fault{"graph-diffusion", "q", "probdr/negative-laplacian"}),
    [](const auto& test) {
      std::string name = std::string(test.param.mechanism) + "_in_" + test.param.statement;
      for (char& c : name)
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
      return name;
    });

}  // namespace
}  // namespace mechanisms
}  // namespace attest
