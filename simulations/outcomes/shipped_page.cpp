// README.md of a folder of results that ship.
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reports/text/numbers.hpp"
#include "simulations/outcomes/shipped_result.hpp"
#include "simulations/outcomes/skills_summary.hpp"

namespace attest::outcomes {
namespace {

using nlohmann::ordered_json;
using reports::counted;

/// "test_accuracy" as a reader says it.
std::string spoken(std::string metric) {
  for (char& c : metric)
    if (c == '_') c = ' ';
  return metric;
}

std::string number_text(const ordered_json& value, int digits) {
  return value.is_null() ? "" : fmt::format("{:.{}f}", value.get<double>(), digits);
}

std::string interval_text(const ordered_json& interval, int digits) {
  if (interval[0].is_null() || interval[1].is_null()) return "";
  return fmt::format("[{}, {}]", number_text(interval[0], digits), number_text(interval[1], digits));
}

std::string verdict_in_names(const ordered_json& comparison) {
  std::string verdict = comparison.at("verdict");
  for (const char* side : {"a", "b"})
    if (verdict == std::string(side) + " better") return comparison.at(side).get<std::string>() + " better";
  return verdict;
}

/// Variants with their means, and beside each the verdict of its comparison on the primary metric.
std::string training_table(const ordered_json& summary) {
  const std::string metric = summary.at("metric");
  std::string titles, rule;
  const ordered_json& first = summary.at("variants").front();
  if (first.contains("cost"))
    for (const ordered_json& column : first["cost"]) {
      titles += fmt::format(" {} |", column[0].get<std::string>());
      rule += " ---: |";
    }
  std::string text = fmt::format(
      "| variant | {} | interval | difference to the baseline | verdict |{}\n| --- | ---: | --- | --- | --- |{}\n",
      spoken(metric), titles, rule);
  for (const ordered_json& variant : summary.at("variants")) {
    const ordered_json& value = variant.at("metrics").at(metric);
    std::string difference, verdict;
    for (const ordered_json& one : summary.at("comparisons"))
      if (one.at("a") == variant.at("name") && one.at("metric") == metric) {
        difference =
            fmt::format("{:+.4f} {}", one.at("difference").get<double>(), interval_text(one.at("interval"), 4));
        verdict = verdict_in_names(one);
      }
    text += fmt::format("| {} | {} | {} | {} | {} |", variant.at("name").get<std::string>(),
                        number_text(value.at("mean"), 4), interval_text(value.at("interval"), 4), difference, verdict);
    if (variant.contains("cost"))
      for (const ordered_json& column : variant["cost"]) text += fmt::format(" {} |", column[1].get<std::string>());
    text += "\n";
  }
  return text;
}

std::string skills_section(const ordered_json& summary) {
  std::string text;
  bool head = true;
  for (const std::vector<std::string>& row : skills_table(summary)) {
    text += fmt::format("| {} |\n", fmt::join(row, " | "));
    if (head) {
      text += "| --- |";
      for (std::size_t c = 1; c < row.size(); ++c) text += " ---: |";
      text += "\n";
    }
    head = false;
  }
  return text + "\n" + summary.at("text").get<std::string>() + "\n";
}

/// The sentence on power of a file that was sealed when one comparison still stood in the plural.
std::string agreeing(std::string sentence) {
  const std::string one = "1 comparisons with ", together = " together find, with probability ";
  const auto at = sentence.find(together);
  if (!sentence.starts_with(one) || at == std::string::npos) return sentence;
  sentence.replace(at, together.size(), " finds, with probability ");
  return sentence.replace(0, one.size(), "1 comparison with ");
}

std::string section(const ShippedResult& r) {
  const ordered_json& summary = r.summary;
  std::string text = fmt::format("## {}\n\n", r.title);
  if (summary.contains("data")) text += fmt::format("On {}.\n\n", summary["data"].get<std::string>().substr(3));
  text += summary.at("schema") == "attest-skills-1" ? skills_section(summary) : training_table(summary);
  if (summary.contains("power") && summary["power"].is_string())
    text += fmt::format("\nSaid before the first step: {}.\n", agreeing(summary["power"]));
  if (summary.contains("gates") && !summary["gates"].empty()) {
    text += "\nBefore training:\n\n";
    for (const ordered_json& line : summary["gates"]) text += fmt::format("- {}\n", line.get<std::string>());
  }
  text += fmt::format(
      "\n[{}.json]({}.json): {}, {} of wall time on {}, {}, commit {}, data {}. Again by:\n\n"
      "```\n{}\n```\n\n",
      r.name, r.name, counted(r.seeds, "paired seed"), counted(std::llround(r.seconds / 60), "minute"),
      r.provenance.machine, r.provenance.date, r.provenance.commit.substr(0, 12),
      r.provenance.data_digest.substr(0, 12), r.provenance.command);
  return text;
}

}  // namespace

std::string shipped_page(const std::vector<ShippedResult>& results) {
  std::string text =
      "# Results\n\nTrained or measured here and shipped, each with the command that makes it again. `attest results` "
      "wrote this "
      "page from the files beside it; a file that was changed is refused by its digest.\n\n";
  for (const ShippedResult& result : results) text += section(result);
  while (text.ends_with("\n\n")) text.pop_back();
  return text;
}

}  // namespace attest::outcomes
