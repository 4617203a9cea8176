#include "simulations/measure/untrained/measure.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "simulations/data/catalogue/catalogue.hpp"
#include "simulations/measure/untrained/cross_terms.hpp"
#include "simulations/measure/untrained/depth.hpp"
#include "simulations/measure/untrained/latents.hpp"
#include "simulations/measure/untrained/snr.hpp"
#include "simulations/measure/untrained/spectrum.hpp"
#include "simulations/measure/untrained/svr_duals.hpp"
#include "simulations/measure/untrained/token_statistics.hpp"

namespace attest::measure {

using data::load_data;
using data::MissingData;
namespace {

using nlohmann::json;

struct Budget {
  std::int64_t units;
  SequenceBudget sequences;
  bool larger_part;
};

Budget budget_of(MeasureSize size) {
  switch (size) {
    case MeasureSize::quick:
      return {128, {2000, 512}, false};
    case MeasureSize::standard:
      return {512, {4000, 2048}, true};
    case MeasureSize::deep:
      return {4096, {8000, 8192}, true};
  }
  return {};
}

constexpr std::array of_sequences = {measure_tokens,      measure_snr,   measure_spectrum,
                                     measure_cross_terms, measure_depth, measure_svr};

// Characters of UTF-8 text, combining marks (U+0300 to U+036F) aside: the columns it takes on a terminal.
std::size_t width(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool continues = (byte & 0xc0U) == 0x80U;
    const bool combines =
        byte == 0xcc || (byte == 0xcd && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xb0);
    if (!continues && !combines) ++count;
  }
  return count;
}

// The text in lines of at most 100 characters where its words allow, indented by two.
std::string wrapped(std::string_view text) {
  constexpr std::size_t longest = 100;
  std::string lines;
  std::string line;
  const auto finish = [&] {
    if (!line.empty()) lines += "  " + line + "\n";
    line.clear();
  };
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(" \n"), text.size());
    const std::string_view word = text.substr(0, end);
    if (!line.empty() && width(line) + 1 + width(word) > longest) finish();
    if (!word.empty()) line += (line.empty() ? "" : " ") + std::string(word);
    if (end < text.size() && text[end] == '\n') finish();
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  finish();
  return lines;
}

std::string table_lines(const json& table) {
  std::vector<std::vector<std::string>> rows = {table.at("columns").get<std::vector<std::string>>()};
  for (const json& row : table.at("rows")) rows.push_back(row.get<std::vector<std::string>>());
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
  }
  std::string lines;
  for (const auto& row : rows) {
    lines += " ";
    for (std::size_t i = 0; i < row.size(); ++i)
      lines += " " + row[i] + std::string(widths[i] - width(row[i]) + 1, ' ');
    lines += "\n";
  }
  return lines + wrapped(table.at("caption").get<std::string>());
}

}  // namespace

json skipped_measurement(const std::string& name, const std::string& reason) {
  return {{"id", "skipped/" + name}, {"title", "Skipped: " + name}, {"text", "Skipped: " + reason + "."},
          {"skipped", reason},       {"tables", json::array()},     {"figures", json::array()}};
}

std::vector<Measurement> measure_sequences(const Sequences& sequences, const Plan& plan,
                                           const std::function<void(const Measurement&)>& finished) {
  std::vector<Measurement> measurements;
  for (const auto& measurement : of_sequences) {
    measurements.push_back(measurement(sequences, plan));
    if (finished) finished(measurements.back());
  }
  return measurements;
}

json measure(const MeasureOptions& options) {
  std::vector<std::string> names = {options.data};
  if (options.data.empty()) names = {"fashion-mnist", "bible-kjv"};
  const Budget budget = budget_of(options.size);
  json measurements = json::array();
  const auto put = [&](json entry) {
    if (options.finished) options.finished(entry, names.size() * std::size(of_sequences));
    measurements.push_back(std::move(entry));
  };
  for (const std::string& name : names) {
    try {
      Data data = load_data(name, options.data_dir, budget.larger_part);
      const Plan plan{options.seed, options.threads, budget.units};
      std::optional<Measurement> latents;
      if (const auto* images = std::get_if<IdxImages>(&data.content);
          images != nullptr && images->count >= least_images)
        latents = measure_latents(data.name, *images, data.labels, plan);
      const Sequences sequences = make_sequences(std::move(data), budget.sequences, options.seed);
      measure_sequences(sequences, plan, [&](const Measurement& one) { put(to_json(one)); });
      if (latents) put(to_json(*latents));
    } catch (const MissingData& missing) {
      if (!options.skip_missing) throw;
      put(skipped_measurement(name, missing.what()));
    }
  }
  return measurements;
}

std::string measure_lines(const json& measurements) {
  std::string lines;
  for (const json& measurement : measurements) {
    lines += measurement.at("title").get<std::string>() + "\n" + wrapped(measurement.at("text").get<std::string>());
    for (const json& table : measurement.at("tables")) lines += "\n" + table_lines(table);
    lines += "\n";
  }
  return lines;
}

}  // namespace attest::measure
