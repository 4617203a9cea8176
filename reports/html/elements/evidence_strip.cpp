#include "reports/html/elements/evidence_strip.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "reports/html/elements/track.hpp"
#include "reports/record/totals.hpp"
#include "reports/text/numbers.hpp"
#include "reports/text/terminal.hpp"

namespace attest::reports::html {
namespace {

/// The smallest range that holds all finite values, widened so that marks at its ends are not cut.
class Extent {
 public:
  void include(double value) {
    if (!std::isfinite(value)) return;
    least_ = std::min(least_, value);
    largest_ = std::max(largest_, value);
  }
  void include(const Evidence& evidence) {
    if (evidence.interval) {
      include(evidence.interval->lower);
      include(evidence.interval->upper);
    }
    if (evidence.estimate) include(*evidence.estimate);
    if (evidence.bound) include(*evidence.bound);
  }
  bool empty() const { return !(least_ <= largest_); }
  Track track() const { return {least_ - margin(), largest_ + margin()}; }

  /// Round numbers in the range, at most six, and their marks on an axis at height `y`.
  std::string axis(const Track& track, int y) const {
    const double least = least_ - margin(), largest = largest_ + margin();
    const double decade = std::pow(10.0, std::floor(std::log10((largest - least) / 2)));
    double step = decade;
    for (const double multiple : {1.0, 2.0, 5.0, 10.0}) {
      step = multiple * decade;
      if ((largest - least) / step <= 5) break;
    }
    std::string marks = fmt::format(R"(<line class="axis" x1="0" x2="100%" y1="{0}" y2="{0}"/>)", y);
    for (double place = std::ceil(least / step); place * step <= largest; ++place)
      marks += vertical_line(track, place * step, y, y + 5, "axis") +
               text(track, place * step, y + 18, readable_number(place * step), "tick");
    return marks;
  }

 private:
  double margin() const {
    const double width = largest_ - least_;
    return width > 0 ? 0.06 * width : std::max(std::abs(least_), 1.0) * 0.1;
  }

