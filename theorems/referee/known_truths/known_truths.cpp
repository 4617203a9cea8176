#include "theorems/referee/known_truths/known_truths.hpp"

#include <algorithm>
#include <charconv>
#include <set>
#include <stdexcept>

#include <fmt/format.h>

namespace attest::referee {
namespace {

std::vector<std::string> fields_of(std::string_view line) {
  std::vector<std::string> fields;
  for (std::size_t begin = 0;;) {
    const std::size_t end = line.find('\t', begin);
    fields.emplace_back(line.substr(begin, end == std::string_view::npos ? end : end - begin));
    if (end == std::string_view::npos) return fields;
    begin = end + 1;
  }
}

[[noreturn]] void refuse(const std::string& name, std::size_t line, const std::string& what) {
  throw std::invalid_argument(fmt::format("{}, line {}: {}", name, line, what));
}

}  // namespace

std::vector<KnownTruth> read_known_truths(std::string_view table, const std::string& name) {
  std::vector<KnownTruth> truths;
  std::set<std::string> ids;
  bool header = true;
  std::size_t number = 0;
  while (!table.empty()) {
    const std::size_t end = table.find('\n');
    std::string_view line = table.substr(0, end);
    table.remove_prefix(end == std::string_view::npos ? table.size() : end + 1);
    ++number;
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (line.empty() || line.front() == '#') continue;
    const std::vector<std::string> fields = fields_of(line);
    if (header) {
      if (fields.size() < 3 || fields[0] != "id" || fields[1] != "statement" || fields[2] != "truth")
        refuse(name, number,
               "the first line names the columns: id, statement, truth, sharp, source, separated by tabs");
      header = false;
      continue;
    }
    if (fields.size() < 3) refuse(name, number, "a row wants at least id, statement and truth, separated by tabs");
    if (fields[2] != "true" && fields[2] != "false")
      refuse(name, number, fmt::format("the truth is 'true' or 'false', not '{}'", fields[2]));
    if (!ids.insert(fields[0]).second)
      refuse(name, number, fmt::format("the id '{}' stands twice; ids are unique", fields[0]));
    KnownTruth truth{fields[0], fields[1], fields[2] == "true", std::nullopt, fields.size() > 4 ? fields[4] : ""};
    if (fields.size() > 3) {
      double sharp = 0;
      const char* stop = fields[3].data() + fields[3].size();
      const auto parsed = std::from_chars(fields[3].data(), stop, sharp);
      if (parsed.ec == std::errc() && parsed.ptr == stop && !fields[3].empty()) truth.sharp = sharp;
    }
    truths.push_back(std::move(truth));
  }
  if (header) refuse(name, number, "the table is empty");
  return truths;
}

}  // namespace attest::referee
