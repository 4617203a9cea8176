#include "reports/pages/sweep_report.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "reports/figures/draw.hpp"
#include "reports/figures/read_figure.hpp"
#include "reports/files/atomic_file.hpp"
#include "reports/files/json_place.hpp"
#include "reports/html/page.hpp"
#include "reports/text/numbers.hpp"

namespace attest::reports {
namespace {

/// "0.498 [0.49, 0.51]"; the value alone where the interval is a point.
std::string with_interval(const JsonPlace& place) {
  const std::vector<double> numbers = place.numbers();
  if (numbers.size() != 3)
    place.reject(fmt::format("has {}, expected [value, lower, upper]", counted(std::ssize(numbers), "number")));
  const std::string value = readable_number(numbers[0]);
  const std::string lower = readable_number(numbers[1]), upper = readable_number(numbers[2]);
  return lower == upper ? value : fmt::format("{} [{}, {}]", value, lower, upper);
}

/// One value over all points, or its range.
std::string values_of(const JsonPlace& document, const std::string& parameter) {
  std::vector<double> numbers;
  std::vector<std::string> words;
  for (const JsonPlace& point : document.at("points").elements()) {
    const JsonPlace value = point.at("parameters").at(parameter);
    if (value.is_number()) {
      numbers.push_back(value.number());
    } else if (std::find(words.begin(), words.end(), value.string()) == words.end()) {
      words.push_back(value.string());
    }
  }
  if (numbers.empty()) return fmt::format("{}", fmt::join(words, ", "));
  const auto [least, largest] = std::minmax_element(numbers.begin(), numbers.end());
  if (*least == *largest) return readable_number(*least, 6);
  return fmt::format("{} to {}", readable_number(*least, 6), readable_number(*largest, 6));
}

Table meanings(const JsonPlace& document) {
  Table table{"What was varied, what was held, and what came out", {"Name", "Values", "Meaning"}, {}};
  for (const JsonPlace& parameter : document.at("quantity").at("parameters").elements()) {
    const std::string name = parameter.at("name").string();
    table.rows.push_back({name, values_of(document, name), parameter.at("meaning").string()});
  }
  for (const JsonPlace& result : document.at("quantity").at("results").elements())
    table.rows.push_back({result.at("name").string(),
                          result.at("role").string() == "reference" ? "to compare with" : "result",
                          result.at("meaning").string()});
  return table;
}

Table fits(const JsonPlace& document) {
  Table table{"Fitted laws; intervals hold while every point moves over its own interval",
              {"Series", "Law", "Term", "Value", "Points", "Largest residual"},
              {}};
  for (const JsonPlace& fit : document.at("fits").elements())
    for (const auto& [term, value] : fit.at("terms").members())
      table.rows.push_back({fit.at("series").string(), fit.at("law").string(), term, with_interval(value),
                            readable_number(fit.at("points").number()),
                            readable_number(fit.at("largest_residual").number(), 2)});
  return table;
}

/// For which laws the intervals of each result hold.
std::string classes(const JsonPlace& quantity) {
  std::string text;
  for (const JsonPlace& result : quantity.at("results").elements())
    if (const auto intervals = result.find("intervals"))
      for (const auto& [name, promise] : intervals->members())
        text += fmt::format(" The interval of {} {}.", result.at("name").string(), promise.string());
  return text;
}

std::string introduction(const JsonPlace& document) {
  const JsonPlace quantity = document.at("quantity");
  const std::size_t points = document.at("points").elements().size();
  const double in_all = document.at("points_in_all").number();
  std::string text = document.string_or_empty("text");
  if (!text.empty()) text += "\n\n";
  text += fmt::format("{}: ${}$. After {}.\n\n", quantity.at("title").string(), quantity.at("formula").string(),
                      quantity.at("source").string());
  text += fmt::format("{} of {}", counted(static_cast<std::int64_t>(points), "point"), readable_count(in_all));
  if (static_cast<double>(points) < in_all) text += "; the others are not finished";
  const std::string seed = document.string_or_empty("seed");
  if (!seed.empty())
    text += fmt::format("; {} {} a point, seed {}", readable_count(document.at("samples").number()),
                        quantity.at("sample_unit").string(), seed);
  text += ".";
  if (quantity.string_or_empty("intervals") == "anytime")
    text += fmt::format(
                " Intervals are made to hold with probability {} after every number of samples at once, so that "
                "samples may be added after a look; for which laws they do is said of each.",
                readable_number(quantity.at("confidence").number(), 4)) +
            classes(quantity);
  return text;
}

Results as_results(const JsonPlace& document) {
  Results results;
  results.suite.version = document.at("version").string();
  Measurement sweep;
  sweep.id = document.at("name").string();
  sweep.title = document.at("title").string();
  sweep.text = introduction(document);
  for (const JsonPlace& figure : document.at("figures").elements()) sweep.figures.push_back(read_figure(figure));
  Table laws = fits(document);
  if (!laws.rows.empty()) sweep.tables.push_back(std::move(laws));
  sweep.tables.push_back(meanings(document));
  results.measurements.push_back(std::move(sweep));
  return results;
}

}  // namespace

WrittenReport write_sweep_report(const std::filesystem::path& directory, const ReportTools& tools) {
  const std::filesystem::path file = directory / sweep_file_name;
  const auto document = parse_json_file(file);
  const std::string source = file.string();
  const JsonPlace root(*document, source);
  const std::string schema = root.at("schema").string();
  if (schema != "attest-sweep-2")
    root.at("schema").reject(fmt::format("is \"{}\", expected attest-sweep-2: sweep again with --resume", schema));
  return write_measurements(as_results(root), directory, sweep_file_name, tools);
}

}  // namespace attest::reports
