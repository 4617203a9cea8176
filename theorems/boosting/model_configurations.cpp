// Sections 5.1 to 5.3: the printed sizes of the models.
#include <array>

#include "theorems/engine/protocols/certification.hpp"
#include "theorems/engine/protocols/composite.hpp"

namespace attest::boosting {
namespace {

using namespace engine;
using rigor::Ball;

/// Printed sizes: language model, Long Range Arena, DeiT.
struct Model {
  double heads, head_width, embedding, feedforward;
};
constexpr std::array<Model, 3> models{{{8, 16, 128, 2048}, {2, 32, 64, 128}, {3, 64, 192, 768}}};

Inputs sizes(std::int64_t k) {
  const Model& m = models.at(static_cast<std::size_t>(k));
  return {{"heads", {m.heads}},
          {"head width", {m.head_width}},
          {"embedding", {m.embedding}},
          {"feedforward", {m.feedforward}}};
}

/// (heads + more) times the width of a head is the embedding dimension.
Check heads_fill_the_embedding(double more) {
  EnumerationProblem p;
  p.domain = "the language model of section 5.1, the models of 5.2 and DeiT of 5.3";
  p.cases = models.size();
  p.case_inputs = sizes;
  p.ball_sides = [more](const Inputs& in) -> BallSides {
    return {(Ball(in.scalar("heads")) + more) * in.scalar("head width"), in.scalar("embedding")};
  };
  return enumerate(std::move(p));
}

/// The feedforward layer of each model is `ratio` times the embedding.
Check feedforward_ratio(std::array<double, 3> ratios) {
  EnumerationProblem p;
  p.domain = "the same models";
  p.cases = models.size();
  p.case_inputs = [ratios](std::int64_t k) {
    Inputs in = sizes(k);
    in.add("ratio", {ratios.at(static_cast<std::size_t>(k))});
    return in;
  };
  p.ball_sides = [](const Inputs& in) -> BallSides {
    return {Ball(in.scalar("embedding")) * in.scalar("ratio"), in.scalar("feedforward")};
  };
  return enumerate(std::move(p));
}

/// DeiT's image of `pixels` squared has whole patches of 16 and 197 tokens with the class token.
Check tokens(double pixels) {
  EnumerationProblem p;
  p.domain = "DeiT, 224 pixels, patches of 16";
  p.cases = 1;
  p.case_inputs = [pixels](std::int64_t) { return Inputs{{"pixels", {pixels}}, {"patch", {16}}, {"tokens", {197}}}; };
  p.ball_sides = [](const Inputs& in) -> BallSides {
    return {rigor::square(Ball(in.scalar("pixels")) / in.scalar("patch")) + 1, in.scalar("tokens")};
  };
  return enumerate(std::move(p));
}

Check consistent(double more, std::array<double, 3> ratios, double pixels) {
  return composite({{"heads", Kind::identity, heads_fill_the_embedding(more)},
                    {"feedforward layers", Kind::identity, feedforward_ratio(ratios)},
                    {"tokens", Kind::identity, tokens(pixels)}});
}

}  // namespace

Claims model_configurations() {
  constexpr std::array<double, 3> ratios{16, 2, 4};
  Claims claims;
  claims.push_back(
      {{.id = "boosting/configurations",
        .label = "Sec 5.1-5.3 (configurations)",
        .title = "The printed sizes of the models fit together",
        .kind = Kind::identity,
        .tex = R"(8\cdot16 = 128,\quad 2\cdot32 = 64,\quad 3\cdot64 = 192)",
        .assumptions = {"images of 224 x 224 for DeiT, as is usual; the text does not say"},
        .expected = Verdict::certified,
        .note = "With the feedforward layers of 16, 2 and 4 times the embedding. The hidden dimension of 128 "
                "of section 5.2 is read as that of the feedforward layer."},
       consistent(0, ratios, 224),
       {{"one head more", 1, consistent(1, ratios, 224)},
        {"four times the embedding everywhere", 1, consistent(0, {4, 4, 4}, 224)},
        {"images of 240 pixels", 0.07, consistent(0, ratios, 240)}}});
  return claims;
}

}  // namespace attest::boosting
