#include "simulations/command/compare_losses.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "kernels/files/whole_file.hpp"
#include "kernels/statistics/paired_referee.hpp"
#include "reports/files/atomic_file.hpp"
#include "reports/text/numbers.hpp"
#include "reports/text/terminal.hpp"
#include "simulations/command/compare_figure.hpp"
#include "simulations/command/plain_table.hpp"
#include "simulations/outcomes/comparison.hpp"
#include "simulations/outcomes/losses_table.hpp"
#include "simulations/terminal/exit_codes.hpp"
#include "simulations/terminal/progress.hpp"

namespace attest::commands {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;
using outcomes::ComparisonRule;
using outcomes::Difference;
using outcomes::LossesTable;

ordered_json number(double value) { return std::isfinite(value) ? ordered_json(value) : ordered_json(nullptr); }

void write(const fs::path& file, const ordered_json& document) {
  if (!file.empty()) reports::write_file_atomically(file, document.dump(1) + "\n");
}

/// A metric and which side of it is better.
struct Metric {
  std::string name;
  bool more_is_better;
};

/// Losses and perplexities are better when lower; of nothing else is it guessed.
Metric with_direction(const std::string& name, const std::string& better, const char* how) {
  if (better == "lower" || better == "higher") return {name, better == "higher"};
  if (!better.empty())
    throw std::invalid_argument(fmt::format("\"{}\" for the metric {}: give lower or higher", better, name));
  for (const char* known : {"loss", "perplexity"})
    if (name == known || name.ends_with(std::string("_") + known)) return {name, false};
  throw std::invalid_argument(fmt::format("which values of {} are better is not known: say so by {}", name,
                                          fmt::format(fmt::runtime(how), name)));
}

std::vector<Metric> metrics_asked_for(const CompareOptions& options, const std::vector<std::string>& there,
                                      const std::string& source) {
  std::string primary = options.metric;
  if (primary.empty()) {
    if (there.size() > 1)
      throw std::invalid_argument(fmt::format("{}, line 1: it has the metrics {}; name the primary one with --metric",
                                              source, fmt::join(there, ", ")));
    primary = there.front();
  }
  outcomes::require_metric(there, primary, source);
  std::vector<Metric> metrics = {with_direction(primary, options.better, "--better lower or --better higher")};
  for (const std::string& one : options.also) {
    const auto colon = one.rfind(':');
    const std::string name = one.substr(0, colon);
    if (std::any_of(metrics.begin(), metrics.end(), [&](const Metric& m) { return m.name == name; }))
      throw std::invalid_argument(fmt::format("--also {}: the metric is compared already", one));
    outcomes::require_metric(there, name, source);
    metrics.push_back(with_direction(name, colon == std::string::npos ? "" : one.substr(colon + 1),
                                     "--also {0}:lower or --also {0}:higher"));
  }
  return metrics;
}

std::optional<statistics::Interval> range_of(const std::string& text) {
  if (text.empty()) return std::nullopt;
  statistics::Interval range;
  const auto comma = text.find(',');
  const auto read = [](std::string_view part, double& value) {
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
    return error == std::errc() && end == part.data() + part.size() && std::isfinite(value);
  };
  if (comma == std::string::npos || !read(std::string_view(text).substr(0, comma), range.lower) ||
      !read(std::string_view(text).substr(comma + 1), range.upper) || !(range.lower < range.upper))
    throw std::invalid_argument(fmt::format("--range {}: give two numbers that rise, such as --range 0,1", text));
  return range;
}

std::vector<std::pair<std::string, std::string>> pairs_of(const LossesTable& table, const std::string& baseline) {
  const auto& all = table.variants;
  if (!baseline.empty() && std::find(all.begin(), all.end(), baseline) == all.end())
    throw std::invalid_argument(
        fmt::format("--baseline {}: there is no such variant; there are {}", baseline, fmt::join(all, ", ")));
  std::vector<std::pair<std::string, std::string>> pairs;
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = i + 1; j < all.size(); ++j) {
      if (baseline.empty()) pairs.emplace_back(all[i], all[j]);
      if (all[i] == baseline) pairs.emplace_back(all[j], all[i]);
      if (all[j] == baseline) pairs.emplace_back(all[i], all[j]);
    }
  return pairs;
}

