#include "simulations/sweeping/figures.hpp"

#include <algorithm>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "simulations/sweeping/export.hpp"

namespace attest::sweeps {
namespace {

using testing::Contains;
using testing::HasSubstr;

constexpr const char* text = R"(
quantity = "softmax_lipschitz"
samples = 64
[axes]
scale = [0.5, 1.0]
N = [4, 8, 16]
[[figure]]
x = "N"
y = ["mean", "global_constant", "uniform_logits"]
by = "scale"
power_law = "mean"
y_scale = "log"
)";

struct Evaluated {
  Spec spec = read_spec(text, "example.toml", "example");
  std::vector<Point> points = points_of(spec);
  Finished finished;
  std::vector<Row> rows;

  Evaluated() {
    for (const Point& point : points)
      finished.emplace(point.id, evaluate(*spec.quantity, point.arguments, {point.seed, spec.samples, 1}));
    rows = rows_of(points, finished);
  }
};

TEST(SweepFigures, name_a_formula_once_where_it_is_the_same_for_every_series) {
  const Evaluated sweep;
  const auto figure = draw(sweep.spec, sweep.rows).figures[0];
  std::vector<std::string> names;
  for (const auto& reference : figure["references"]) names.push_back(reference["name"].get<std::string>());
  EXPECT_EQ(std::count(names.begin(), names.end(), "global constant"), 1);
  EXPECT_EQ(std::count(names.begin(), names.end(), "uniform logits"), 1);
  EXPECT_THAT(names, Contains(HasSubstr("mean, scale = 0.5: N^")));
  EXPECT_THAT(names, Contains(HasSubstr("mean, scale = 1: N^")));
  EXPECT_EQ(names.size(), 4U);
  EXPECT_EQ(figure["y"]["label"], "mean");
}

TEST(SweepExport, says_what_its_intervals_are) {
  const Evaluated sweep;
  const std::string csv = points_csv(sweep.spec, sweep.rows);
  EXPECT_THAT(csv, HasSubstr("mean,mean_lower,mean_upper,mean_interval,global_constant,uniform_logits\n"));
  EXPECT_THAT(csv, HasSubstr(",range,0.5,0.25\n"));
  const Spec computed = read_spec("quantity = \"eigencapacity\"\n[axes]\nn = [1, 2]\n", "n.toml", "n");
  EXPECT_THAT(points_csv(computed, {}), HasSubstr("plain,plain_lower,plain_upper,plain_interval,"));
  const auto document = nlohmann::json::parse(points_json(sweep.spec, sweep.rows, 6, "0"));
  EXPECT_EQ(document["quantity"]["intervals"], "anytime");
  EXPECT_EQ(document["quantity"]["confidence"], 0.999);
  EXPECT_EQ(document["quantity"]["results"][0]["intervals"]["range"], "holds for every law on [0, 0.5]");
  EXPECT_EQ(nlohmann::json::parse(points_json(computed, {}, 2, "0"))["quantity"]["intervals"], "enclosure");
}

TEST(SweepPoints, go_on_with_the_same_samples_when_there_are_more) {
  Spec spec = read_spec(text, "example.toml", "example");
  const std::vector<Point> small = points_of(spec);
  spec.samples *= 2;
  const std::vector<Point> large = points_of(spec);
  for (std::size_t i = 0; i < small.size(); ++i) {
    EXPECT_EQ(small[i].seed, large[i].seed);
    EXPECT_NE(small[i].id, large[i].id);
  }
}

}  // namespace
}  // namespace attest::sweeps
