// Values that are known in closed form or from tables (DLMF), in doubles.
#include <numbers>

#include <gtest/gtest.h>

#include "tests/support/rounding.hpp"
#include "tests/theorems/language/points.hpp"

namespace attest::language {
namespace {

struct Known {
  std::string text;
  double value;
};

class KnownValue : public testing::TestWithParam<Known> {};

TEST_P(KnownValue, IsGiven) {
  constexpr double some_roundings = 64 * tests::unit_roundoff;
  EXPECT_NEAR(value_of(GetParam().text), GetParam().value, some_roundings * std::max(1.0, std::fabs(GetParam().value)))
      << GetParam().text;
}

const std::vector<Known> known = {
    {"1/3 + 1/6", 0.5},
    {"-2^2", -4},
    {"2^3^2", 512},
    {"gamma(1/2)", std::sqrt(std::numbers::pi)},
    {"digamma(1)", -std::numbers::egamma},
    {"lgamma(101)", 363.73937555556349},
    {"beta(2, 3)", 1.0 / 12},
    {"binomial(50, 25)", 126410606437752},
    {"factorial(20)", 2432902008176640000},
    {"erf(1)", 0.84270079294971487},
    {"erfinv(erf(0.3))", 0.3},
    {"normal_cdf(1.959963984540054)", 0.975},
    {"normal_quantile(0.975)", 1.959963984540054},
    {"gelu(1)", 0.84134474606854293},
    {"gelu_tanh(1)", 0.84119199060827676},
    {"silu(1)", 0.73105857863000488},
    {"softplus(0)", std::numbers::ln2},
    {"cbrt(-8)", -2},
    {"norm([3, 4])", 5},
    {"norm([3, -4], 1)", 7},
    {"norm([3, -4], inf)", 4},
    {"norm([1, 1], 3)", std::cbrt(2)},
    {"opnorm([3, 0; 0, -4])", 4},
    {"norm([1, -2; 3, 4], 1)", 6},
    {"norm([1, -2; 3, 4], inf)", 7},
    {"frobenius([1, 2; 3, 4])", std::sqrt(30)},
    {"det([1, 2; 3, 4])", -2},
    {"trace([1, 2; 3, 4])", 5},
    {"([1, 2; 3, 4]^2)[2, 1]", 15},
    {"inverse([2, 0; 0, 4])[2, 2]", 0.25},
    {"logdet([2, 0; 0, 4])", std::log(8)},
    {"singular_values([3, 0; 0, -4])[1]", 4},
    {"eigmin(diag([2, 1]))", 1},
    {"dobrushin([1, 0; 0, 1])", 1},
    {"dobrushin([1/2, 1/2; 1/2, 1/2])", 0},
    {"osc([1, 5; 2, 9])", 4},
    {"range([1, 5; 2, 9])", 8},
    {"var([1, 2, 3, 4])", 1.25},
    {"std([1, 2, 3, 4])", std::sqrt(1.25)},
    {"entropy([1/2, 1/2, 0])", std::numbers::ln2},
    {"kl([1, 0], [1/2, 1/2])", std::numbers::ln2},
    {"kl([0, 1], [0, 1])", 0},
    {"tv([1, 0], [0, 1])", 1},
    {"logsumexp([1000, 1000])", 1000 + std::numbers::ln2},
    {"softmax([0, log(3)])[2]", 0.75},
    {"layernorm([1, 3], eps = 0)[1]", -1},
    {"rmsnorm([3, 4], 0)[2]", 4 / std::sqrt(12.5)},
    {"sum(i in 1..100: i)", 5050},
    {"prod(i in 1..5: i)", 120},
    {"max(i in 1..3: (-1)^i*i)", 2},
    {"sum(causal_mask(4))", 10},
    {"cumsum([1, 2, 3])[3]", 6},
    {"sort([3, 1, 2])[1]", 1},
    {"rows([1, 2; 3, 4; 5, 6])", 3},
    {"norm([1e200, 1e200])", std::sqrt(2) * 1e200},
    {"floor(-7/2)", -4},
    {"mod(-7, 3)", 2},
    {"mod(7, -3)", -2},
    {"mod(sqrt(2) + 5, 2)", std::sqrt(2) - 1},
    {"det([1, 2, 3; 4, 5, 6; 7, 8, 10][1..2, 2..3])", -3},
    {"sum([1, 2, 3; 4, 5, 6; 7, 8, 10][2..3, 3])", 16},
};

INSTANTIATE_TEST_SUITE_P(Table, KnownValue, testing::ValuesIn(known));

TEST(Logarithms, OfWhatUnderflowsAreStillNumbers) {
  EXPECT_EQ(value_of("log(softmax([0, 2000]))[1]"), -2000);
  EXPECT_EQ(value_of("log(softmax([0, 2000])[1])"), -2000);
  EXPECT_EQ(value_of("log(softmax([0, 2000; 0, 0]))[1, 1]"), -2000);
  EXPECT_EQ(value_of("kl(softmax([0, 2000]), softmax([2000, 0]))"), 2000);
  constexpr double of_a_sum =
      8 * tests::unit_roundoff * 1000;  // a logarithm and a product for each entry, and their sum
  EXPECT_NEAR(value_of("kl([1/2, 1/2], softmax([2000, 0]))"), 1000 - std::numbers::ln2, of_a_sum);
  EXPECT_EQ(value_of("log(sum(exp([1000, 0])))"), 1000);
  EXPECT_EQ(value_of("log(sum(i in 1..2: exp(1000*i)))"), 2000);
  EXPECT_EQ(value_of("log(sigmoid(-2000))"), -2000);
}

TEST(Undefined, IsNoNumberAndIsNamed) {
  for (const char* text :
       {"1/log(1)", "log(1)/log(1)", "log(0)", "log(-1)", "sqrt(-1)", "0^(-1)", "(-1)^(1/2)", "asin(2)", "lgamma(-1)",
        "gamma(0)", "kl([1, 0], [0, 1])", "entropy([-1, 2])", "logdet([0, 1; 1, 0])"})
    EXPECT_TRUE(std::isnan(value_of(text))) << text;
  EXPECT_TRUE(std::isnan(value_of("inverse([1, 2; 2, 4])[1, 1]")));
}

}  // namespace
}  // namespace attest::language
