#include "reports/pages/training_report.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "reports/files/json_place.hpp"
#include "reports/pages/training_maps.hpp"
#include "reports/record/read_measurement.hpp"
#include "reports/text/numbers.hpp"
#include "reports/text/sentence.hpp"

namespace attest::reports {
namespace {

/// "test_accuracy" as a reader says it.
std::string spoken(std::string metric) {
  std::replace(metric.begin(), metric.end(), '_', ' ');
  return metric;
}

/// "0.8812 [0.879, 0.883]", or the value alone where one seed or equal values leave the interval open.
std::string with_interval(double value, const JsonPlace& interval, const char* sign = "") {
  const std::vector<double> ends = interval.numbers();
  if (ends.size() != 2)
    interval.reject(fmt::format("has {}, expected [lower, upper]", counted(std::ssize(ends), "number")));
  std::string text = (value > 0 ? sign : "") + readable_number(value);
  if (!std::isfinite(ends[0]) || !std::isfinite(ends[1])) return text;
  return fmt::format("{} [{}, {}]", text, readable_number(ends[0]), readable_number(ends[1]));
}

/// Whether any element of the list has the member.
bool any_has(const std::vector<JsonPlace>& list, const std::string& key) {
  return std::any_of(list.begin(), list.end(), [&](const JsonPlace& one) { return one.find(key).has_value(); });
}

/// The metrics of the part of the data that variants are compared on: "test_..." when that is compared.
std::vector<std::string> shown_metrics(const JsonPlace& variant, const std::string& compared) {
  const std::string part = compared.substr(0, compared.find('_') + 1);
  std::vector<std::string> names = {compared};
  for (const auto& [name, value] : variant.at("metrics").members())
    if (name != compared && name.starts_with(part)) names.push_back(name);
  return names;
}

Table variants_table(const JsonPlace& document, const std::string& compared) {
  const std::vector<JsonPlace> variants = document.at("variants").elements();
  if (variants.empty()) document.at("variants").reject("is empty, expected at least one variant");
  const std::vector<std::string> metrics = shown_metrics(variants.front(), compared);
  const bool paper = any_has(variants, "paper");
  Table table{
      "Means over the seeds with Student's intervals, which are asymptotic, each of them alone at the level of the "
      "comparisons.",
      {"Variant", "Seeds"},
      {}};
  for (const std::string& metric : metrics) table.columns.push_back(spoken(metric));
  if (paper) {
    table.columns.emplace_back("The paper's");
    table.caption += " The paper's numbers: " + document.at("paper").at("source").string() + ".";
  }
  if (any_has(variants, "cost")) table.caption += " " + document.string_or_empty("cost_note");
  for (const JsonPlace& variant : variants) {
    std::vector<std::string> row = {variant.at("name").string(), readable_number(variant.at("seeds").number())};
    for (const std::string& metric : metrics) {
      const JsonPlace value = variant.at("metrics").at(metric);
      row.push_back(with_interval(value.at("mean").number(), value.at("interval")));
    }
    if (paper) {
      const auto number = variant.number_if_any("paper");
      row.push_back(number ? readable_number(*number, 6) : "");
    }
    if (const auto cost = variant.find("cost"))
      for (const JsonPlace& column : cost->elements()) {
        if (table.rows.empty()) table.columns.push_back(column.elements().at(0).string());
        row.push_back(column.elements().at(1).string());
      }
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// "a better" with the variant's name, and other verdicts as they are.
std::string verdict_in_names(const JsonPlace& comparison) {
  std::string verdict = comparison.at("verdict").string();
  for (const char* side : {"a", "b"})
    if (verdict == std::string(side) + " better") return comparison.at(side).string() + " better";
  return verdict;
}

Table comparisons_table(const std::vector<JsonPlace>& comparisons) {
  Table table{
      "Differences over seeds that share data and order. Verdicts and intervals hold together at the stated level, "
      "after "
      "every number of seeds: each is widened for the number of comparisons.",
      {"Compared", "Verdict"},
      {}};
  const std::string metric = comparisons.front().at("metric").string();
  const bool one_metric = std::all_of(comparisons.begin(), comparisons.end(),
                                      [&](const JsonPlace& one) { return one.at("metric").string() == metric; });
  const bool paper = any_has(comparisons, "paper"), detectable = any_has(comparisons, "detectable"),
             claims = any_has(comparisons, "claim");
  if (!one_metric) table.columns.emplace_back("Metric");
  table.columns.push_back(one_metric ? "Difference of " + spoken(metric) : "Difference");
  if (paper) table.columns.emplace_back("The paper's difference");
  if (detectable) {
    table.columns.emplace_back("Detectable");
    table.caption += " Detectable: the true difference that as many seeds with this spread find with the stated power.";
  }
  if (claims) table.columns.emplace_back("Bears on");
  for (const JsonPlace& one : comparisons) {
    std::vector<std::string> row = {fmt::format("{} with {}", one.at("a").string(), one.at("b").string()),
                                    verdict_in_names(one)};
    if (!one_metric) row.push_back(spoken(one.at("metric").string()));
    row.push_back(with_interval(one.at("difference").number(), one.at("interval"), "+"));
    const auto optional = [&](const char* key) {
      const auto number = one.number_if_any(key);
      return number && std::isfinite(*number) ? readable_number(*number, 3) : std::string();
    };
    if (paper) row.push_back(optional("paper"));
    if (detectable) row.push_back(optional("detectable"));
    if (claims) row.push_back(one.string_or_empty("claim"));
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string verdicts_in_words(const std::vector<JsonPlace>& comparisons) {
  std::string text = counted(static_cast<std::int64_t>(comparisons.size()), "comparison") + ": ";
  bool first = true;
  std::vector<std::string> verdicts;
  for (const JsonPlace& one : comparisons) verdicts.push_back(verdict_in_names(one));
  for (auto at = verdicts.begin(); at != verdicts.end(); ++at) {
    if (std::find(verdicts.begin(), at, *at) != at) continue;
    text += fmt::format("{}{} {}", first ? "" : ", ", std::count(at, verdicts.end(), *at), *at);
    first = false;
  }
  return text + ".";
}

std::string introduction(const JsonPlace& document, const std::vector<JsonPlace>& comparisons) {
  const std::size_t variants = document.at("variants").elements().size();
  std::string text = document.string_or_empty("data");
  if (!text.empty()) text = as_sentence(text) + " ";
  text += counted(static_cast<std::int64_t>(variants), "variant") + " trained alike";
  const std::string size = document.string_or_empty("size");
  if (!size.empty()) text += ", size " + size;
  if (const auto seconds = document.number_if_any("seconds"); seconds && std::isfinite(*seconds))
    text += ", in " + readable_seconds(*seconds);
  text += ".";
  const std::string power = document.string_or_empty("power");
  if (!power.empty()) text += "\n\nSaid before the first step: " + power + ".";
  if (!comparisons.empty()) text += "\n\n" + verdicts_in_words(comparisons);
  const std::string assumption = document.string_or_empty("assumption");
  if (!comparisons.empty() && !assumption.empty()) text += " They rest on this: " + assumption + ".";
  if (const auto paper = document.find("paper")) {
    const std::string note = paper->string_or_empty("note");
    if (!note.empty()) text += "\n\n" + as_sentence(note);
  }
  return text;
}

/// What `attest measure --checkpoint` found on models of this training, by the names of its files.
void add_measured(Results& results, const std::filesystem::path& directory) {
  std::error_code none;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(directory / measured_folder_name, none))
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const std::filesystem::path& file : files) {
    const auto document = parse_json_file(file);
    const std::string source = file.string();
    for (const JsonPlace& place : JsonPlace(*document, source).at("measurements").elements())
      results.measurements.push_back(read_measurement(place));
  }
}

/// A table of skills carries its text.
Results skills_as_results(const JsonPlace& document) {
  Results results;
  results.suite.version = document.string_or_empty("version");
  Measurement table;
  table.id = document.at("experiment").string();
  table.title = document.at("title").string();
  table.text = document.at("text").string();
  table.tables = read_tables(document);
  table.figures = read_figures(document);
  results.measurements.push_back(std::move(table));
  return results;
}

Results as_results(const JsonPlace& document) {
  if (document.string_or_empty("schema") == "attest-skills-1") return skills_as_results(document);
  const std::vector<JsonPlace> comparisons = document.at("comparisons").elements();
  Results results;
  results.suite.version = document.string_or_empty("version");
  Measurement training;
  training.id = document.at("experiment").string();
  training.title = document.string_or_empty("title");
  if (training.title.empty()) training.title = training.id;
  training.text = introduction(document, comparisons);
  training.tables.push_back(variants_table(document, document.at("metric").string()));
  if (!comparisons.empty()) training.tables.push_back(comparisons_table(comparisons));
  for (Table& table : read_tables(document)) training.tables.push_back(std::move(table));
  training.figures = read_figures(document);
  results.measurements.push_back(std::move(training));
  return results;
}

}  // namespace

WrittenReport write_training_report(const std::filesystem::path& directory, const ReportTools& tools) {
  const std::filesystem::path file = directory / training_file_name;
  const auto document = parse_json_file(file);
  const std::string source = file.string();
  Results results = as_results(JsonPlace(*document, source));
  if (JsonPlace(*document, source).string_or_empty("schema") == "attest-skills-1")
    return write_measurements(results, directory, training_file_name, tools);
  std::vector<std::string> variants;
  for (const JsonPlace& variant : JsonPlace(*document, source).at("variants").elements())
    variants.push_back(variant.at("name").string());
  const auto seed = static_cast<std::uint64_t>(JsonPlace(*document, source).count_if_any("seed").value_or(1));
  results.measurements.front().galleries = attention_galleries(directory, variants, seed);
  add_measured(results, directory);
  return write_measurements(results, directory, training_file_name, tools);
}

}  // namespace attest::reports
