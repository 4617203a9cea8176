#include "reports/figures/figure_layout.hpp"

#include <algorithm>
#include <cmath>

#include "reports/figures/data_extremes.hpp"
#include "reports/figures/set_text.hpp"
#include "reports/text/readable_tex.hpp"

namespace attest::reports {
namespace {

using Align = PlacedText::Align;

constexpr double line_height = 1.4;  ///< of a text, em
constexpr double sample = 2.4;       ///< of a line before its name, em
constexpr double gap = 0.5;          ///< between parts, em
constexpr double below_ticks = 2.5;  ///< from the axis to what stands below its numbers, em

const std::string& name_of(const Figure& figure, const Entry& entry) {
  if (entry.kind == Entry::Kind::series) return figure.series[entry.index].label;
  if (entry.kind == Entry::Kind::reference_curve) return figure.reference_curves[entry.index].label;
  return figure.reference_lines[entry.index].label;
}

std::vector<Entry> named_entries(const Figure& figure) {
  std::vector<Entry> entries;
  const auto add = [&](Entry::Kind kind, std::size_t index, bool drawable) {
    if (drawable && !name_of(figure, {kind, index}).empty()) entries.push_back({kind, index});
  };
  for (std::size_t i = 0; i < figure.series.size(); ++i)
    add(Entry::Kind::series, i, has_drawable_points(figure.series[i], figure));
  for (std::size_t i = 0; i < figure.reference_curves.size(); ++i)
    add(Entry::Kind::reference_curve, i, has_drawable_points(figure.reference_curves[i], figure));
  for (std::size_t i = 0; i < figure.reference_lines.size(); ++i) {
    const ReferenceLine& each = figure.reference_lines[i];
    add(Entry::Kind::reference_line, i,
        is_drawable(each.value, each.axis == ReferenceLine::Across::x ? figure.x : figure.y));
  }
  return entries;
}

double widest_tick(const AxisScale& scale) {
  double widest = 0;
  for (const Tick& tick : scale.ticks) widest = std::max(widest, text_width(readable_text(tick.label)));
  return widest;
}

/// The last drawable point of a line that runs from left to right up to the plot's right end; the height of a
/// horizontal reference there.
struct LineEnd {
  double x, y;
};

std::optional<LineEnd> line_end(const Figure& figure, const Entry& entry, const FigureLayout& layout) {
  if (entry.kind == Entry::Kind::reference_line) {
    const ReferenceLine& reference = figure.reference_lines[entry.index];
    if (reference.axis == ReferenceLine::Across::x) return std::nullopt;
    return LineEnd{layout.right, place_on(layout.y, reference.value, layout.bottom, layout.top)};
  }
  const Series& series =
      entry.kind == Entry::Kind::series ? figure.series[entry.index] : figure.reference_curves[entry.index];
  if (!series.line || !std::is_sorted(series.x.begin(), series.x.end())) return std::nullopt;
  for (std::size_t i = series.x.size(); i-- > 0;) {
    if (!is_drawable(series.x[i], figure.x) || !is_drawable(series.y[i], figure.y)) continue;
    const double x = place_on(layout.x, series.x[i], layout.left, layout.right);
    // A leader from farther away would cross other lines.
    if (x < layout.left + 0.88 * (layout.right - layout.left)) return std::nullopt;
    return LineEnd{x, place_on(layout.y, series.y[i], layout.bottom, layout.top)};
  }
  return std::nullopt;
}

/// Moves heights, ascending, apart to `step` at least, as little as that takes and within [top, bottom].
void spread(std::vector<double>& heights, double step, double top, double bottom) {
  for (int round = 0; round < 60; ++round) {
    for (std::size_t i = 1; i < heights.size(); ++i) {
      const double missing = step - (heights[i] - heights[i - 1]);
      if (missing <= 0) continue;
      heights[i - 1] -= missing / 2;
      heights[i] += missing / 2;
    }
    heights.front() = std::max(heights.front(), top);
    heights.back() = std::min(heights.back(), bottom);
  }
  for (std::size_t i = 1; i < heights.size(); ++i) heights[i] = std::max(heights[i], heights[i - 1] + step);
}

/// Whether every name found its place beside its line's end.
bool place_beside(const Figure& figure, const std::vector<Entry>& entries, FigureLayout& layout) {
  const double step = line_height * 0.95 * layout.em, top = layout.top, bottom = layout.bottom;
  if (static_cast<double>(entries.size()) * step > bottom - top) return false;
  std::vector<std::pair<LineEnd, Entry>> ends;
  for (const Entry& entry : entries) {
    const auto end = line_end(figure, entry, layout);
    if (!end) return false;
    ends.emplace_back(*end, entry);
  }
  std::stable_sort(ends.begin(), ends.end(), [](const auto& a, const auto& b) { return a.first.y < b.first.y; });
  std::vector<double> heights;
  for (const auto& [end, entry] : ends) heights.push_back(end.y);
  spread(heights, step, top, bottom);
  const double left = layout.right + (sample + gap) * layout.em;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const double room = (layout.width - left) / layout.em - 0.2;
    layout.entries.push_back({ends[i].second,
                              {label_within(name_of(figure, ends[i].second), room), left, heights[i], Align::left},
                              layout.right + 0.8 * layout.em,
                              left - 0.4 * layout.em,
                              true,
                              ends[i].first.x,
                              ends[i].first.y});
  }
  return true;
}

/// Rows of names from `top` on; how many there are. Without `layout` they are only counted.
int place_below(const Figure& figure, const std::vector<Entry>& entries, double em, double width, double top,
                FigureLayout* layout) {
  if (entries.empty()) return 0;
  const double most = width / em - sample - 2 * gap - 0.6;
  double column = 0;
  for (const Entry& entry : entries)
    column = std::max(column, std::min(most, text_width(readable_text(name_of(figure, entry)))) + sample + 3 * gap);
  const int columns = std::max(1, static_cast<int>((width / em - 0.6) / column));
  for (std::size_t i = 0; layout != nullptr && i < entries.size(); ++i) {
    const int row = static_cast<int>(i) / columns;
    const double left = (0.3 + column * static_cast<double>(static_cast<int>(i) % columns)) * em;
    const double text = left + (sample + gap) * em;
    layout->entries.push_back(
        {entries[i],
         {label_within(name_of(figure, entries[i]), most), text, top + (row + 0.5) * line_height * em, Align::left},
         left,
         left + sample * em});
  }
  return (static_cast<int>(entries.size()) + columns - 1) / columns;
}

/// The lines above and below the plot.
struct Texts {
  std::vector<std::string> title, x_label, y_label, value_label;
};

/// Title and labels of the heights and values from the top on, that of the x axis `below` the plot.
void place_texts(const Figure& figure, const Texts& texts, double canvas, double below, FigureLayout& layout) {
  const double em = layout.em, width = layout.width;
  const auto place = [&](const std::vector<std::string>& each, double x, double from, Align align) {
    for (std::size_t i = 0; i < each.size(); ++i)
      layout.texts.push_back({each[i], x, from + (static_cast<double>(i) + 0.5) * line_height * em, align});
  };
  std::vector<std::string> title = texts.title;
  for (std::string& each : title) each = "{/:Bold " + each + "}";
  double y = 0.4 * em;
  place(title, 0.3 * em, y, Align::left);
  y += line_height * em * static_cast<double>(title.size());
  place(texts.y_label, 0.3 * em, y, Align::left);
  place(texts.value_label, width - 0.3 * em, y, Align::right);
  // In the middle of the plot, unless that pushes it over an edge.
  double x = (layout.left + layout.right) / 2;
  const double half = std::min(text_width(readable_text(figure.x.label)), canvas) * em / 2;
  x = std::clamp(x, std::min(half + 0.3 * em, width / 2), std::max(width - half - 0.3 * em, width / 2));
  place(texts.x_label, x, layout.bottom + below, Align::middle);
}

}  // namespace