struct Judged {
  std::string a, b;
  Metric metric;
  Difference difference;
};

std::string counted_pairs(std::size_t pairs) { return reports::counted(static_cast<std::int64_t>(pairs), "pair"); }

/// `least`: the fewest pairs that bound an interval.
std::string interval_text(const statistics::Interval& interval, std::size_t least) {
  if (!std::isfinite(interval.lower) || !std::isfinite(interval.upper))
    return fmt::format("no interval yet: {} needed", counted_pairs(least));
  return fmt::format("[{:.6g}, {:.6g}]", interval.lower, interval.upper);
}

/// With three digits of the interval's width, below which a mean says nothing.
std::string mean_text(double mean, const statistics::Interval& interval) {
  const double width = interval.upper - interval.lower;
  if (!std::isfinite(width) || width <= 0) return fmt::format("{:+.6g}", mean);
  const int decimals = std::clamp(3 - static_cast<int>(std::ceil(std::log10(width))), 0, 12);
  return fmt::format("{:+.{}f}", mean, decimals);
}

/// A variant's name as the printed table has room for it; files keep it whole.
std::string shown(const std::string& name) { return reports::cut_to(name, 40); }

std::string verdict_text(const Judged& one) {
  if (one.difference.verdict == "a better") return shown(one.a) + " better";
  return one.difference.verdict == "b better" ? shown(one.b) + " better" : one.difference.verdict;
}

std::string seeds_text(const Judged& one, std::size_t least) {
  const Difference& d = one.difference;
  if (d.decided_at > 0) return fmt::format("after {} of {}", d.decided_at, counted_pairs(d.pairs));
  const std::string these = d.pairs == 1 ? "this one" : fmt::format("these {}", d.pairs);
  if (d.would_decide) return fmt::format("{} like {} would decide", counted_pairs(*d.would_decide), these);
  if (d.deviation == 0 && d.mean == 0)
    return fmt::format("{} {} equal; fewer than {} never decide", counted_pairs(d.pairs), d.pairs == 1 ? "is" : "are",
                       least);
  return fmt::format("{} pairs like {} would not decide", statistics::most_projected(d.pairs), these);
}

ordered_json json_of(const Judged& one) {
  const Difference& d = one.difference;
  const auto ends = [](const statistics::Interval& interval) {
    return ordered_json{number(interval.lower), number(interval.upper)};
  };
  const auto count = [](std::optional<std::size_t> n) { return n ? ordered_json(*n) : ordered_json(nullptr); };
  ordered_json json = {{"a", one.a},
                       {"b", one.b},
                       {"metric", one.metric.name},
                       {"better", one.metric.more_is_better ? "higher" : "lower"},
                       {"pairs", d.pairs},
                       {"difference", number(d.mean)},
                       {"deviation", number(d.deviation)},
                       {"interval", ends(d.interval)},
                       {"interval_class", "symmetric"},
                       {"verdict", d.verdict},
                       {"e_value", number(d.e_value)},
                       {"decided_at", count(d.decided_at > 0 ? std::optional(d.decided_at) : std::nullopt)},
                       {"would_decide", count(d.would_decide)}};
  if (d.range_interval) json["range_interval"] = ends(*d.range_interval);
  return json;
}

/// Refuses what lies outside of --range, on which a range interval rests.
void require_within(const statistics::Interval& range, const LossesTable& table, const std::string& metric,
                    const std::string& source, const std::string& asked) {
  for (const auto& [variant, values] : table.values.at(metric))
    for (std::size_t s = 0; s < values.size(); ++s)
      if (!range.contains(values[s]))
        throw std::invalid_argument(fmt::format("{}: {} of variant {}, seed {} is {}, outside --range {}", source,
                                                metric, variant, table.seeds[s], values[s], asked));
}

