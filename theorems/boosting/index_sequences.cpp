// The proof of Proposition 4.1: sequences of indices without bounded subsequence.
#include <algorithm>
#include <array>

#include "theorems/engine/claim.hpp"
#include "theorems/engine/protocols/certification.hpp"

namespace attest::boosting {

using namespace engine;
using rigor::Ball;

namespace {

constexpr int length = 6;
constexpr std::int64_t sequences = 720;  // i_0 in {0}, i_1 in {0, 1}, ..., i_5 in {0, ..., 5}: 6!

// The number of the sequence in mixed radix gives its entries.
std::vector<double> index_sequence(std::int64_t number) {
  std::vector<double> i;
  for (int l = 0; l < length; ++l) {
    i.push_back(static_cast<double>(number % (l + 1)));
    number /= l + 1;
  }
  return i;
}

enum class Multiplicity { largest, smallest };

// At most c (M + 1 - dropped) of the indices are <= M, when no value is taken more than c times; with
// Multiplicity::smallest, when some value is taken no more than c times.
Check few_small_indices(Multiplicity multiplicity, int dropped) {
  EnumerationProblem problem;
  problem.domain = "all 720 sequences of 6 indices with i_l <= l, M = 0, ..., 5";
  problem.cases = sequences * length;
  problem.relation = Relation::less_equal;
  problem.case_inputs = [](std::int64_t number) {
    return Inputs{{"i", index_sequence(number / length)}, {"M", {static_cast<double>(number % length)}}};
  };
  problem.ball_sides = [=](const Inputs& in) {
    std::array<int, length> times{};
    int below = 0;
    for (const double index : in["i"]) {
      ++times.at(static_cast<std::size_t>(index));
      below += index <= in.scalar("M") ? 1 : 0;
    }
    int c = *std::max_element(times.begin(), times.end());
    if (multiplicity == Multiplicity::smallest) {
      for (const int t : times) c = t > 0 ? std::min(c, t) : c;
    }
    return BallSides{Ball(below), Ball(c) * (Ball(in.scalar("M")) + 1 - dropped)};
  };
  return enumerate(std::move(problem));
}

}  // namespace

Claims index_sequences() {
  return {
      {{.id = "boosting/unbounded-subsequences",
        .label = "Prop 4.1 proof (all subsequences unbounded => i_l -> infinity)",
        .title = "Indices without bounded subsequence tend to infinity",
        .kind = Kind::implication,
        .tex =
            R"(\#\{\ell : i_\ell = m\} \le c\ \forall m \;\Rightarrow\; \#\{\ell : i_\ell \le M\} \le c\,(M+1)\ \forall M)",
        .assumptions =
            {"Indices are natural numbers with i_l <= l.",
             "No bounded subsequence means that every value is taken finitely often; the limit is infinity when "
             "finitely many indices lie at or below every M."},
        .expected = Verdict::certified,
        .note =
            "The step is right; judged in its counting form, which gives it for infinite sequences as well (with the "
            "largest of the multiplicities of 0, ..., M for c)."},
       few_small_indices(Multiplicity::largest, 0),
       {{"some value is taken no more than c times", 1, few_small_indices(Multiplicity::smallest, 0)},
        {"c M in place of c (M + 1)", 1, few_small_indices(Multiplicity::largest, 1)}}},
  };
}

}  // namespace attest::boosting
