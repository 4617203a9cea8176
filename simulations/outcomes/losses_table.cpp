#include "simulations/outcomes/losses_table.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/names/nearest.hpp"
#include "reports/text/numbers.hpp"
#include "simulations/data/files/malformed_data.hpp"
#include "simulations/data/text/text.hpp"

namespace attest::outcomes {
namespace {

struct Row {
  std::size_t line;
  std::vector<std::string> fields;
};

[[noreturn]] void refuse(const std::string& source, std::size_t line, const std::string& complaint) {
  throw std::invalid_argument(fmt::format("{}, line {}: {}", source, line, complaint));
}

std::string trimmed(std::string field) {
  const auto space = [](char c) { return c == ' ' || c == '\t'; };
  while (!field.empty() && space(field.back())) field.pop_back();
  field.erase(field.begin(), std::find_if_not(field.begin(), field.end(), space));
  return field;
}

/// Fields of RFC 4180; lines without any character are left out.
std::vector<Row> rows_of(std::string_view text, const std::string& source) {
  try {
    if (!text.empty()) data::check_text(text, source);
  } catch (const data::MalformedData& failure) {
    throw std::invalid_argument(failure.what());
  }
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  std::vector<Row> rows;
  std::size_t line = 1, begun = 1;
  Row row{1, {}};
  std::string field;
  bool quoted = false, was_quoted = false;
  const auto end_field = [&] {
    row.fields.push_back(was_quoted ? field : trimmed(field));
    field.clear();
    was_quoted = false;
  };
  const auto end_row = [&] {
    end_field();
    if (row.fields.size() > 1 || !row.fields.front().empty()) rows.push_back(row);
    row = {line + 1, {}};
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '"' && i + 1 < text.size() && text[i + 1] == '"') {
        field += c;
        ++i;
      } else if (c == '"') {
        quoted = false;
      } else {
        field += c;
      }
    } else if (c == '"' && trimmed(field).empty()) {
      field.clear();
      quoted = was_quoted = true;
      begun = line;
    } else if (c == ',') {
      end_field();
    } else if (c == '\n') {
      end_row();
    } else if (c != '\r') {
      field += c;
    }
    line += c == '\n' ? 1 : 0;
  }
  if (quoted) refuse(source, begun, "a quotation mark is not closed; close it or double it");
  if (!field.empty() || !row.fields.empty()) end_row();
  return rows;
}

