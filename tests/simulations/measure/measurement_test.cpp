#include "simulations/measure/measurement.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "reports/files/json_place.hpp"
#include "reports/record/results.hpp"
#include "tests/simulations/scratch_folder.hpp"

namespace attest::measure {
namespace {

Measurement example() {
  Measurement result{"snr/toy", "A title", "What it says.", {}, {}, {}};
  Table table{.columns = {"noise"}};
  add_row(result, table, {"0.5"}, {{"alpha", Estimate{0.25, 0.2, 0.3, 7}}, {"beta", std::nullopt}});
  table.caption = "A caption.";
  result.tables = {table};
  Figure figure{.name = "toy", .title = "T", .x_label = "n", .y_label = "y", .x_log = true};
  Series series{"alpha", "linespoints"};
  series.add(1, {0.25, 0.2, 0.3, 7});
  series.add(2, {0.5, 0.4, 0.6, 7});
  figure.series = {series};
  figure.references = {{"line", "line", {1, 2}, {3, 4}}};
  result.figures = {figure};
  return result;
}

TEST(AddRow, writes_numbers_as_text_and_files_them_as_quantities) {
  const Measurement measurement = example();
  EXPECT_EQ(measurement.tables.front().columns, (std::vector<std::string>{"noise", "alpha", "beta"}));
  EXPECT_EQ(measurement.tables.front().rows.front(), (std::vector<std::string>{"0.5", "0.25 [0.20, 0.30]", "-"}));
  ASSERT_EQ(measurement.quantities.size(), 1U) << "a number that does not exist is not a quantity";
  EXPECT_EQ(measurement.quantities.front().name, "alpha");
  EXPECT_EQ(measurement.quantities.front().where, "0.5");
}

TEST(ToJson, keeps_every_number) {
  const nlohmann::json quantity = to_json(example()).at("quantities").at(0);
  EXPECT_EQ(quantity.dump(),
            R"({"estimate":0.25,"interval":[0.2,0.3],"level":0.95,"name":"alpha","units":7,"where":"0.5"})");
}

TEST(ToJson, has_the_form_that_the_report_reads) {
  const ScratchFolder scratch;
  const std::string document =
      R"({"schema": ")" + std::string(reports::results_schema) +
      R"(", "suite": {"version": "0", "seed": 1, "budget": "quick"}, "claims": [], "measurements": [)" +
      to_json(example()).dump() + "]}";
  const auto file = scratch.write("results.json", document);
  const reports::Results results = reports::results_from_json(*reports::parse_json_file(file), file.string());
  ASSERT_EQ(results.measurements.size(), 1U);
  const reports::Measurement& read = results.measurements.front();
  EXPECT_EQ(read.text, "What it says.");
  EXPECT_EQ(read.tables.front().rows.front().at(1), "0.25 [0.20, 0.30]");
  const reports::Figure& figure = read.figures.front();
  EXPECT_TRUE(figure.x.logarithmic);
  EXPECT_FALSE(figure.y.logarithmic);
  EXPECT_EQ(figure.series.front().upper, (std::vector<double>{0.3, 0.6}));
  EXPECT_EQ(figure.reference_curves.front().y, (std::vector<double>{3, 4}));
}

}  // namespace
}  // namespace attest::measure