  double least_ = HUGE_VAL;
  double largest_ = -HUGE_VAL;
};

std::string interval_words(const Interval& interval) {
  return fmt::format("[{}, {}]", readable_number(interval.lower), readable_number(interval.upper));
}

/// Interval and estimate at height `y`; an infinite end runs to the edge of the drawing.
std::string interval_mark(const Track& track, const Interval& interval, const std::optional<double>& estimate, int y,
                          int size = 4) {
  std::string marks = horizontal_line(track, interval.lower, interval.upper, y, "bar");
  // Of thin rows the bar alone shows where it ends.
  for (const double end : {interval.lower, interval.upper}) {
    if (std::isfinite(end) && size >= 4) marks += vertical_line(track, end, y - size, y + size, "bar-end");
  }
  if (estimate) marks += dot(track, *estimate, y, size, "mark");
  return marks;
}

/// Where an interval passes without settling: the resolution on both sides of the bound.
std::string resolution_band(const Track& track, const Evidence& evidence, int y) {
  if (!evidence.bound || !evidence.resolution || !std::isfinite(*evidence.resolution)) return {};
  return horizontal_line(track, *evidence.bound - *evidence.resolution, *evidence.bound + *evidence.resolution, y,
                         "band");
}

bool has_forest_row(const Part& part) {
  return part.evidence.interval && part.evidence.bound && std::isfinite(*part.evidence.bound);
}

Evidence relative_to_bound(const Evidence& evidence) {
  Evidence relative;
  const double bound = *evidence.bound;
  relative.interval = Interval{evidence.interval->lower / bound, evidence.interval->upper / bound};
  if (evidence.estimate) relative.estimate = *evidence.estimate / bound;
  relative.bound = 1.0;
  if (evidence.resolution) relative.resolution = *evidence.resolution / bound;
  return relative;
}

}  // namespace

std::string interval_strip(const Evidence& evidence) {
  if (!evidence.interval) return {};
  Extent extent;
  extent.include(evidence);
  if (extent.empty()) return {};
  const Track track = extent.track();
  constexpr int axis_y = 28;
  const std::string words =
      (evidence.estimate ? readable_number(*evidence.estimate) + " " : "") + interval_words(*evidence.interval);
  std::string content = R"(<line class="axis" x1="0" x2="100%" y1="28" y2="28"/>)";
  std::string description = "Interval " + words;
  if (evidence.bound) {
    const std::string bound = "claimed " + readable_number(*evidence.bound);
    content +=
        vertical_line(track, *evidence.bound, 16, 40, "bound") + text(track, *evidence.bound, 11, bound, "bound");
    description += ", " + bound;
  }
  content += resolution_band(track, evidence, axis_y);
  content += interval_mark(track, *evidence.interval, evidence.estimate, axis_y);
  const double middle = evidence.estimate ? *evidence.estimate : evidence.interval->lower;
  return strip(58, description, content + text(track, middle, 54, words, "value"));
}

std::string forest_strip(const std::vector<Part>& parts) {
  std::vector<const Part*> rows;
  for (const Part& part : parts) {
    if (has_forest_row(part)) rows.push_back(&part);
  }
  if (rows.size() < 2) return {};
  const bool relative = std::all_of(rows.begin(), rows.end(), [](const Part* p) { return *p->evidence.bound > 0; });
  Extent extent;
  if (relative) extent.include(0.0);
  for (const Part* row : rows) extent.include(relative ? relative_to_bound(row->evidence) : row->evidence);
  const Track track = extent.track();
  // Many rows are named by the table below them alone: here their shape is what counts.
  constexpr std::size_t most_named = 12;
  constexpr std::size_t name_columns = 50;
  const bool named = rows.size() <= most_named;
  const int row_height = named ? 36 : 9;
  const int bottom = row_height * static_cast<int>(rows.size()) + 26;
  const int height = bottom + 22;
  std::string content;
  if (relative) {
    content += vertical_line(track, 1.0, 16, bottom, "bound") + text(track, 1.0, 11, "claimed bound", "bound");
  }
  int top = 18;
  for (const Part* row : rows) {
    const Evidence shown = relative ? relative_to_bound(row->evidence) : row->evidence;
    const int y = top + (named ? 26 : 6);
    if (named) {
      content += fmt::format(R"(<line class="axis" x1="0" x2="100%" y1="{0}" y2="{0}"/>)", y);
      content += text(track, -HUGE_VAL, top + 14, cut_to(row->name, name_columns), "row");
    }
    if (!relative) content += vertical_line(track, *shown.bound, y - (named ? 8 : 4), y + (named ? 8 : 4), "bound");
    content += resolution_band(track, shown, y);
    content += interval_mark(track, *shown.interval, shown.estimate, y, named ? 4 : 2);
    top += row_height;
  }
  content += extent.axis(track, bottom);
  return strip(height, relative ? "Intervals of the parts, relative to the claimed bound" : "Intervals of the parts",
               content);
}

std::string tightness_strip(const Evidence& evidence) {
  if (!evidence.tightness || !(*evidence.tightness >= 0) || !std::isfinite(*evidence.tightness)) return {};
  const double tightness = *evidence.tightness;
  const Track track(0.0, std::max(1.0, tightness) * 1.02);
  const std::string share = readable_number(tightness);
  std::string words = share + (tightness > 1 ? " times the bound" : " of the bound attained");
  if (evidence.attained) {
    words = "bound attained";
  } else if (share == "1") {
    const double rest = std::abs(1 - tightness);
    words = rest > 0 ? fmt::format("within {} of the bound", readable_number(rest, 2)) : "at the bound in doubles";
  }
  std::string content = R"(<line class="axis" x1="0" x2="100%" y1="28" y2="28"/>)";
  content += horizontal_line(track, 0.0, tightness, 28, "bar") + dot(track, tightness, 28, 4, "mark");
  content += vertical_line(track, 1.0, 16, 40, "bound") + text(track, 1.0, 11, "bound", "bound");
  return strip(58, words, content + text(track, tightness, 54, words, "value"));
}

std::string near_miss_strip(const Claim& claim) {
  std::set<double> sizes;
  for (const NearMiss& miss : claim.near_misses) {
    const double size = std::abs(miss.delta.value_or(0.0));
    if (size > 0 && std::isfinite(size)) sizes.insert(size);
  }
  if (sizes.size() < 2) return {};
  const int first_decade = static_cast<int>(std::floor(std::log10(*sizes.begin())));
  const int last_decade = static_cast<int>(std::ceil(std::log10(*sizes.rbegin())));
  const Track track(std::pow(10.0, first_decade) * 0.8, std::pow(10.0, last_decade) * 1.25, true);
  constexpr int axis_y = 34;
  std::string content = fmt::format(R"(<line class="axis" x1="0" x2="100%" y1="{0}" y2="{0}"/>)", axis_y);
  const int step = (last_decade - first_decade) / 5 + 1;
  for (int decade = last_decade; decade >= first_decade; decade -= step) {
    const double value = std::pow(10.0, decade);
    content += vertical_line(track, value, axis_y, axis_y + 5, "axis") +
               text(track, value, axis_y + 20, readable_number(value), "tick");
  }
  constexpr int most_stacked = 3;
  std::map<double, int> caught_of_size;
  std::string missed;  // above those that were caught
  for (const NearMiss& miss : claim.near_misses) {
    const double size = std::abs(miss.delta.value_or(0.0));
    if (!miss.verdict || !(size > 0) || !std::isfinite(size)) continue;
    if (miss.caught)
      ++caught_of_size[size];
    else
      missed += dot(track, size, axis_y, 4, "missed");
  }
  for (const auto& [size, count] : caught_of_size)
    content += dots(track, size, axis_y, std::min(count, most_stacked), "caught");
  content += missed;
  std::string words = "No planted error with a size was caught";
  if (const auto caught = smallest_caught(claim)) {
    words = "smallest error caught: " + readable_number(caught->delta);
    content += text(track, caught->delta, 14, words, "value");
  }
  return strip(58, words, content);
}

}  // namespace attest::reports::html
