// Every mechanism of the library is a function of the language.
#include "theorems/language/evaluation/attention_call.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include "kernels/attention/mechanism/mechanism.hpp"
#include "tests/theorems/language/points.hpp"
#include "theorems/language/evaluation/decide.hpp"

namespace attest::language {
namespace {

/// One head of 12 = 3 x 4 tokens.
const std::map<std::string, std::string> extents = {{"N", "12"},  {"N_q", "12"}, {"N_k", "12"}, {"D", "4"},
                                                    {"D_v", "4"}, {"C", "2"},    {"s", "3"},    {"r", "5"}};

/// "R^(12, 4)" for "[B][H][N][D]": without the axes of sequences and heads.
std::string set_for(const std::string& shape) {
  std::vector<std::string> axes;
  for (std::size_t at = shape.find('['); at != std::string::npos; at = shape.find('[', at + 1)) {
    const std::string letter = shape.substr(at + 1, shape.find(']', at) - at - 1);
    if (letter != "B" && letter != "H" && letter != "H_kv") axes.push_back(extents.at(letter));
  }
  if (axes.empty()) return "R";
  return axes.size() == 1 ? "R^" + axes[0] : "R^(" + axes[0] + ", " + axes[1] + ")";
}

TEST(AttentionCalls, ReachEveryMechanismWithItsGradient) {
  for (const auto& mechanism : attention::mechanisms()) {
    SCOPED_TRACE(mechanism.name);
    std::string binders, options;
    int number = 0;
    for (const auto& input : mechanism.inputs) {
      if (!input.required) continue;
      const std::string variable = "a" + std::to_string(++number);
      binders += (number == 1 ? "" : ", ") + variable + " in " + set_for(input.shape);
      if (number > 3) options += ", " + input.name + " = " + variable;
    }
    // What has no default is given: factors one number a head.
    for (const auto& option : mechanism.options)
      if (option.fallback.empty())
        options += ", " + option.name + " = " + (option.name == "factors" ? "2" : "[" + option.example + "]");
    const auto e =
        expression_over(binders, "sum(attention(\"" + mechanism.name + "\", a1, a2, a3" + options + ") .^ 2)");
    Evaluator at(e.program);
    auto raw = moderate_point(e.program, 4);
    at.run(raw);
    ASSERT_TRUE(std::isfinite(at.value(e.result)[0]));
    std::vector<double> gradient(raw.size());
    at.gradient(e.result, std::vector<double>{1}, gradient);
    double largest = 0;
    for (const double g : gradient) largest = std::max(largest, std::fabs(g));
    EXPECT_GT(largest, 0);
    // Central differences with h = 1e-5: h^2 f'''/6 of about 1e-10 times the third derivative, and eps f/h = 1e-11 f.
    constexpr double h = 1e-5, digits = 1e-5;
    for (std::size_t k = 0; k < raw.size(); k += 37) {
      const double middle = raw[k];
      raw[k] = middle + h;
      at.run(raw);
      const double ahead = at.value(e.result)[0];
      raw[k] = middle - h;
      at.run(raw);
      const double behind = at.value(e.result)[0];
      raw[k] = middle;
      EXPECT_NEAR(gradient[k], (ahead - behind) / (2 * h), digits * largest) << "raw number " << k;
    }
  }
}

/// Calls that balls know by a definition, with the sets of their arrays.
struct Defined {
  std::string binders, call;
};

TEST(AttentionCalls, AgreeWithTheirDefinitionsInBalls) {
  const std::string usual = "q, k in R^(6, 3), v in R^(6, 2)";
  const std::vector<Defined> calls = {
      {usual, R"("softmax", q, k, v)"},
      {usual, R"("softmax", q, k, v, causal = true)"},
      {usual, R"("twicing", q, k, v)"},
      {usual, R"("attention-bn", q, k, v)"},
      {usual, R"("attention-bn", q, k, v, eps = 0.1)"},
      {usual + ", b in R", R"("attention-bn", q, k, v, beta = b)"},
      {usual, R"("attention-bn-simplified", q, k, v)"},
      {usual + ", b in R", R"("attention-bn-simplified", q, k, v, beta = b)"},
      {usual, R"("attention-sh", q, k, v, factors = 2)"},
      {usual, R"("attention-sh", q, k, v, factors = 4)"},
      {usual, R"("linear", q, k, v)"},
      {usual, R"("linear", q, k, v, eps = 0.1)"},
      {usual, R"("sparse", q, k, v, stride = 1)"},
      {usual, R"("sparse", q, k, v, stride = 2)"},
      {usual + ", w in R^3", R"("conv1d", q, k, v, wq = w)"},
      {usual + ", w, u in R^2", R"("conv1d", q, k, v, wq = w, wk = u)"},
      {usual + ", w in R^(3, 3)", R"("conv2d", q, k, v, wq = w, grid = [2, 3])"},
      {usual + ", w, u in R^(2, 2)", R"("conv2d", q, k, v, wq = w, wk = u, grid = [3, 2])"},
      {usual, R"("conv2d", q, k, v, wq = [1, 0; 0, 0], grid = [3, 2])"},
      {usual, R"("conv1d", q, k, v, wq = [0.5, -1, 2])"},
  };
  for (const Defined& each : calls) {
    SCOPED_TRACE(each.call);
    const auto e = expression_over(each.binders, "attention(" + each.call + ")");
    const auto raw = moderate_point(e.program, 3);
    Evaluator doubles(e.program);
    doubles.run(raw);
    BallEvaluator balls(e.program);
    balls.run(std::vector<rigor::Ball>(raw.begin(), raw.end()));
    const auto got = doubles.value(e.result);
    const auto meant = balls.value(e.result);
    double largest = 0;
    for (const rigor::Ball& entry : meant) largest = std::max(largest, std::abs(entry.mid()));
    // What the library promises, relative to the largest entry.
    constexpr double promised = 1e-12;
    for (std::size_t i = 0; i < got.size(); ++i) {
      ASSERT_TRUE(meant[i].is_finite()) << "balls know nothing of it";
      EXPECT_NEAR(got[i], meant[i].mid(), promised * largest);
    }
  }
}

TEST(AttentionCalls, AreUnknownToBallsWhereNoDefinitionKnowsTheSetting) {
  for (const std::string call : {R"("attention-bn", q, k, v, causal = true)", R"("sparse", q, k, v, pattern = "fixed")",
                                 R"("attention-sh", q, k, v, factors = 2, remainder = "floor")"}) {
    SCOPED_TRACE(call);
    const auto e = expression_over("q, k, v in R^(6, 3)", "attention(" + call + ")");
    const auto raw = moderate_point(e.program, 3);
    BallEvaluator balls(e.program);
    balls.run(std::vector<rigor::Ball>(raw.begin(), raw.end()));
    EXPECT_FALSE(balls.value(e.result)[0].is_finite());
  }
}

}  // namespace
}  // namespace attest::language
