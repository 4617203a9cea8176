#include "simulations/measure/untrained/measure.hpp"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "kernels/random/stream.hpp"
#include "simulations/data/catalogue/catalogue.hpp"
#include "tests/simulations/scratch_folder.hpp"

namespace attest::measure {

using data::load_data;
using data::MissingData;
namespace {

using testing::HasSubstr;

// Words of two hundred kinds in sentences of ten topics.
std::string generated_text() {
  std::string text;
  random::Stream stream(5, random::stream_key("test/text"), 0);
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
  random::Stream stream(5, random::stream_key("test/images"), 0);
  for (int i = 0; i < 40 * 64; ++i) bytes += static_cast<char>(stream.integer(256));
  return bytes;
}

// All measurements of a file on eight units, as results.json holds them.
nlohmann::json measure_file(const std::filesystem::path& file, std::uint64_t seed, unsigned threads) {
  const Sequences sequences = make_sequences(load_data(file.string(), "", false), {500, 64}, seed);
  nlohmann::json result = nlohmann::json::array();
  for (const Measurement& one : measure_sequences(sequences, {seed, threads, 8})) result.push_back(to_json(one));
  return result;
}

// Figures with names of their own, numbers inside their intervals, and no number that is not finite.
void expect_well_formed(const nlohmann::json& measurements) {
  EXPECT_EQ(measurements.dump().find("null"), std::string::npos) << "a number is not finite";
  std::set<std::string> figure_names;
  for (const auto& measurement : measurements) {
    EXPECT_FALSE(measurement.at("text").get<std::string>().empty());
    EXPECT_FALSE(measurement.at("tables").empty()) << measurement.at("id");
    EXPECT_FALSE(measurement.at("quantities").empty()) << measurement.at("id");
    for (const auto& figure : measurement.at("figures")) {
      EXPECT_TRUE(figure_names.insert(figure.at("name").get<std::string>()).second) << figure.at("name");
      for (const auto& series : figure.at("series")) EXPECT_FALSE(series.at("points").empty()) << figure.at("name");
    }
    for (const auto& quantity : measurement.at("quantities")) {
      EXPECT_LE(quantity.at("interval").at(0).get<double>(), quantity.at("estimate").get<double>());
      EXPECT_LE(quantity.at("estimate").get<double>(), quantity.at("interval").at(1).get<double>());
    }
  }
}

TEST(MeasureSequences, has_the_same_bits_for_any_number_of_threads) {
  const ScratchFolder scratch;
  for (const auto& file : {scratch.write("text.txt", generated_text()), scratch.write("images", generated_images())}) {
    const nlohmann::json one = measure_file(file, 1, 1);
    EXPECT_EQ(one.size(), 6U);
    expect_well_formed(one);
    EXPECT_EQ(one.dump(), measure_file(file, 1, 3).dump());
    EXPECT_NE(one.dump(), measure_file(file, 2, 1).dump());
  }
}

TEST(Measure, reports_a_file_by_its_name_without_its_folder) {
  const ScratchFolder scratch;
  MeasureOptions options;
  options.data = scratch.write("some images.idx", generated_images()).string();
  const nlohmann::json measurements = measure(options);
  expect_well_formed(measurements);
  EXPECT_EQ(measurements.at(1).at("id"), "snr/some images.idx");
  EXPECT_EQ(measurements.at(1).at("figures").at(0).at("name"), "snr-some-images-idx");
  EXPECT_EQ(measurements.dump().find(scratch.path().string()), std::string::npos);
  EXPECT_THAT(measure_lines(measurements), HasSubstr("some images.idx"));
}

TEST(Measure, refuses_data_too_small_to_measure) {
  const ScratchFolder scratch;
  MeasureOptions options;
  options.data = scratch.write("short.txt", "to be or not to be").string();
  EXPECT_THAT(message_of<std::invalid_argument>([&] { measure(options); }), HasSubstr("longer text"));
}

TEST(Measure, names_missing_data_or_skips_it_visibly) {
  const ScratchFolder scratch;
  MeasureOptions options;
  options.data = (scratch.path() / "absent.txt").string();
  EXPECT_THAT(message_of<MissingData>([&] { measure(options); }), HasSubstr("absent.txt"));
  options.skip_missing = true;
  const nlohmann::json measurements = measure(options);
  ASSERT_EQ(measurements.size(), 1U);
  EXPECT_THAT(measurements.at(0).at("skipped").get<std::string>(), HasSubstr("absent.txt"));
  EXPECT_THAT(measure_lines(measurements), HasSubstr("Skipped"));
}

}  // namespace
}  // namespace attest::measure