std::string in_small_letters(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

/// Where the columns are.
struct Header {
  std::size_t variant = 0, seed = 0;
  std::vector<std::size_t> metrics;
  std::vector<std::string> names;
};

Header header_of(const std::vector<Row>& rows, const std::string& source) {
  if (rows.empty()) throw std::invalid_argument(fmt::format("{} is empty: give a header and one row per run", source));
  Header header;
  header.names = rows.front().fields;
  const std::size_t line = rows.front().line;
  for (const auto& [separator, name] : {std::pair{';', "';'"}, {'\t', "tabs"}})
    if (header.names.size() == 1 && header.names.front().find(separator) != std::string::npos)
      refuse(source, line, fmt::format("its columns are separated by {}; separate them by commas", name));
  std::optional<std::size_t> variant, seed;
  for (std::size_t i = 0; i < header.names.size(); ++i) {
    const std::string& name = header.names[i];
    if (name.empty()) refuse(source, line, fmt::format("column {} has no name; name it or remove it", i + 1));
    if (std::find(header.names.begin(), header.names.begin() + static_cast<std::ptrdiff_t>(i), name) !=
        header.names.begin() + static_cast<std::ptrdiff_t>(i))
      refuse(source, line, fmt::format("column {} is called {} like one before it; rename one", i + 1, name));
    if (name == "variant")
      variant = i;
    else if (name == "seed")
      seed = i;
    else
      header.metrics.push_back(i);
  }
  for (const auto& [name, place] : {std::pair{"variant", variant}, {"seed", seed}}) {
    if (place) continue;
    const auto alike = std::ranges::find(header.names, std::string(name), in_small_letters);
    if (alike != header.names.end())
      refuse(source, line, fmt::format("there is no column {0}; write {1} in small letters, {0}", name, *alike));
    refuse(source, line,
           fmt::format("there is no column {}; the header must name variant, seed and at least one metric", name));
  }
  if (header.metrics.empty()) refuse(source, line, "there is no metric; add a column such as loss");
  header.variant = *variant;
  header.seed = *seed;
  return header;
}

std::vector<std::string> metric_names(const Header& header) {
  std::vector<std::string> names;
  for (const std::size_t column : header.metrics) names.push_back(header.names[column]);
  return names;
}

/// What to do about a field that is not a finite number.
std::string fix_of(const std::string& field) {
  if (field.empty()) return "fill it in, or remove this seed of every variant";
  std::string with_point = field;
  if (const std::size_t comma = field.find(','); comma != std::string::npos) with_point[comma] = '.';
  double value = 0;
  const char* const end = with_point.data() + with_point.size();
  if (with_point != field && std::from_chars(with_point.data(), end, value).ptr == end)
    return fmt::format("write {}, with a decimal point", with_point);
  return "a run that diverged or was not measured has no place in a comparison: repair it, or remove this seed of "
         "every "
         "variant and say so";
}

double number_in(const Row& row, std::size_t column, const Header& header, const std::string& source) {
  const std::string& field = row.fields[column];
  const char* begin = field.data() + (field.starts_with('+') ? 1 : 0);
  double value = 0;
  const auto [end, error] = std::from_chars(begin, field.data() + field.size(), value);
  if (error == std::errc() && end == field.data() + field.size() && std::isfinite(value)) return value;
  refuse(source, row.line,
         fmt::format("column {} ({}) holds \"{}\", which is not a finite number; {}", column + 1, header.names[column],
                     field, fix_of(field)));
}

std::optional<std::int64_t> whole(const std::string& text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

std::vector<std::string> in_order(std::vector<std::string> seeds) {
  const bool numbers =
      std::all_of(seeds.begin(), seeds.end(), [](const auto& seed) { return whole(seed).has_value(); });
  std::sort(seeds.begin(), seeds.end(),
            [&](const std::string& a, const std::string& b) { return numbers ? *whole(a) < *whole(b) : a < b; });
  return seeds;
}

/// Words in the order of their first mention.
class Mentioned {
 public:
  void mention(const std::string& word) {
    if (known_.insert(word).second) words_.push_back(word);
  }
  std::vector<std::string> take() { return std::move(words_); }

 private:
  std::unordered_set<std::string> known_;
  std::vector<std::string> words_;
};

}  // namespace

std::vector<std::string> metrics_of_losses(std::string_view content, const std::string& source) {
  return metric_names(header_of(rows_of(content, source), source));
}

void require_metric(const std::vector<std::string>& metrics, const std::string& wanted, const std::string& source) {
  if (std::find(metrics.begin(), metrics.end(), wanted) != metrics.end()) return;
  throw std::invalid_argument(
      fmt::format("{}: no column is called {}{}", source, wanted, names::did_you_mean(metrics, wanted)));
}

LossesTable read_losses(std::string_view content, const std::string& source, const std::vector<std::string>& wanted) {
  const std::vector<Row> rows = rows_of(content, source);
  const Header header = header_of(rows, source);
  LossesTable table;
  table.metrics = metric_names(header);
  for (const std::string& metric : wanted) require_metric(table.metrics, metric, source);
  Mentioned variants, seeds;
  std::map<std::string, std::map<std::string, const Row*>> runs;  // by variant and seed
  for (auto row = rows.begin() + 1; row != rows.end(); ++row) {
    if (row->fields.size() != header.names.size())
      refuse(source, row->line,
             fmt::format("{} under a header of {}; give one for every column",
                         reports::counted(std::ssize(row->fields), "field"), header.names.size()));
    const std::string &variant = row->fields[header.variant], &seed = row->fields[header.seed];
    for (const auto& [column, field] : {std::pair{header.variant, variant}, {header.seed, seed}})
      if (field.empty())
        refuse(source, row->line, fmt::format("column {} ({}) is empty; fill it in", column + 1, header.names[column]));
    const auto [before, fresh] = runs[variant].emplace(seed, &*row);
    if (!fresh)
      refuse(source, row->line,
             fmt::format("column {} (seed): variant {} has seed {} already in line {}; remove one of them, or give it "
                         "a seed of its own",
                         header.seed + 1, variant, seed, before->second->line));
    variants.mention(variant);
    seeds.mention(seed);
  }
  table.variants = variants.take();
  table.seeds = seeds.take();
  if (table.variants.size() < 2)
    throw std::invalid_argument(fmt::format("{} has {}: give at least two to compare", source,
                                            reports::counted(std::ssize(table.variants), "variant")));
  table.seeds = in_order(std::move(table.seeds));
  for (const std::string& seed : table.seeds)
    for (const std::string& variant : table.variants) {
      const auto run = runs[variant].find(seed);
      if (run != runs[variant].end()) continue;
      for (const std::string& other : table.variants)
        if (const auto there = runs[other].find(seed); there != runs[other].end())
          refuse(
              source, there->second->line,
              fmt::format("column {} (seed): {} has seed {}, and {} does not; add the run that is missing, or remove "
                          "this seed of every variant",
                          header.seed + 1, other, seed, variant));
    }
  for (const std::size_t column : header.metrics) {
    const std::string& metric = header.names[column];
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), metric) == wanted.end()) continue;
    for (const std::string& variant : table.variants)
      for (const std::string& seed : table.seeds)
        table.values[metric][variant].push_back(number_in(*runs[variant][seed], column, header, source));
  }
  return table;
}

}  // namespace attest::outcomes
