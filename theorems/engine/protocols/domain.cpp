#include "theorems/engine/protocols/domain.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "kernels/random/stream.hpp"

namespace attest::engine {
namespace {

constexpr std::size_t no_coordinate = std::numeric_limits<std::size_t>::max();
constexpr double most_times_larger = 16;

std::string interval(double lower, double upper) { return fmt::format("[{:.6g}, {:.6g}]", lower, upper); }

std::string numbers(std::size_t count) { return count == 1 ? "" : fmt::format(" ({} numbers)", count); }

/// The coordinate of the box that element `index` of entry `entry` is, at every probe; `no_coordinate` for none.
std::size_t coordinate_of(const std::vector<std::vector<double>>& points, const std::vector<Inputs>& decoded,
                          std::size_t entry, std::size_t index) {
  const auto value = [&](std::size_t p) { return decoded[p].entries()[entry].second[index]; };
  for (std::size_t i = 0; i < points.front().size(); ++i) {
    bool same = true;
    // From the last, a drawn point, where coordinates differ.
    for (std::size_t p = points.size(); same && p-- > 0;) same = points[p][i] == value(p);
    if (same) return i;
  }
  return no_coordinate;
}

bool same_shape(const Inputs& a, const Inputs& b) {
  return std::equal(
      a.entries().begin(), a.entries().end(), b.entries().begin(), b.entries().end(),
      [](const auto& x, const auto& y) { return x.first == y.first && x.second.size() == y.second.size(); });
}

std::string derived(const Shape::Entry& entry) {
  if (entry.least_count != entry.most_count)
    return fmt::format("{} ({} to {} numbers) from {:.6g} to {:.6g}", entry.name, entry.least_count, entry.most_count,
                       entry.least, entry.most);
  if (entry.most_count == 0) return entry.name + " (empty)";
  if (entry.least == entry.most)
    return fmt::format("{}{} = {:.6g}", entry.name, numbers(entry.most_count), entry.least);
  return fmt::format("{}{} from {:.6g} to {:.6g}", entry.name, numbers(entry.most_count), entry.least, entry.most);
}

/// Entry `e` of the inputs, which have one shape at every probe: exact ranges where its elements are coordinates.
/// Empty when they are not.
std::string exact(const std::vector<std::vector<double>>& points, const std::vector<Inputs>& decoded, std::size_t e,
                  std::span<const double> lower, std::span<const double> upper) {
  const auto& [name, values] = decoded.front().entries()[e];
  if (values.empty()) return {};
  bool one_range = true;
  double least = std::numeric_limits<double>::infinity(), most = -least;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const std::size_t i = coordinate_of(points, decoded, e, k);
    if (i == no_coordinate) return {};
    one_range = one_range && (k == 0 || (lower[i] == least && upper[i] == most));
    least = std::min(least, lower[i]);
    most = std::max(most, upper[i]);
  }
  if (least == most) return fmt::format("{}{} = {:.6g}", name, numbers(values.size()), least);
  return fmt::format("{}{} in {}{}", name, numbers(values.size()), one_range ? "" : "ranges within ",
                     interval(least, most));
}

Shape shape_of(const std::vector<Inputs>& decoded) {
  Shape shape;
  for (const Inputs& inputs : decoded) {
    for (const auto& entry : inputs.entries()) {
      const auto& name = entry.first;
      const auto& values = entry.second;
      auto at = std::find_if(shape.entries.begin(), shape.entries.end(), [&](const auto& e) { return e.name == name; });
      if (at == shape.entries.end()) {
        shape.entries.push_back({name, values.size(), values.size(), true, std::numeric_limits<double>::infinity(),
                                 -std::numeric_limits<double>::infinity()});
        at = std::prev(shape.entries.end());
      }
      at->least_count = std::min(at->least_count, values.size());
      at->most_count = std::max(at->most_count, values.size());
      for (const double value : values) {
        at->least = std::min(at->least, value);
        at->most = std::max(at->most, value);
        at->whole = at->whole && value == std::nearbyint(value);
      }
    }
  }
  return shape;
}

std::vector<Inputs> decoded_probes(const std::vector<std::vector<double>>& points, const Decode& decode) {
  std::vector<Inputs> decoded;
  for (const auto& x : points) decoded.push_back(decode(x));
  return decoded;
}

}  // namespace

