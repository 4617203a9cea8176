#include "theorems/engine/protocols/domain.hpp"

#include <cmath>
#include <stdexcept>

#include <gtest/gtest.h>

#include "theorems/engine/protocols/certification.hpp"
#include "theorems/engine/protocols/expectation.hpp"
#include "theorems/engine/protocols/layout.hpp"
#include "theorems/engine/protocols/sequence.hpp"

namespace attest::engine {
namespace {

std::string of(const Layout& layout) { return domain_of_box(layout.lower(), layout.upper(), layout.decode(), 0); }

TEST(Domain, names_the_inputs_of_a_layout_with_their_sizes_and_ranges) {
  EXPECT_EQ(of(Layout{{"alpha", 1, 0, 1}, {"X", 12, -2, 2}}), "alpha in [0, 1]; X (12 numbers) in [-2, 2]");
  EXPECT_EQ(of(Layout{{"N", 1, 16, 16}}), "N = 16") << "a coordinate without room is a constant";
}

TEST(Domain, tells_derived_inputs_by_the_values_that_they_take) {
  const auto squared = [](std::span<const double> x) {
    return Inputs{{"x", {x[0]}}, {"d", {3}}, {"square", {x[0] * x[0]}}};
  };
  const std::vector<double> lower = {0}, upper = {2};
  EXPECT_EQ(domain_of_box(lower, upper, squared, 2),
            "x in [0, 2]; derived from 1 coordinate: d = 3; square from 0 to 4 (as seen at 35 points of their box); 2 "
            "structured points first");
}

TEST(Domain, tells_sizes_that_vary_over_the_box) {
  const auto varying = [](std::span<const double> x) {
    return Inputs{{"x", std::vector<double>(static_cast<std::size_t>(1 + 3 * x[0]), 0.5)}};
  };
  const std::vector<double> lower = {0}, upper = {1};
  EXPECT_NE(domain_of_box(lower, upper, varying, 0).find("x (1 to 4 numbers) from 0.5 to 0.5"), std::string::npos);
}

TEST(Domain, of_a_box_to_be_certified_is_its_coordinates_and_what_they_stand_for) {
  BoxProblem box;
  box.domain = "the angle in quarters";
  box.coordinates = {"t"};
  box.lower = {0};
  box.upper = {4};
  box.margin = [](std::span<const rigor::Ball>) { return rigor::Ball(1); };
  EXPECT_EQ(certify_on_box(box).domain(), "t in [0, 4] (the angle in quarters)");
}

TEST(Domain, of_an_enumeration_is_the_values_that_its_cases_take) {
  EnumerationProblem cases;
  cases.domain = "small sizes";
  cases.cases = 6;
  cases.case_inputs = [](std::int64_t i) {
    return Inputs{{"N", {static_cast<double>(2 + i % 3)}}, {"d", {static_cast<double>(i / 3)}}};
  };
  cases.ball_sides = [](const Inputs&) { return BallSides{rigor::Ball(0), rigor::Ball(0)}; };
  EXPECT_EQ(enumerate(cases).domain(), "6 cases: N = 2, 3, 4; d = 0, 1 (small sizes)");
}

TEST(Domain, of_a_sequence_is_its_grid_and_of_a_mean_its_configurations) {
  SequenceProblem grid;
  grid.n = geometric_grid(4, 2, 8);
  grid.value = grid.reference = [](double) { return rigor::Ball(1); };
  grid.inputs = Inputs{{"sigma", {0.5}}};
  EXPECT_EQ(sequence(grid).domain(), "n = 4, 8, ..., 512 (8 places); sigma = 0.5");
  ExpectationConfiguration mean;
  mean.name = "two tokens";
  mean.inputs = Inputs{{"N", {2}}};
  mean.statistic = [](random::Stream&) { return 0.5; };
  EXPECT_EQ(expectation({mean}).domain(), "1 configuration: two tokens (N = 2), a statistic in [0, 1]");
}

TEST(Shape, refuses_stored_inputs_of_another_length_or_of_a_size_that_no_search_uses) {
  const Decode sized = [](std::span<const double> x) {
    return Inputs{{"N", {std::floor(2 + 6 * x[0])}}, {"x", {x[0], x[0]}}};
  };
  const std::vector<double> lower = {0}, upper = {1};
  const Shape shape = shape_of_box(lower, upper, sized);
  EXPECT_NO_THROW(require_shape(Inputs{{"N", {7}}, {"x", {0.25, 0.5}}}, shape));
  EXPECT_THROW(require_shape(Inputs{{"N", {1e9}}, {"x", {0.25, 0.5}}}, shape), std::invalid_argument);
  EXPECT_THROW(require_shape(Inputs{{"N", {7}}, {"x", {0.25}}}, shape), std::invalid_argument);
  EXPECT_THROW(require_shape(Inputs{{"N", {7}}}, shape), std::invalid_argument);
}

}  // namespace
}  // namespace attest::engine
