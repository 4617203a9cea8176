// Statements that stand or fall by a point that a search in doubles passes by: ties, closed ends that no double is, the
// last of many cases, far scales, the end of declared sizes.
#include <gtest/gtest.h>

#include "theorems/referee/judge.hpp"

namespace attest::referee {
namespace {

enum class Judged { stands, refuted, undecided };

struct Boundary {
  const char* name;
  const char* statement;
  Judged judged;
};

class BoundaryStatement : public testing::TestWithParam<Boundary> {};

TEST_P(BoundaryStatement, IsJudgedAsItIs) {
  JudgeOptions options;
  options.near_misses = false;
  options.threads = 1;
  const Outcome outcome = judge(GetParam().statement, options);
  const Judged judged = outcome.stands()                              ? Judged::stands
                        : outcome.verdict == engine::Verdict::refuted ? Judged::refuted
                                                                      : Judged::undecided;
  EXPECT_EQ(judged, GetParam().judged) << outcome.reason << "\n" << outcome.domain;
}

INSTANTIATE_TEST_SUITE_P(
    Judge, BoundaryStatement,
    testing::Values(
        // The end of the sizes, beyond those usually searched.
        Boundary{"LastSize", "forall n in 1..100, x in [0, 1]^n: sum(x) <= 99.5", Judged::refuted},
        Boundary{"SizesThatBeginFarOut", "forall d in 64..128, q in R^d: norm(q, 1) <= 127.5*norm(q, inf)",
                 Judged::refuted},
        // One size of many, which no spread of sizes takes.
        Boundary{"OneSizeInside", "forall n in 1..64, x in R^n: max(x) - min(x) <= (2 - 0.7*exp(-(n - 37)^2))*norm(x)",
                 Judged::refuted},
        Boundary{"OneSizeOfTwoInside",
                 "forall n, d in 1..48, A in [-0.1, 0.1]^(n, d): norm(A, fro)/2 <= 100*((n - 29)^2 + (d - 2)^2)",
                 Judged::refuted},
        Boundary{"NoSizeOfTwoInside",
                 "forall n, d in 1..48, A in [-0.1, 0.1]^(n, d): norm(A, fro)/2 <= 3 + (n - 29)^2 + (d - 2)^2",
                 Judged::stands},
        // One case of many.
        Boundary{"OneOfManyPairs", "forall m, n in 1..200: (m - 137)^2 + (n - 59)^2 >= 1", Judged::refuted},
        Boundary{"OneOfAMillion", "forall n in 1..1000000: (n - 612370)^2 >= 1", Judged::refuted},
        Boundary{"TieBesideEquations", "forall n in 1..60: 2^n > n^2 or n = 2 or n = 3", Judged::refuted},
        // All of many cases.
        Boundary{"NoCaseOfMany", "exists a, b in 1..200: a^3 + b^3 = 1730", Judged::refuted},
        Boundary{"AllOfMany", "forall n in 1..20000: abs(sin(n)) >= 1/(100*n)", Judged::stands},
        Boundary{"LongSums", "forall n in 1..20000: sum(i in 1..n: sum(j in 1..i: 1/(i + j))) <= n", Judged::stands},
        Boundary{"LongSumsOff", "forall n in 1..3000: sum(i in 1..n: 1/i^2) <= 1.6445", Judged::refuted},
        // Conditions that are linear equations, which short numbers meet.
        Boundary{"CentredVectors", "forall n in 2..6, x in R^n where sum(x) = 0: norm(x, inf) <= 0.8*norm(x)",
                 Judged::refuted},
        Boundary{"CentredVectorsHold",
                 "forall n in 2..6, x in R^n where sum(x) = 0: norm(x, inf) <= sqrt((n - 1)/n)*norm(x)",
                 Judged::stands},
        Boundary{"TwoEquations", "forall x in R^5 where sum(x) = 0 and x[1] = 2*x[2]: norm(x, inf) <= 0.85*norm(x)",
                 Judged::refuted},
        // Far scales.
        Boundary{"LargeNumbers", "forall x in R: abs(x) <= 1e9 + x^2/1e10", Judged::refuted},
        Boundary{"VeryLargeNumbers", "forall x in [1, inf): log(x) <= 36.7*x^0.01", Judged::refuted},
        Boundary{"ConditionsThatRoundingMeets",
                 "forall n in 2..8, x in R^n, m in [0, 20] where x[1] >= max(x[2..n]) + m: "
                 "softmax(x)[1] >= 1/(1 + (n - 1)*exp(-m))",
                 Judged::stands},
        // Valleys of positive numbers: Shapiro's cyclic sum lies below n/2 from n = 14 on (Lighthill 1956; Troesch
        // 1985: it does not for n = 12).
        Boundary{"CyclicSumOf24",
                 "forall x in (0, 10]^24: sum(i in 1..22: x[i]/(x[i+1] + x[i+2])) + x[23]/(x[24] + x[1]) + "
                 "x[24]/(x[1] + x[2]) >= 12",
                 Judged::refuted},
        Boundary{"CyclicSumOf12",
                 "forall x in (0, 10]^12: sum(i in 1..10: x[i]/(x[i+1] + x[i+2])) + x[11]/(x[12] + x[1]) + "
                 "x[12]/(x[1] + x[2]) >= 6",
                 Judged::stands},
        Boundary{"FarPositiveNumbers", "forall x, y, z in [2e6, 1e9]: x/y + y/z + z/x >= 3", Judged::stands},
        // Ends that no double is.
        Boundary{"ClosedThird", "forall x in [0, 1/3]: 3*x < 1", Judged::undecided},
        Boundary{"OpenThird", "forall x in [0, 1/3): 3*x < 1", Judged::stands},
        Boundary{"ThirdReached", "forall x in [0, 1/3]: 3*x <= 1", Judged::stands},
        Boundary{"ClosedPi", "forall x in (0, pi]: sin(x) > 0", Judged::undecided},
        Boundary{"OpenPi", "forall x in (0, pi): sin(x) > 0", Judged::stands},
        // Sides that touch where no double is, and sides that do not.
        Boundary{"RootOfTwo", "forall x in R: x^2 - 2*sqrt(2)*x + 2 > 0", Judged::undecided},
        Boundary{"KinkAtAThird", "forall x in [0, 1]: abs(x - 1/3) > 0", Judged::undecided},
        Boundary{"ShortNumbers", "forall x, y in R: (x - y)^2 + (x*y - 1e8)^2 > 0", Judged::refuted},
        Boundary{"NearlyTouching", "forall x in R: (x^2 - 2)^2 + 1e-9 > 0", Judged::stands},
        Boundary{"Saturated", "forall x in R: -1 < tanh(x) < 1", Judged::stands},
        Boundary{"OpenEnd", "forall x in (1, inf): x + 1/x > 2", Judged::stands},
        // Sides that are one double, and differ.
        Boundary{"ThirdInDoubles", "1/3 = 0.3333333333333333", Judged::refuted},
        Boundary{"RootsInDoubles", "sqrt(2)*sqrt(3) = 2.449489742783178", Judged::refuted},
        Boundary{"RootsThemselves", "sqrt(2)*sqrt(3) = sqrt(6)", Judged::stands},
        Boundary{"EulerInDoubles", "exp(1) <= 2.718281828459045", Judged::refuted},
        Boundary{"ThirdOfEach", "forall x in R: x/3 = 0.3333333333333333333*x", Judged::refuted},
        Boundary{"EndInDoubles", "forall x in [0, 1]: sin(x) <= 0.8414709848078965", Judged::refuted},
        Boundary{"MatrixInDoubles", "trace([1, 2; 3, 4]*[1/3, 0; 0, 1]) = 4.333333333333333", Judged::refuted},
        // Structures that no draw meets.
        Boundary{"OneColumn", "forall n in 1..48, A in stochastic(n, n), x in R^n: norm(A*x) <= 6.9*norm(x)",
                 Judged::refuted},
        Boundary{"SlowestWave",
                 "forall n in 2..40, x in R^n: sum(i in 1..n-1: (x[i+1] - x[i])^2) >= "
                 "0.0063*sum(i in 1..n: (x[i] - mean(x))^2)",
                 Judged::refuted},
        // Next to open ends, where no draw falls.
        Boundary{"NextToOne", "forall x in [0, 1): 1/(1 - x) <= 1e12", Judged::refuted},
        Boundary{"NextToZero", "forall x in (0, 1): log(x) >= -50", Judged::refuted},
        Boundary{"NextToOneTogether", "forall x in (0, 1)^2: x[1]*x[2] <= 1 - 1e-12", Judged::refuted},
        // Sides that are one double far out, or none.
        Boundary{"SaturatedTanh", "forall x in R: tanh(x) <= 1 - 1e-17", Judged::refuted},
        Boundary{"SaturatedErf", "forall x in R: 1 - exp(-1.01*x^2) <= erf(x)^2", Judged::refuted},
        Boundary{"SaturatedErfHolds", "forall x in R: 1 - exp(-x^2) <= erf(x)^2", Judged::stands},
        Boundary{"OverflowingGamma", "forall x in (0, inf): gamma(x + 1) >= 1.0001*sqrt(2*pi*x)*(x/e)^x",
                 Judged::refuted},
        // Mechanisms that balls do not know: what doubles deny is not supported.
        Boundary{"EquationOfAlibi", "forall q, k, v in R^(4, 2): attention(\"alibi\", q, k, v) = 5", Judged::undecided},
        Boundary{"WindowedSoftmax",
                 "forall q, k, v in R^(4, 2): attention(\"softmax\", q, k, v, window = 1) = "
                 "attention(\"softmax\", q, k, v)",
                 Judged::undecided},
        Boundary{"BoundOfAlibi", "forall q, k, v in R^(4, 2): max(attention(\"alibi\", q, k, v)) <= max(v)",
                 Judged::stands},
        // Expectations without an enclosure, infinite ones, and strict relations at equality.
        Boundary{"WideExpectation", "random g ~ normal(0, 1): E[exp(0.49*g^2)] <= 5", Judged::undecided},
        Boundary{"InfiniteExpectation", "random u ~ uniform(0, 1): E[1/u] <= 1000", Judged::undecided},
        Boundary{"InfiniteExpectationFromBelow", "random u ~ uniform(0, 1): E[1/u] >= 1000", Judged::undecided},
        Boundary{"StrictAtEquality", "random g ~ normal(0, 1): E[abs(g)] < sqrt(2/pi)", Judged::undecided},
        Boundary{"AllowedEquality", "random g ~ normal(0, 1): E[abs(g)] <= sqrt(2/pi)", Judged::stands},
        // Limits that powers of 2 do not tell, and sequences too slow for any grid.
        Boundary{"OddNumbers", "limit n -> inf: (-1)^n = 1", Judged::refuted},
        Boundary{"BetweenPowers", "limit n -> inf: 2^floor(log(n)/log(2) + 0.000001)/n = 1", Judged::refuted},
        Boundary{"OrderAtOddNumbers", "n^(1 - (-1)^n) = O(1)", Judged::refuted},
        Boundary{"PassesThroughTheLimit", "limit n -> inf: sum(i in 1..n: 1/i)/log(n) = 1.05", Judged::undecided},
        Boundary{"StillGrowing", "limit n -> inf: sqrt(n)/(sqrt(n) + 10^6*n^0.49) = 1", Judged::stands},
        // Solutions that are not doubles.
        Boundary{"DottieNumber", "exists x in [0, 1]: cos(x) = x", Judged::stands},
        Boundary{"Poles", "exists x in [-1, 1]: floor(x) = -1/2", Judged::undecided},
        Boundary{"NoRoot", "exists x in R: x^2 = -1", Judged::refuted},
        Boundary{"RootForEach", "forall y in [0, 1]: exists x in [0, 1]: x^2 = y", Judged::stands},
        Boundary{"NoSolutionInABox", "exists x in [0, 10]: exp(x) = x", Judged::refuted},
        // Sides that are said to differ.
        Boundary{"UnequalToARoot", "forall x in R: x^2 != 2", Judged::refuted},
        Boundary{"UnequalToTheDottieNumber", "forall x in [0, 1]: not (cos(x) = x)", Judged::refuted},
        Boundary{"UnequalEverywhere", "forall x in [0, 10]: exp(x) != x", Judged::stands},
        Boundary{"UnequalByADistance", "forall n in 2..8, x in R^n: norm(softmax(x)) != 2", Judged::stands},
        Boundary{"UnequalNowhereCertainly", "forall x, y in R: (x^2 - 2)^2 + (y^2 - 3)^2 != 0", Judged::undecided},
        Boundary{"UnequalButForOneCase", "forall n in 1..41: n^2 - n + 41 != 1681", Judged::refuted},
        // Powers overtake logarithms late.
        Boundary{"LatePower", "limit n -> inf: n^0.01 = O(log(n))", Judged::refuted},
        Boundary{"LateLogarithm", "limit n -> inf: n*log(n)^2 = O(n^1.01)", Judged::stands},
        // Events that depend on one number, and moments of many.
        Boundary{"TailAtZero", "forall t in [0, 4]: random g ~ normal(0, 1): P[g > t] <= 0.499*exp(-t^2/2)",
                 Judged::refuted},
        Boundary{"SmallTail", "forall r in [0.5, 4], a in [0, 5]: random t ~ exponential(r): P[t >= a] = exp(-r*a)",
                 Judged::stands},
        Boundary{"Moments", "forall d in 1..12: random q ~ normal(0, 1)^d, k ~ normal(0, 1)^d: E[dot(q, k)^2] = d",
                 Judged::stands},
        Boundary{"MomentsOverRoots",
                 "forall d in 1..64: random q ~ normal(0, 1)^d, k ~ normal(0, 1)^d: E[(dot(q, k)/sqrt(d))^2] = 1",
                 Judged::stands},
        Boundary{"MomentsOff",
                 "forall d in 2..8, s in [1, 2]: random q ~ normal(0, s)^d, u ~ uniform(-1, 2)^d: "
                 "E[dot(q, u)^2] <= 0.999*d*s^2",
                 Judged::refuted}),
    [](const auto& boundary) { return std::string(boundary.param.name); });

}  // namespace
}  // namespace attest::referee
