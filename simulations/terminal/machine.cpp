#include "simulations/terminal/machine.hpp"

#include <ctime>
#include <fstream>

#include <fmt/format.h>

namespace attest::terminal {

std::string processor() {
  std::ifstream facts("/proc/cpuinfo");
  for (std::string line; std::getline(facts, line);) {
    if (!line.starts_with("model name")) continue;
    const auto value = line.find_first_not_of(" \t", line.find(':') + 1);
    if (value != std::string::npos) return line.substr(value);
  }
  return "unknown";
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  ::gmtime_r(&now, &utc);
  return fmt::format("{:04}-{:02}-{:02}", utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday);
}

}  // namespace attest::terminal
