#include "simulations/measure/measure.hpp"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "kernels/random/stream.hpp"
#include "simulations/data/catalogue.hpp"
#include "tests/simulations/scratch_folder.hpp"

namespace attest::simulations {
namespace {

using testing::HasSubstr;

// Words of two hundred kinds in sentences of ten topics.
std::string generated_text() {
  std::string text;
  random::Stream stream(5, random::claim_key("test/text"), 0);
  for (int sentence = 0; sentence < 500; ++sentence) {
    const auto topic = stream.integer(10);
    for (int word = 0; word < 12; ++word) text += "w" + std::to_string(20 * topic + stream.integer(20)) + " ";
    text += "\n";
  }
  return text;
}

// Forty images of 8 x 8 pixels.
std::string generated_images() {
  std::string bytes("\0\0\x08\x03\0\0\0\x28\0\0\0\x08\0\0\0\x08", 16);
  random::Stream stream(5, random::claim_key("test/images"), 0);
  for (int i = 0; i < 40 * 64; ++i) bytes += static_cast<char>(stream.integer(256));
  return bytes;
}

MeasureOptions options_for(const std::filesystem::path& file, unsigned threads) {
  MeasureOptions options;
  options.data = file.string();
  options.threads = threads;
  return options;
}

void expect_well_formed(const nlohmann::json& measurements) {
  std::set<std::string> figure_names;
  for (const auto& measurement : measurements) {
    EXPECT_FALSE(measurement.at("text").get<std::string>().empty());
    EXPECT_FALSE(measurement.at("quantities").empty()) << measurement.at("id");
    for (const auto& table : measurement.at("tables")) {
      EXPECT_FALSE(table.at("rows").empty());
      for (const auto& row : table.at("rows"))
        EXPECT_EQ(row.size(), table.at("columns").size()) << measurement.at("id");
    }
    for (const auto& figure : measurement.at("figures")) {
      EXPECT_TRUE(figure_names.insert(figure.at("name").get<std::string>()).second) << figure.at("name");
      for (const auto& series : figure.at("series")) {
        EXPECT_FALSE(series.at("x").empty());
        EXPECT_EQ(series.at("x").size(), series.at("y").size());
      }
    }
    for (const auto& quantity : measurement.at("quantities")) {
      EXPECT_LE(quantity.at("interval").at(0).get<double>(), quantity.at("estimate").get<double>());
      EXPECT_LE(quantity.at("estimate").get<double>(), quantity.at("interval").at(1).get<double>());
    }
  }
  EXPECT_EQ(measurements.dump().find("null"), std::string::npos) << "a number is not finite";
}

TEST(Measure, reports_text_with_the_same_bits_for_any_number_of_threads) {
  const ScratchFolder scratch;
  const auto file = scratch.write("text.txt", generated_text());
  const nlohmann::json one = measure(options_for(file, 1));
  EXPECT_EQ(one.size(), 6U);
  expect_well_formed(one);
  EXPECT_EQ(one.dump(), measure(options_for(file, 3)).dump());
  MeasureOptions other = options_for(file, 1);
  other.seed = 2;
  EXPECT_NE(one.dump(), measure(other).dump());
  EXPECT_THAT(measure_lines(one), HasSubstr("text.txt"));
}

TEST(Measure, reports_images_with_the_same_bits_for_any_number_of_threads) {
  const ScratchFolder scratch;
  const auto file = scratch.write("images", generated_images());
  const nlohmann::json one = measure(options_for(file, 1));
  expect_well_formed(one);
  EXPECT_EQ(one.dump(), measure(options_for(file, 2)).dump());
}

TEST(Measure, refuses_data_too_small_to_measure) {
  const ScratchFolder scratch;
  EXPECT_THAT(
      message_of<std::invalid_argument>([&] { measure(options_for(scratch.write("t", "to be or not to be"), 1)); }),
      HasSubstr("longer text"));
}

TEST(Measure, names_missing_data_or_skips_it_visibly) {
  const ScratchFolder scratch;
  MeasureOptions options = options_for(scratch.path() / "absent.txt", 1);
  EXPECT_THAT(message_of<MissingData>([&] { measure(options); }), HasSubstr("absent.txt"));
  options.skip_missing = true;
  const nlohmann::json measurements = measure(options);
  ASSERT_EQ(measurements.size(), 1U);
  EXPECT_THAT(measurements.at(0).at("skipped").get<std::string>(), HasSubstr("absent.txt"));
  EXPECT_THAT(measure_lines(measurements), HasSubstr("Skipped"));
}

}  // namespace
}  // namespace attest::simulations