double place_on(const AxisScale& scale, double value, double from, double to) {
  const auto place = [&](double v) { return scale.logarithmic ? std::log10(v) : v; };
  // Divided first: the difference of two ends may be beyond a double.
  const double low = place(scale.low) / 2, high = place(scale.high) / 2;
  const double share = (place(value) / 2 - low) / (high - low);
  return from + share * (to - from);
}

FigureLayout figure_layout(const Figure& figure, const FigureStyle& style) {
  FigureLayout layout{};
  const double em = style.font_size * 96 / 72;
  const double width = style.width * 96;
  layout.em = em;
  layout.width = width;
  const DataExtremes data = data_extremes(figure);
  const bool heat = figure.heat.has_value();
  const double canvas = width / em - 0.6;

  std::vector<std::string> title = lines_within(figure.title, 0.88 * canvas, 3);
  std::vector<std::string> y_label = lines_within(figure.y.label, heat ? 0.55 * canvas : canvas, 2);
  std::vector<std::string> x_label = lines_within(figure.x.label, canvas, 2);
  std::vector<std::string> value_label;
  if (heat) value_label = lines_within(figure.heat->value.label, 0.4 * canvas, 2);
  const std::size_t beside = std::max(y_label.size(), value_label.size());
  layout.top = (0.4 + line_height * static_cast<double>(title.size() + beside) + 0.5) * em;

  const std::vector<Entry> entries = named_entries(figure);
  const double below_axis = (below_ticks + line_height * static_cast<double>(x_label.size())) * em;
  const auto full_height = [&](int rows) {
    const double drawing = style.height == 0 ? 3 * 96 : style.height * 96;
    return style.height == 0 ? drawing + rows * line_height * em : drawing;
  };
  const auto frame = [&](int rows, double right_room) {
    layout.height = full_height(rows);
    layout.bottom = layout.height - below_axis - (rows > 0 ? rows * line_height + 0.6 : 0.3) * em;
    // However long the names are, something of the plot is left.
    layout.bottom = std::max(layout.bottom, layout.top + 2 * em);
    const int most_y = std::clamp(static_cast<int>((layout.bottom - layout.top) / (2.2 * em)), 2, 7);
    layout.y = axis_scale(figure.y, data.y, most_y, heat, true);
    if (!figure.y.places.empty())
      for (Tick& tick : layout.y.ticks) tick.label = cut_to_width(readable_text(tick.label), 0.4 * canvas);
    layout.left = (std::min(widest_tick(layout.y), 0.45 * canvas) + 1.4) * em;
    layout.right = width - right_room;
    for (int most_x = 8; most_x >= 2; --most_x) {
      layout.x = axis_scale(figure.x, data.x, most_x, heat, false);
      const double room = (layout.right - layout.left) / em;
      if ((widest_tick(layout.x) + 1) * static_cast<double>(layout.x.ticks.size()) <= room) break;
    }
  };
  const double half_tick = 2.2 * em;
  if (heat) {
    layout.value = axis_scale(figure.heat->value, data.value, 6, true, false);
    const double bar = 1.2 * em, numbers = (widest_tick(layout.value) + 1.6) * em;
    frame(place_below(figure, entries, em, width, 0, nullptr), em + bar + numbers);
    layout.bar_left = layout.right + em;
    layout.bar_right = layout.bar_left + bar;
  } else {
    double widest = 0;
    for (const Entry& entry : entries) widest = std::max(widest, text_width(readable_text(name_of(figure, entry))));
    frame(0, (sample + gap + 0.4 + widest) * em);
    const bool narrow = layout.right - layout.left < 0.5 * width;
    if (entries.empty() || narrow || !figure.y.places.empty() || !place_beside(figure, entries, layout))
      frame(place_below(figure, entries, em, width, 0, nullptr), half_tick);
  }
  if (layout.entries.empty()) place_below(figure, entries, em, width, layout.bottom + below_axis, &layout);

  place_texts(figure, {title, x_label, y_label, value_label}, canvas, below_ticks * em, layout);
  return layout;
}

}  // namespace attest::reports
