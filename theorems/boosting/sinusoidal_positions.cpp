// Eq 2.5 and Eq 3.9: the sinusoidal positional vectors, their index ranges, distances and lengths.
#include "theorems/boosting/patches.hpp"
#include "theorems/engine/protocols/certification.hpp"
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/engine/protocols/generic_check.hpp"

namespace attest::boosting {
namespace {

using namespace engine;
using rigor::Ball;

/// Angles reach `farthest`, so a sine is off by about one rounding of the angle; d of them are added.
constexpr double farthest = 500;
double rounding(std::size_t d) { return 8 * farthest * static_cast<double>(d) * 0x1p-53; }

/// |p_i - p_j|^2 = 4 sum_t sin^2((i - j) / (2 T^{2t/d})), with the frequencies of another base on the right where
/// given.
Check distance_by_difference(std::size_t d, double base_on_the_right = usual_base) {
  return generic_identity({{"i", 1, 1, farthest}, {"j", 1, 1, farthest}},
                          [=](const Inputs& in, auto zero) {
                            using Real = decltype(zero);
                            const double i = std::floor(in.scalar("i"));
                            const double j = std::floor(in.scalar("j"));
                            const auto p = sinusoidal_positions<Real>(std::vector{i, j}, d);
                            Real sum(0);
                            for (std::size_t t = 0; t < d / 2; ++t) {
                              const Real s = sin(Real(i - j) / Real(2) * frequency(t, d, Real(base_on_the_right)));
                              sum += Real(4) * s * s;
                            }
                            return Pair<Real>{{squared_distances(p, p)(0, 1)}, {sum}};
                          },
                          {.evaluations = 600, .rounding_bound = rounding(d), .scale = 1});
}

Check distances(double base = usual_base) {
  return composite({{"d = 4", Kind::identity, distance_by_difference(4, base)},
                    {"d = 16", Kind::identity, distance_by_difference(16, base)}});
}

/// The coordinates 2t and 2t + 1 of the last t lie between `first` and `first` + d - 1, for d = 2, 4, ..., 64 and
/// t = first_t, ..., first_t + d/2 - 1.
Check coordinates_fit(int first, int first_t) {
  constexpr int dimensions = 32;
  EnumerationProblem p;
  p.domain = "d = 2, 4, ..., 64";
  p.cases = dimensions;
  p.relation = Relation::less_equal;
  p.case_inputs = [](std::int64_t k) { return Inputs{{"d", {2.0 * static_cast<double>(k + 1)}}}; };
  p.ball_sides = [=](const Inputs& in) -> BallSides {
    const Ball d(in.scalar("d"));
    const Ball last_t = d / 2 - 1 + first_t;
    return {2 * last_t + 1, d - 1 + first, 2 * first_t >= first};
  };
  return enumerate(std::move(p));
}

/// |p_i|^2 = factor d/2.
Check length(std::size_t d, double factor) {
  return generic_identity({{"i", 1, 1, farthest}},
                          [=](const Inputs& in, auto zero) {
                            using Real = decltype(zero);
                            const auto p = sinusoidal_positions<Real>(std::vector{std::floor(in.scalar("i"))}, d);
                            return Pair<Real>{squared_norms(p), {Real(factor * static_cast<double>(d)) / Real(2)}};
                          },
                          {.evaluations = 300, .rounding_bound = rounding(d)});
}

Check lengths(double factor) {
  return composite({{"d = 2", Kind::identity, length(2, factor)},
                    {"d = 16", Kind::identity, length(16, factor)},
                    {"d = 64", Kind::identity, length(64, factor)}});
}

}  // namespace

Claims sinusoidal_positions() {
  Claims claims;
  claims.push_back(
      {{.id = "boosting/eq-2.5",
        .label = "Eq 2.5",
        .title = "Sinusoidal positions: how far apart two vectors are depends on the distance of the positions alone",
        .kind = Kind::definition,
        .tex =
            R"(p_{i,2t}=\sin(i/T^{2t/d}),\ p_{i,2t+1}=\cos(i/T^{2t/d}) \ \Rightarrow\ |\mathbf p_i-\mathbf p_j|^2 = 4\sum_t\sin^2\frac{i-j}{2T^{2t/d}})",
        .assumptions = {"d even", "t = 0, ..., d/2 - 1 and coordinates counted from 0"},
        .expected = Verdict::supported,
        .note = "A definition asserts nothing; judged is the property with which section 3 uses it as a geometric "
                "distance. That the distance does not grow with |i - j| is judged with Remark 3.4."},
       distances(),
       {{"T raised by one percent", 0.01, distances(10100)}}});
  claims.push_back(
      {{.id = "boosting/eq-2.5-range-of-t",
        .label = "Eq 2.5 / Eq 3.9 (t = 1, ..., d/2)",
        .title = "The coordinates 2t and 2t + 1 for t = 1, ..., d/2 are coordinates of a vector of R^d",
        .kind = Kind::definition,
        .tex = R"(2t,\,2t+1\in[d]=\{1,\dots,d\}\quad\text{for } t=1,\dots,d/2)",
        .assumptions = {"coordinates are counted from 1, as section 2.1 sets", "t as summed in Eq 3.9"},
        .expected = Verdict::refuted,
        .finding = Finding::slip,
        .note = "Eq 3.9 sums t = 1, ..., d/2. The last cosine falls outside, and no sine or cosine is left for "
                "coordinate 1; Eq 2.5 leaves the range of t open, and the sum has d/2 terms either way."},
       coordinates_fit(1, 1),
       {},
       {{"t and the coordinates counted from 0", 1, coordinates_fit(0, 0)}}});
  claims.push_back({{.id = "boosting/eq-2.5-range-from-zero",
                     .label = "Eq 2.5 / Eq 3.9 (t = 0, ..., d/2 - 1)",
                     .title = "The coordinates 2t and 2t + 1 for t = 0, ..., d/2 - 1, counted from zero",
                     .kind = Kind::definition,
                     .tex = R"(2t,\,2t+1\in\{0,\dots,d-1\}\quad\text{for } t=0,\dots,d/2-1)",
                     .assumptions = {"d even"},
                     .expected = Verdict::certified,
                     .printed = false,
                     .amends = "boosting/eq-2.5-range-of-t"},
                    coordinates_fit(0, 0),
                    {{"t from 1", 1, coordinates_fit(0, 1)}}});
  claims.push_back({{.id = "boosting/eq-3.9",
                     .label = "Eq 3.9",
                     .title = "All positional vectors have the same length",
                     .kind = Kind::identity,
                     .tex = R"(\|\mathbf p_i\|^2 = \frac d2)",
                     .assumptions = {"d even"},
                     .expected = Verdict::supported,
                     .note = "The range of t in the printed sum does not matter for it, only the number of its terms.",
                     .depends_on = {"boosting/eq-2.5", "boosting/eq-2.5-range-of-t"}},
                    lengths(1),
                    {{"half a percent longer", 0.005, lengths(1.005)}, {"an odd d", 1, length(3, 1)}}});
  return claims;
}

}  // namespace attest::boosting
