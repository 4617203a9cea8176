#include "simulations/judge/target/processor_time.hpp"

#include <fstream>
#include <sstream>
#include <string>

#include <fmt/format.h>
#include <unistd.h>

namespace attest::judge {

ProcessorTime processor_time_of(pid_t process) {
  std::ifstream file(fmt::format("/proc/{}/stat", process));
  std::string line;
  std::getline(file, line);
  // The name of the program is in brackets and may hold anything; the state comes after it.
  const std::size_t bracket = line.rfind(')');
  if (bracket == std::string::npos) return {};
  std::istringstream fields(line.substr(bracket + 1));
  char state = 0;
  fields >> state;
  constexpr int between = 10;  // from the parent's number to the count of major faults of ended children
  std::string ignored;
  for (int n = 0; n < between; ++n) fields >> ignored;
  double user = 0, system = 0;
  fields >> user >> system;
  if (!fields) return {};
  return {(user + system) / static_cast<double>(sysconf(_SC_CLK_TCK)), state == 'R' || state == 'D'};
}

}  // namespace attest::judge
