#include "simulations/commands/measure.hpp"

#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "reports/atomic_file.hpp"
#include "simulations/commands/exit_codes.hpp"

namespace attest::commands {
namespace {

simulations::MeasureSize size_named(const std::string& word) {
  static const std::map<std::string, simulations::MeasureSize> sizes = {
      {"quick", simulations::MeasureSize::quick},
      {"standard", simulations::MeasureSize::standard},
      {"deep", simulations::MeasureSize::deep}};
  const auto found = sizes.find(word);
  if (found == sizes.end())
    throw std::invalid_argument(fmt::format("unknown budget '{}': use quick, standard or deep", word));
  return found->second;
}

}  // namespace

int measure(simulations::MeasureOptions options, const std::string& size, const std::string& json) {
  options.size = size_named(size);
  const nlohmann::json measurements = simulations::measure(options);
  if (!json.empty()) reports::write_file_atomically(json, measurements.dump(1) + "\n");
  fmt::print("{}", simulations::measure_lines(measurements));
  return exit_as_recorded;
}

}  // namespace attest::commands
