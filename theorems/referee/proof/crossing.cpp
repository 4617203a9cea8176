#include "theorems/referee/proof/crossing.hpp"

#include <algorithm>
#include <cmath>

#include "theorems/language/program/instruction.hpp"
#include "theorems/referee/points/points.hpp"
#include "theorems/referee/proof/confirm.hpp"

namespace attest::referee {
namespace {

using language::Code;
using language::Program;
using rigor::Ball;

bool jumps(const language::Instruction& i) {
  using language::Unary;
  return i.code == Code::choose || i.code == Code::orthogonal || i.code == Code::attention ||
         (i.code == Code::unary && (i.unary == Unary::sign || i.unary == Unary::floor || i.unary == Unary::ceil));
}

bool fits(const Program& program) {
  const language::Formula& claim = program.claim();
  return program.dimension() > 0 && program.conditions().empty() && program.expectations().empty() &&
         claim.kind == language::Formula::Kind::relation && claim.relation == language::Relation::equal &&
         program.shape_of(claim.lhs).size() == 1 && program.shape_of(claim.rhs).size() == 1 &&
         std::none_of(program.inputs().begin(), program.inputs().end(),
                      [](const language::RawInput& input) { return input.whole || input.random; }) &&
         std::none_of(program.instructions.begin(), program.instructions.end(), jumps);
}

class Segment {
 public:
  explicit Segment(const Program& program) : program_(program), balls_(program) {}

  /// Of lhs - rhs at a point: -1 or 1 where it is certain, else 0.
  int sign_at(const std::vector<double>& raw) {
    if (!within_sets(program_, raw)) return 0;
    const Ball difference = difference_on({raw.begin(), raw.end()});
    return !difference.is_finite() ? 0 : difference.is_positive() ? 1 : (-difference).is_positive() ? -1 : 0;
  }

  bool continuous(const std::vector<double>& a, const std::vector<double>& b, int depth) {
    std::vector<Ball> box;
    for (std::size_t i = 0; i < a.size(); ++i) box.push_back(Ball::hull(Ball(a[i]), Ball(b[i])));
    if (difference_on(box).is_finite()) return true;
    if (depth == 0) return false;
    std::vector<double> middle(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) middle[i] = a[i] + (b[i] - a[i]) / 2;
    return continuous(a, middle, depth - 1) && continuous(middle, b, depth - 1);
  }

 private:
  Ball difference_on(const std::vector<Ball>& raw) {
    balls_.run(raw);
    return balls_.value(program_.claim().lhs)[0] - balls_.value(program_.claim().rhs)[0];
  }

  const Program& program_;
  language::BallEvaluator balls_;
};

}  // namespace

std::optional<Crossing> equal_between(const Program& program, const engine::Context& context) {
  if (!fits(program)) return std::nullopt;
  const rigor::PrecisionScope precision(128);
  constexpr std::uint64_t draws = 200;
  constexpr int deepest = 10;
  constexpr std::size_t tried = 6;
  Segment segment(program);
  const Bounds bounds = bounds_of(program);
  std::vector<std::vector<double>> below, above;
  for (std::uint64_t k = 0; k < draws && (below.size() < tried || above.size() < tried); ++k) {
    context.poll();
    random::Stream stream(context.seed, context.key, 0x5E60000 + k);
    std::vector<double> point = draw_point(program, bounds, k, stream);
    const int sign = segment.sign_at(point);
    auto& side = sign < 0 ? below : above;
    if (sign != 0 && side.size() < tried) side.push_back(std::move(point));
  }
  for (const std::vector<double>& from : below)
    for (const std::vector<double>& to : above)
      if (segment.continuous(from, to, deepest)) return Crossing{from, to};
  return std::nullopt;
}

}  // namespace attest::referee