/// Every pair by every metric, the primary one first.
std::vector<Judged> judged_pairs(const CompareOptions& options, const LossesTable& table,
                                 const std::vector<std::pair<std::string, std::string>>& pairs,
                                 const std::vector<Metric>& metrics, const std::optional<statistics::Interval>& range) {
  ComparisonRule rule{.level = options.level, .comparisons = pairs.size() * metrics.size()};
  std::vector<Judged> judged;
  terminal::Progress progress;
  for (const Metric& metric : metrics)
    for (const auto& [a, b] : pairs) {
      progress.update(judged.size(), rule.comparisons, shown(a) + " and " + shown(b));
      rule.more_is_better = metric.more_is_better;
      // Range and smallest difference are in the primary metric's unit.
      const bool primary = metric.name == metrics.front().name;
      rule.smallest = primary ? options.smallest : 0;
      rule.range = primary ? range : std::nullopt;
      const auto& values = table.values.at(metric.name);
      judged.push_back({a, b, metric, outcomes::compare(values.at(a), values.at(b), rule)});
    }
  return judged;
}

void print_remarks(const std::vector<Judged>& judged, const std::string& range, std::size_t least) {
  for (const Judged& one : judged) {
    const Difference& d = one.difference;
    if (!d.interval.contains(d.mean))
      fmt::print(
          "{} and {}: the mean difference is outside the interval of the centre, so the differences are not "
          "symmetric; read the verdict as one on their typical sign.\n",
          shown(one.a), shown(one.b));
    if (d.range_interval)
      fmt::print("{} and {}, by the range {} alone, for independent pairs of any law: mean difference in {}.\n",
                 shown(one.a), shown(one.b), range, interval_text(*d.range_interval, least));
  }
}

}  // namespace

int compare_losses(const CompareOptions& options) {
  const reports::FigureStyle style = options.figures.style();
  const fs::path figure = options.figure.empty() ? fs::path{} : figure_stem(options.figure);
  const fs::path& file = options.inputs.front();
  const std::string source = file.string(), content = files::read_whole(file);
  const std::vector<Metric> metrics = metrics_asked_for(options, outcomes::metrics_of_losses(content, source), source);
  std::vector<std::string> names;
  for (const Metric& metric : metrics) names.push_back(metric.name);
  const LossesTable table = outcomes::read_losses(content, source, names);
  const auto pairs = pairs_of(table, options.baseline);
  const std::optional<statistics::Interval> range = range_of(options.range);
  if (range) require_within(*range, table, names.front(), source, options.range);
  const double level = options.level;
  const std::size_t count = pairs.size() * metrics.size();
  const std::vector<Judged> judged = judged_pairs(options, table, pairs, metrics, range);
  const std::size_t least = outcomes::least_seeds(count, level);
  fmt::print("{}: {}, {}; {} is better when {}; level {} over {}\n\n", source,
             reports::counted(std::ssize(table.variants), "variant"),
             reports::counted(std::ssize(table.seeds), "paired seed"), names.front(),
             metrics.front().more_is_better ? "higher" : "lower", level,
             reports::counted(static_cast<std::int64_t>(count), "comparison"));
  std::vector<std::vector<std::string>> rows = {{"a", "b", "metric", "mean of a - b", "interval", "verdict", "seeds"}};
  ordered_json comparisons = ordered_json::array();
  for (const Judged& one : judged) {
    rows.push_back({shown(one.a), shown(one.b), one.metric.name,
                    mean_text(one.difference.mean, one.difference.interval),
                    interval_text(one.difference.interval, least), verdict_text(one), seeds_text(one, least)});
    comparisons.push_back(json_of(one));
  }
  print_table(rows);
  fmt::print("\n");
  if (table.seeds.size() < least) fmt::print("No verdict is possible with fewer than {} pairs at this level.\n", least);
  fmt::print(
      "Verdicts and intervals hold after every number of pairs, all together with probability {}. They assume that "
      "{}.\n",
      1 - level, outcomes::paired_assumption);
  print_remarks(judged, options.range, least);
  write(options.json, {{"schema", "attest-comparison-1"},
                       {"file", source},
                       {"level", level},
                       {"smallest", options.smallest},
                       {"assumption", outcomes::paired_assumption},
                       {"least_pairs", least},
                       {"comparisons", comparisons}});
  if (!figure.empty()) {
    std::vector<ComparedPair> rows_of_figure;
    for (const Judged& one : judged)
      if (one.metric.name == names.front())
        rows_of_figure.push_back({one.a + " − " + one.b, one.difference.mean, one.difference.interval});
    write_comparison_figure(figure, rows_of_figure, names.front(), options.smallest, style);
  }
  return terminal::exit_success;
}

}  // namespace attest::commands