std::vector<std::vector<double>> probe_points(std::span<const double> lower, std::span<const double> upper) {
  constexpr std::uint64_t drawn = 32;
  std::vector<std::vector<double>> points = {{lower.begin(), lower.end()}, {upper.begin(), upper.end()}, {}};
  for (std::size_t i = 0; i < lower.size(); ++i) points[2].push_back((lower[i] + upper[i]) / 2);
  for (std::uint64_t k = 0; k < drawn; ++k) {
    random::Stream stream(0, random::stream_key("probe points"), k);
    std::vector<double> x(lower.size());
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] = lower[i] == upper[i] ? lower[i] : stream.uniform(lower[i], upper[i]);
    points.push_back(std::move(x));
  }
  return points;
}

std::string domain_of_box(std::span<const double> lower, std::span<const double> upper, const Decode& decode,
                          std::size_t structured) {
  const auto points = probe_points(lower, upper);
  const auto decoded = decoded_probes(points, decode);
  const Shape shape = shape_of(decoded);
  const bool one_shape =
      std::all_of(decoded.begin(), decoded.end(), [&](const Inputs& in) { return same_shape(in, decoded.front()); });
  std::string exact_ranges, derived_ranges;
  for (std::size_t e = 0; e < shape.entries.size(); ++e) {
    const std::string words = one_shape ? exact(points, decoded, e, lower, upper) : "";
    std::string& list = words.empty() ? derived_ranges : exact_ranges;
    list += (list.empty() ? "" : "; ") + (words.empty() ? derived(shape.entries[e]) : words);
  }
  std::string text = exact_ranges;
  if (!derived_ranges.empty())
    text +=
        fmt::format("{}derived from {} coordinate{}: {} (as seen at {} points of their box)", text.empty() ? "" : "; ",
                    lower.size(), lower.size() == 1 ? "" : "s", derived_ranges, points.size());
  if (structured > 0) text += fmt::format("; {} structured point{} first", structured, structured == 1 ? "" : "s");
  return text;
}

std::string inputs_in_words(const Inputs& inputs) {
  std::string text;
  for (const auto& [name, values] : inputs.entries()) {
    text += text.empty() ? "" : ", ";
    if (values.size() == 1) {
      text += fmt::format("{} = {:.6g}", name, values.front());
    } else if (values.empty()) {
      text += name + " (empty)";
    } else {
      const auto [least, most] = std::minmax_element(values.begin(), values.end());
      text += fmt::format("{} ({} numbers) from {:.6g} to {:.6g}", name, values.size(), *least, *most);
    }
  }
  return text;
}

Shape shape_of_box(std::span<const double> lower, std::span<const double> upper, const Decode& decode) {
  return shape_of(decoded_probes(probe_points(lower, upper), decode));
}

void require_shape(const Inputs& inputs, const Shape& shape) {
  for (const Shape::Entry& entry : shape.entries) {
    const auto values = inputs[entry.name];
    // A length that varies over the box may reach somewhat beyond what the probes happened to show.
    const bool varies = entry.least_count != entry.most_count;
    const std::size_t most = varies ? 2 * entry.most_count : entry.most_count;
    if (values.size() > most || (!varies && values.size() != most))
      throw std::invalid_argument(fmt::format("the input '{}' has {} values; this statement needs {}{}", entry.name,
                                              values.size(), varies ? "at most " : "", most));
    if (!entry.whole) continue;
    const double bound = most_times_larger * std::max({1.0, std::abs(entry.least), std::abs(entry.most)});
    for (const double value : values)
      if (!(std::abs(value) <= bound))
        throw std::invalid_argument(
            fmt::format("the input '{}' holds {:.6g}; this statement is evaluated for sizes up to {:.6g}", entry.name,
                        value, bound));
  }
}

}  // namespace attest::engine
