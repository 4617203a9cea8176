#include "reports/text/csv_field.hpp"

namespace attest::reports {
namespace {

std::string guarded(std::string_view text) {
  return (text.find_first_of("=+-@\t") == 0 ? "'" : "") + std::string(text);
}

std::string in_quotes(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

}  // namespace

std::string csv_quoted(std::string_view text) { return in_quotes(guarded(text)); }

std::string csv_field(std::string_view text) {
  const std::string field = guarded(text);
  return field.find_first_of(",\"\r\n") == std::string::npos ? field : in_quotes(field);
}

}  // namespace attest::reports
