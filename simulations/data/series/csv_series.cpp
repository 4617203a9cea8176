#include "simulations/data/series/csv_series.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "reports/text/numbers.hpp"
#include "simulations/data/files/csv.hpp"
#include "simulations/data/files/lines.hpp"

namespace attest::data {
namespace {

constexpr std::size_t none = SIZE_MAX;

std::optional<double> finite(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

bool missing(const std::string& cell) { return cell.empty() || cell == "?" || cell == "NaN" || cell == "nan"; }

/// A step's column: its channel ("" where there is one alone) and number.
struct Step {
  std::string channel;
  std::size_t number = 0;
};
std::optional<Step> step_of(const std::string& column) {
  const std::size_t bar = column.rfind('_');
  const std::string digits = bar == std::string::npos ? column : column.substr(bar + 1);
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (digits.empty() || error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return Step{bar == std::string::npos ? "" : column.substr(0, bar), number};
}

/// One series as it was read; steps by time.
struct Series {
  std::string answer, part;
  std::size_t line = 0;
  std::map<double, std::vector<std::string>> steps;
};

class Table {
 public:
  Table(std::string_view bytes, const std::string& name) : name_(name), reader_(bytes, name) {
    std::size_t line = 0;
    reader_.next(columns_, line);
    std::set<std::string> seen;
    for (const std::string& column : columns_)
      if (!seen.insert(column).second) refuse(place_of(name_, 1), fmt::format("column {} occurs twice", cited(column)));
    label_ = find("label");
    target_ = find("target");
    if ((label_ == none) == (target_ == none))
      refuse(place_of(name_, 1), "give one of the columns label (classes) and target (numbers)");
    part_ = find("part");
    time_ = find("time");
    series_ = find("series");
    if ((time_ == none) != (series_ == none))
      refuse(place_of(name_, 1), "a table with one row per step has both series and time; give the other column too");
    if (is_long())
      list_channels();
    else
      list_steps();
  }

  std::vector<Series> read() {
    std::vector<Series> all;
    std::map<std::string, std::size_t> known;
    std::vector<std::string> row;
    for (std::size_t line = 0; reader_.next(row, line);) {
      if (row.size() != columns_.size())
        refuse(place_of(name_, line),
               fmt::format("{} where the header has {}; fix the row", reports::counted(std::ssize(row), "cell"),
                           reports::counted(std::ssize(columns_), "column")));
      const std::string id = is_long() ? row[series_] : fmt::format("{}", all.size());
      const auto [place, fresh] = known.try_emplace(id, all.size());
      const std::string answer = row[is_regression() ? target_ : label_], part = part_ == none ? "train" : row[part_];
      if (fresh) all.push_back({answer, part, line, {}});
      Series& series = all[place->second];
      if (answer.empty()) refuse(place_of(name_, line), "the label or target is empty; give it");
      if (series.answer != answer || series.part != part)
        refuse(place_of(name_, line),
               fmt::format("series {} has another label, target or part than in line {}; give it one", cited(id),
                           series.line));
      if (is_long())
        add_step(series, row, line);
      else
        add_row(series, row, line);
    }
    if (all.empty()) refuse(name_, "holds no series; give rows below the header");
    return all;
  }

  bool is_long() const { return time_ != none; }
  bool is_regression() const { return target_ != none; }
  std::size_t channels() const { return is_long() ? channel_columns_.size() : step_columns_.size(); }
  const std::string& name() const { return name_; }

 private:
  std::size_t find(const char* column) const {
    const auto found = std::find(columns_.begin(), columns_.end(), column);
    return found == columns_.end() ? none : static_cast<std::size_t>(found - columns_.begin());
  }
  bool is_named(std::size_t column) const {
    return column == label_ || column == target_ || column == part_ || column == time_ || column == series_;
  }

  void list_channels() {
    for (std::size_t c = 0; c < columns_.size(); ++c)
      if (!is_named(c)) channel_columns_.push_back(c);
    if (channel_columns_.empty()) refuse(place_of(name_, 1), "there is no channel beside series, time and label");
  }

  void list_steps() {
    std::map<std::string, std::map<std::size_t, std::size_t>> by_channel;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      if (is_named(c)) continue;
      const auto step = step_of(columns_[c]);
      if (!step)
        refuse(place_of(name_, 1),
               fmt::format("column {} is not a step (a number, or CHANNEL_NUMBER); rename it, or give "
                           "series and time for a table with one row per step",
                           cited(columns_[c])));
      by_channel[step->channel][step->number] = c;
    }
    if (by_channel.empty()) refuse(place_of(name_, 1), "there is no step beside the label; give columns 0, 1, 2, ...");
    for (const auto& [channel, steps] : by_channel) {
      const std::size_t first = steps.begin()->first;
      if (first > 1 || steps.rbegin()->first - first + 1 != steps.size() ||
          steps.size() != by_channel.begin()->second.size())
        refuse(place_of(name_, 1),
               fmt::format("channel {} has {} steps up to {}; number them from 0 or 1 on, as many for every channel",
                           cited(channel), steps.size(), steps.rbegin()->first));
      step_columns_.emplace_back();
      for (const auto& [number, column] : steps) step_columns_.back().push_back(column);
    }
  }

  void check(const std::string& cell, std::size_t column, std::size_t line) const {
    if (!missing(cell) && !finite(cell))
      refuse(place_of(name_, line), fmt::format("column {} is {}, no finite number; fix it or leave it empty",
                                                cited(columns_[column]), cited(cell)));
  }

  void add_step(Series& series, const std::vector<std::string>& row, std::size_t line) const {
    const auto time = finite(row[time_]);
    if (!time) refuse(place_of(name_, line), fmt::format("time is {}, no finite number; fix it", cited(row[time_])));
    std::vector<std::string> values;
    for (const std::size_t column : channel_columns_) {
      check(row[column], column, line);
      values.push_back(row[column]);
    }
    if (!series.steps.emplace(*time, std::move(values)).second)
      refuse(place_of(name_, line), fmt::format("series {} has time {} twice; keep one", cited(row[series_]), *time));
  }

  void add_row(Series& series, const std::vector<std::string>& row, std::size_t line) const {
    std::size_t length = 0;
    for (const auto& columns : step_columns_)
      for (std::size_t step = 0; step < columns.size(); ++step) {
        check(row[columns[step]], columns[step], line);
        if (!row[columns[step]].empty()) length = std::max(length, step + 1);
      }
    if (length == 0) refuse(place_of(name_, line), "the series has no value; give one or leave the row out");
    for (std::size_t step = 0; step < length; ++step)
      for (const auto& columns : step_columns_) series.steps[static_cast<double>(step)].push_back(row[columns[step]]);
  }

  std::string name_;
  CsvReader reader_;
  std::vector<std::string> columns_;
  std::size_t label_ = none, target_ = none, part_ = none, time_ = none, series_ = none;
  std::vector<std::size_t> channel_columns_;
  std::vector<std::vector<std::size_t>> step_columns_;  // [channel][step]
};

LabelVocabulary classes_of(const std::vector<Series>& all) {
  std::set<std::string> names;
  for (const Series& series : all) names.insert(series.answer);
  LabelVocabulary classes{{names.begin(), names.end()}};
  if (std::all_of(names.begin(), names.end(), [](const std::string& name) { return finite(name).has_value(); }))
    std::sort(classes.names.begin(), classes.names.end(),
              [](const std::string& a, const std::string& b) { return *finite(a) < *finite(b); });
  return classes;
}

void append(SeriesSet& set, const Series& series, const Table& table) {
  set.starts.push_back(set.values.size());
  set.lengths.push_back(series.steps.size());
  for (const auto& [time, cells] : series.steps)
    for (const std::string& cell : cells) {
      set.observed.push_back(missing(cell) ? 0 : 1);
      set.values.push_back(missing(cell) ? 0 : *finite(cell));
    }
  if (!table.is_regression()) {
    set.labels.push_back(*set.classes.find(series.answer));
    return;
  }
  const auto target = finite(series.answer);
  if (!target)
    refuse(place_of(table.name(), series.line),
           fmt::format("target is {}, no finite number; fix it, or call the column label", cited(series.answer)));
  set.targets.push_back(*target);
}

}  // namespace

bool is_series_header(const std::vector<std::string>& columns) {
  const auto has = [&](const char* name) { return std::find(columns.begin(), columns.end(), name) != columns.end(); };
  if (!has("label") && !has("target")) return false;
  return has("time") ||
         std::any_of(columns.begin(), columns.end(), [](const auto& c) { return step_of(c).has_value(); });
}

Splits<SeriesSet> parse_series_csv(std::string_view bytes, const std::string& name) {
  Table table(bytes, name);
  const std::vector<Series> all = table.read();
  Splits<SeriesSet> splits;
  for (SeriesSet* part : {&splits.train, &splits.validation, &splits.test}) {
    part->problem = name;
    part->dimensions = table.channels();
    if (!table.is_regression()) part->classes = classes_of(all);
  }
  for (const Series& series : all) {
    if (series.part != "train" && series.part != "valid" && series.part != "test")
      refuse(place_of(name, series.line),
             fmt::format("part is {} where train, valid or test is needed; fix it", cited(series.part)));
    append(series.part == "train"   ? splits.train
           : series.part == "valid" ? splits.validation
                                    : splits.test,
           series, table);
  }
  if (splits.train.count() == 0) refuse(name, "has no series whose part is train; give some to train on");
  return splits;
}

}  // namespace attest::data
