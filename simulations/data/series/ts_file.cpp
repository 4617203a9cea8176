#include "simulations/data/series/ts_file.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include <fmt/core.h>

#include "reports/text/numbers.hpp"
#include "simulations/data/files/bytes.hpp"
#include "simulations/data/files/lines.hpp"
#include "simulations/data/series/ts_header.hpp"

namespace attest::data {
namespace {

// A finite number that is the whole of `text`; nothing otherwise.
std::optional<double> finite_number(std::string_view text) {
  double number = 0;
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(number)) return std::nullopt;
  return number;
}

bool is_missing(std::string_view text) { return text == "?" || text == "NaN" || text == "nan" || text == "NAN"; }

using Dimension = std::vector<std::optional<double>>;

Dimension parse_dimension(std::string_view text, std::size_t number, const TsHeader& header, const std::string& place) {
  Dimension values;
  for (const std::string_view field : split(text, ',')) {
    const std::string_view value = trimmed(field);
    if (is_missing(value)) {
      if (!header.missing) {
        refuse(place,
               fmt::format("dimension {}, value {} is {} and the header does not say @missing true; fix the value "
                           "or the header",
                           number, values.size() + 1, cited(value)));
      }
      values.emplace_back();
      continue;
    }
    values.push_back(finite_number(value));
    if (!values.back()) {
      refuse(place, fmt::format("dimension {}, value {} is {} and no finite number; fix the value", number,
                                values.size(), cited(value)));
    }
  }
  return values;
}

void add_target(SeriesSet& set, std::string_view label, const std::string& place) {
  if (set.is_regression()) {
    const auto target = finite_number(label);
    if (!target) refuse(place, fmt::format("the target {} is not a finite number; fix it", cited(label)));
    set.targets.push_back(*target);
    return;
  }
  const auto found = set.classes.find(label);
  if (!found) {
    refuse(place, fmt::format("the label {} is none of the header's {} classes; fix the label or the header",
                              cited(label), set.classes.names.size()));
  }
  set.labels.push_back(*found);
}

void add_series(SeriesSet& set, const std::vector<Dimension>& dimensions, const TsHeader& header,
                const std::string& place) {
  std::size_t steps = 0;
  for (const Dimension& dimension : dimensions) steps = std::max(steps, dimension.size());
  if (header.equal_length.value_or(false)) {
    const std::size_t expected = header.series_length.value_or(set.lengths.empty() ? steps : set.lengths.front());
    for (std::size_t d = 0; d < dimensions.size(); ++d) {
      if (dimensions[d].size() == expected) continue;
      refuse(place, fmt::format("dimension {} has {} values where @equalLength true asks for {}; fix the line or the "
                                "header",
                                d + 1, dimensions[d].size(), expected));
    }
  }
  set.starts.push_back(set.values.size());
  set.lengths.push_back(steps);
  for (std::size_t step = 0; step < steps; ++step) {
    for (const Dimension& dimension : dimensions) {
      const bool given = step < dimension.size() && dimension[step].has_value();
      set.values.push_back(given ? *dimension[step] : 0.0);
      set.observed.push_back(given ? 1 : 0);
    }
  }
}

}  // namespace

SeriesSet parse_ts(std::string_view bytes, const std::string& name) {
  LineReader reader(bytes);
  const TsHeader header = read_ts_header(reader, name);
  SeriesSet set;
  set.problem = header.problem;
  set.classes.names = header.classes;
  set.dimensions = header.univariate == true ? 1 : header.dimensions.value_or(0);
  for (Line line; reader.next(line);) {
    const std::string_view text = trimmed(line.text);
    if (text.empty() || text.front() == '#') continue;
    const std::string place = place_of(name, line.number);
    const std::vector<std::string_view> fields = split(text, ':');
    if (set.dimensions == 0) set.dimensions = fields.size() - 1;
    if (fields.size() < 2 || fields.size() - 1 != set.dimensions) {
      refuse(place, fmt::format("{} and a label where {} are needed; the line may be cut: fetch the file again",
                                reports::counted(std::ssize(fields) - 1, "dimension"),
                                std::max<std::size_t>(set.dimensions, 1)));
    }
    std::vector<Dimension> dimensions;
    for (std::size_t d = 0; d + 1 < fields.size(); ++d)
      dimensions.push_back(parse_dimension(fields[d], d + 1, header, place));
    add_target(set, trimmed(fields.back()), place);
    add_series(set, dimensions, header, place);
  }
  if (set.lengths.empty()) refuse(name, "holds no series after @data; fetch it again");
  return set;
}

SeriesSet read_ts(const std::filesystem::path& path) { return parse_ts(read_bytes(path), path.string()); }

Splits<SeriesSet> read_ts_pair(const std::filesystem::path& train, const std::filesystem::path& test) {
  Splits<SeriesSet> splits{read_ts(train), {}, read_ts(test)};
  if (splits.train.dimensions != splits.test.dimensions || splits.train.classes != splits.test.classes) {
    refuse(test.string(),
           fmt::format("has other dimensions or classes than {}; name files of one problem", train.string()));
  }
  splits.validation.problem = splits.train.problem;
  splits.validation.dimensions = splits.train.dimensions;
  splits.validation.classes = splits.train.classes;
  return splits;
}

}  // namespace attest::data
