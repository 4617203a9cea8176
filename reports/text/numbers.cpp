#include "reports/text/numbers.hpp"

#include <cmath>

#include <fmt/format.h>

namespace attest::reports {

std::string readable_number(double value, int digits) {
  if (std::isnan(value)) return "not a number";
  if (std::isinf(value)) return value > 0 ? "∞" : "-∞";
  if (value == 0) return "0";  // and not "-0"
  const double size = std::abs(value);
  // %g alone would turn 123456 with four digits into 1.235e+05; integers of ordinary size are clearer in full.
  if (size < 1e6 && std::rint(value) == value) return fmt::format("{:.0f}", value);
  if (size >= 1e3 && size < 1e6) return fmt::format("{:.{}f}", value, digits > 6 ? digits - 6 : 0);
  return fmt::format("{:.{}g}", value, digits);
}

std::string readable_count(double value) {
  const std::string digits = fmt::format("{:.0f}", value);
  const std::size_t first = digits.front() == '-' ? 1 : 0;
  std::string grouped;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    // Four digits stay together: "1024", but "10 240".
    if (i > first && (digits.size() - i) % 3 == 0 && digits.size() - first > 4) grouped += "\u202f";
    grouped += digits[i];
  }
  return grouped;
}

std::string readable_seconds(double seconds) {
  constexpr double longest = 1e12;  // what is longer was not measured
  if (!(seconds >= 0 && seconds <= longest)) return "unknown time";
  if (seconds < 9.995) return fmt::format("{:.2f} s", seconds);
  if (seconds < 120) return fmt::format("{:.0f} s", seconds);
  const auto whole = static_cast<std::int64_t>(std::llround(seconds));
  if (whole < 7200) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

std::string counted(std::int64_t count, const std::string& noun) { return counted(count, noun, noun + "s"); }

std::string counted(std::int64_t count, const std::string& noun, const std::string& plural) {
  return fmt::format("{} {}", readable_count(static_cast<double>(count)), count == 1 ? noun : plural);
}

std::string out_of(std::int64_t count, std::int64_t total) {
  return fmt::format("{} of {}", readable_count(static_cast<double>(count)),
                     readable_count(static_cast<double>(total)));
}

std::string out_of(std::int64_t count, std::int64_t total, const std::string& noun) {
  return fmt::format("{} of {}", readable_count(static_cast<double>(count)), counted(total, noun));
}

}  // namespace attest::reports
