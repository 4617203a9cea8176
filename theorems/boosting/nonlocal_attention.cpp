// Section 3.2: bilateral self-attention that forgets positions.
#include <array>

#include "theorems/boosting/patches.hpp"
#include "theorems/engine/protocols/sequence.hpp"

namespace attest::boosting {
namespace {

using namespace engine;
using rigor::Ball;

constexpr std::array<double, 2> first_places{1, 2};

/// Two tokens, W = I: the weight of the second for the first, with positions 1 and 2.
Ball weight(const Matrix<Ball>& y, const Ball& h_p_squared, const Ball& h_y_squared) {
  const auto p = sinusoidal_positions<Ball>(first_places, 2);
  const auto logits = add(scale(1 / h_y_squared, dot_products(y, y)), dot_products(p, p), 1 / h_p_squared);
  return softmax_rows(logits)(0, 1);
}

enum class Growing { h_p, ratio };

/// The weight tends to that of attention without positions: as h_p grows at h_y^2 = sqrt 2, or as the
/// ratio h_p^2 / h_y^2 grows at h_p = 1 for two equal tokens.
Check becomes_nonlocal(Growing growing) {
  SequenceProblem p;
  p.claim = Asymptotics::limit;
  p.n = geometric_grid(16, 4, 10);
  Matrix<Ball> y(2, 2);
  y.entries = growing == Growing::h_p ? std::vector<Ball>{1, 0, 0, 1} : std::vector<Ball>{1, 0, 1, 0};
  p.value = [y, growing](double n) {
    return growing == Growing::h_p ? weight(y, Ball(n), sqrt(Ball(2))) : weight(y, Ball(1), 1 / Ball(n));
  };
  p.reference = [=](double) { return softmax_rows(scale(1 / sqrt(Ball(2)), dot_products(y, y)))(0, 1); };
  p.resolution = 1e-6;
  if (growing == Growing::ratio)
    p.beyond = Beyond{"the tokens are equal, so their contents cancel and the weight is the same at every ratio",
                      [value = p.value, reference = p.reference](double n) { return abs(value(n) - reference(n)); }};
  return sequence(std::move(p));
}

}  // namespace

Claims nonlocal_attention() {
  Claims claims;
  claims.push_back(
      {{.id = "boosting/nlsa-ratio",
        .label = "Sec 3.2 (NLSA: h_p^2 >> h_y^2) (the ratio alone)",
        .title = "Stricter reading: a large ratio h_p^2 / h_y^2 makes the weights forget the positions",
        .kind = Kind::limit,
        .tex = R"(h_p^2/h_y^2\to\infty \ \Rightarrow\ \text{weights of } K_{BSA} \to \text{weights without positions})",
        .assumptions = {"W = I; two tokens; the ratio grows in any way"},
        .expected = Verdict::refuted,
        .printed = false,
        .note = "A ratio says nothing of the size of p_i' W p_j / h_p^2: with h_p = 1 and h_y -> 0 two equal tokens "
                "are told apart by their positions at every ratio."},
       becomes_nonlocal(Growing::ratio),
       {},
       {{"h_p grows at a fixed h_y", 1, becomes_nonlocal(Growing::h_p)}}});
  return claims;
}

}  // namespace attest::boosting
