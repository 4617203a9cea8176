// Section 3 and Appendices A and J: the downsampling factors of the heads, and how many keys and values they leave.
#include "theorems/engine/protocols/certification.hpp"
#include "theorems/engine/protocols/composite.hpp"

namespace attest::primal_dual {
namespace {

using engine::Inputs;
using engine::Relation;
using rigor::Ball;

const std::vector<double> uea{1, 1, 2, 2, 4, 4, 8, 8};
const std::vector<double> lra{1, 2};
const std::vector<double> imagenet{1, 1, 2, 4};

// Appendix A.1: "we downsample keys and values by the factor of 2, after every two successive heads"; each head's
// printed factor against 2^((s - 1) / 2, rounded down), from s = 1; `after` heads instead of two for near-misses.
engine::Check doubles_every_two_heads(std::int64_t after) {
  engine::EnumerationProblem problem;
  problem.domain = "the eight heads of the UEA models";
  problem.cases = static_cast<std::int64_t>(uea.size());
  problem.relation = Relation::equal;
  problem.case_inputs = [](std::int64_t i) {
    return Inputs{{"head", {static_cast<double>(i + 1)}}, {"factor", {uea[static_cast<std::size_t>(i)]}}};
  };
  problem.ball_sides = [after](const Inputs& inputs) -> engine::BallSides {
    const auto head = static_cast<std::int64_t>(inputs.scalar("head"));
    return {Ball(inputs.scalar("factor")), rigor::pow_integer(Ball(2), (head - 1) / after), head >= 1};
  };
  return engine::enumerate(std::move(problem));
}

// sum of 1 / s = parts / 16 heads' worth of keys and values, which is at most `most` times the heads.
engine::Check leaves(const std::vector<double>& factors, double sixteenths, double most, const char* domain) {
  const auto problem = [&](Relation relation) {
    engine::EnumerationProblem made;
    made.domain = domain;
    made.cases = 1;
    made.relation = relation;
    made.case_inputs = [factors](std::int64_t) { return Inputs{{"factors", factors}}; };
    return made;
  };
  const auto kept = [](const Inputs& inputs) {
    Ball sum;
    for (const double factor : inputs["factors"]) sum += Ball(16) / Ball(factor);
    return sum;
  };
  auto count = problem(Relation::equal);
  count.ball_sides = [kept, sixteenths](const Inputs& inputs) -> engine::BallSides {
    return {kept(inputs), Ball(sixteenths)};
  };
  auto bound = problem(Relation::less_equal);
  bound.ball_sides = [kept, most](const Inputs& inputs) -> engine::BallSides {
    return {kept(inputs), Ball(16 * most) * Ball(inputs["factors"].size())};
  };
  return engine::composite({{"what is left", engine::Kind::identity, engine::enumerate(std::move(count))},
                            {"fewer", engine::Kind::universal_inequality, engine::enumerate(std::move(bound))}});
}

engine::Check schedules_and_counts(std::int64_t after, double uea_sixteenths, double most) {
  return engine::composite(
      {{"factors of Appendix J.1 are those of Appendix A.1", engine::Kind::identity, doubles_every_two_heads(after)},
       {"UEA: 15/32 of the keys", engine::Kind::cost_model, leaves(uea, uea_sixteenths, most, "UEA factors")},
       {"LRA: 3/4 of the keys", engine::Kind::cost_model, leaves(lra, 24, 0.75, "LRA factors")},
       {"ImageNet: 11/16 of the keys", engine::Kind::cost_model, leaves(imagenet, 44, 0.75, "ImageNet factors")}});
}

}  // namespace

engine::Claims schedules() {
  engine::Claim claim;
  claim.statement = {
      .id = "primal-dual/schedules",
      .label = "Sec 3 / App A.1 / J (\"much fewer keys and values\", schedules)",
      .title = "The schedules agree with one another and leave 15/32, 3/4 and 11/16 of the keys and values",
      .kind = engine::Kind::cost_model,
      .tex =
          R"([1,1,2,2,4,4,8,8]_s = 2^{\lfloor(s-1)/2\rfloor},\qquad \tfrac1H\sum_s\tfrac1s = \tfrac{15}{32},\ \tfrac34,\ \tfrac{11}{16})",
      .assumptions =
          {"'much fewer' read as: at most half on UEA, of which Section 3 says it, at most three quarters elsewhere",
           "lengths that the factors divide"},
      .expected = engine::Verdict::certified,
      .note =
          "On the Long Range Arena a quarter fewer. Appendix A.3 gives DeiT-tiny four heads of a width of 192; the "
          "published model has three. Its 196 patches are a multiple of 4, its 197 tokens are not, and the paper does "
          "not say whether the class token is pooled."};
  claim.check = schedules_and_counts(2, 60, 0.5);
  claim.near_misses = {
      {"doubled after every three heads", 1, schedules_and_counts(3, 60, 0.5)},
      {"0.99 of 15/32 at most", 0.01, schedules_and_counts(2, 60, 0.99 * 15 / 32)},
      {"61/128 left", 0.017, schedules_and_counts(2, 61, 0.5)},
      {"LRA: 25/32 left, at most 0.74", 0.04,
       engine::composite({{"LRA: 3/4 of the keys", engine::Kind::cost_model, leaves(lra, 25, 0.74, "LRA factors")}})},
      {"ImageNet: 45/64 left, at most 0.68", 0.02,
       engine::composite({{"ImageNet: 11/16 of the keys", engine::Kind::cost_model,
                           leaves(imagenet, 45, 0.68, "ImageNet factors")}})}};
  return {claim};
}

}  // namespace attest::primal_dual
