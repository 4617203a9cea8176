#include "theorems/evidence/implied_statements.hpp"

#include <algorithm>
#include <array>

namespace attest::evidence {
namespace {

constexpr std::array<ImpliedStatement, 14> table = {{
    {"boosting/nlsa-ratio",
     "let Y = [0, 0; 0, 0], S = [sin(1), cos(1); sin(2), cos(2)]: "
     "limit n -> inf: softmax(n*Y*Y' + S*S')[1, 2] = softmax(Y*Y'/sqrt(2))[1, 2]",
     "two equal tokens Y = 0 with h_p = 1 and h_y^2 = 1/n have the ratio n"},
    {"boosting/thm-3.2-tight", "limit n -> inf: sqrt(n)/2 = O(sqrt(2))",
     "two probability vectors are at most sqrt(2) apart, so that sigma L sqrt(N), at sigma = 1, would be of the order "
     "of sqrt(2) at most"},
    {"boosting/eq-3.14-uniform", "limit n -> inf: (1/2 - 1/n)/(2*e) = O(n^(-1/4))",
     "with noise of size n^(1/4) that is non-zero with probability 1/n a coordinate, sigma is n^(-1/4), and one "
     "positive spike alone, of probability at least 1/(2e), moves at least 1/2 - 1/n as long as exp(n^(1/4)) >= n"},
    {"boosting/sec-a-tight", "limit n -> inf: sqrt(n)/2 = O(e^2/sqrt(n))",
     "for signs as noise at c = 0 each of the n weights moves by at most e^2/n"},
    {"boosting/cor-3.2-instability", "limit n -> inf: n = O(2)", "two averages of values +-1 are at most 2 apart"},
    {"boosting/bounded-indices-suffice", "limit n -> inf: 1 = O(4/n + 3*2^(-n/2))",
     "|u_n| <= 4/n + 3 2^(-n/2) at every n, by splitting the sum in the middle"},
    {"boosting/sec-a.1-grc-rate", "let L = 1/4, t = 1/2, a = L + 1 - t: limit n -> inf: (L*a^n - t)/(L - t) = O(a^n)",
     "Eq A.12 is the closed form of K_n at one L < t"},
    {"boosting/thm-4.1-ratio",
     "let L = 1/4, t = 1/2, a = L + 1 - t: limit n -> inf: (L*a^n - t)/(L - t) = O(((L + 1)*(1 - t/(L + 1)))^n)",
     "Eq A.12 is the closed form of K_n^GRC at one L < t, and both sides were multiplied by K_n^RC = (L + 1)^n"},
    {"boosting/thm-4.1-attention-is-lipschitz", "limit s -> inf: 2*s^2/(exp(1/s^4) + exp(1/s) + exp(-1/s)) = O(1)",
     "with tokens 0, s, -s of which the first moves by 1/s^2 its output moves from 0 to at least "
     "2 s sinh(1/s)/(e^(1/s^4) + 2 cosh(1/s)), and sinh(1/s) >= 1/s"},
    {"twicing/sec-3.3-mean-value-tracks", "limit n -> inf: 1/(n + 1) = O(2/((n + 1)*(n + 2)))",
     "for p(x) = x the capacity is 1/(n + 1), and the integral of 2 (1 - x) x^n is 2/((n + 1)(n + 2))"},
    {"twicing/prop-1-attention", "limit n -> inf: (1 + 7*(63/71)^n)/8 = O(1/n)",
     "the eigenvalues of A are 1 and, seven times, 63/71"},
    {"twicing/a2-bias-h2",
     "let m = [1, 1], f = [1/2, 1/4], mu = 1/3: "
     "limit n -> inf: (m[1]*f[2] + m[2]*f[1])*mu/n^2/f[1]/(m[2]*mu/n^2) = 1",
     "with the box kernel, mu_2 = 1/3, the regression m_1 t + m_2 t^2 and the design density f_1 + f_2 t on [-1, 1] "
     "the "
     "bias at 0 is (m_1 f_2 + m_2 f_1) mu_2 h^2/f_1, and h^2/2 mu_2 m'' is m_2 mu_2 h^2; h is 1/n"},
    {"twicing/a2-bias-h4",
     "let m = [1, 1], f = [1/2, 1/4], mu = 2/5 - (2/5 + 6*(1/3)^2): "
     "limit n -> inf: (m[1]*f[2] + m[2]*f[1])*mu/n^4/f[1]/(m[2]*mu/n^4) = 1",
     "with the twicing kernel of the box kernel, mu_2 = 0 and mu_4 = 2 (1/5) - (2/5 + 6/9), the regression "
     "m_1 t^3 + m_2 t^4 and the design density f_1 + f_2 t on [-1, 1] the bias at 0 is (m_1 f_2 + m_2 f_1) mu_4 "
     "h^4/f_1 "
     "as long as 2 h <= 1, and h^4/24 mu_4 m'''' is m_2 mu_4 h^4; h is 1/n"},
    {"probdr/rotation-dimension", "forall n in 2..6, d in 1..5 where d < n: d = n",
     "the product is defined where the d_q columns of the one are as many as the n rows of the other"},
}};

}  // namespace

std::span<const ImpliedStatement> implied_statements() { return table; }

const ImpliedStatement* implied_by(std::string_view claim) {
  const auto found = std::ranges::find(table, claim, &ImpliedStatement::claim);
  return found == table.end() ? nullptr : &*found;
}

}  // namespace attest::evidence
