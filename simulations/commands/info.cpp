// attest info: version, compiler, components, devices.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "kernels/device/devices.hpp"
#include "kernels/parallel/blocks.hpp"
#include "reports/text/numbers.hpp"
#include "simulations/command/verb.hpp"
#include "simulations/terminal/build_facts.hpp"
#include "simulations/terminal/exit_codes.hpp"
#include "theorems/engine/registry.hpp"

namespace attest::commands::definitions {
namespace {

nlohmann::ordered_json facts() {
  const device::CudaDevices cuda = device::cuda_devices();
  nlohmann::ordered_json devices = nlohmann::ordered_json::array();
  devices.push_back(fmt::format("cpu, {}", reports::counted(parallel::hardware_threads(), "thread")));
  constexpr double gibibyte = 1024.0 * 1024.0 * 1024.0;
  for (const auto& d : cuda.devices)
    devices.push_back(fmt::format("cuda {}: {}, compute capability {}.{}, {:.0f} GiB", d.index, d.name, d.major,
                                  d.minor, static_cast<double>(d.memory_bytes) / gibibyte));
  if (cuda.devices.empty()) devices.push_back(fmt::format("cuda: none ({})", cuda.absence));
  return {
      {"version", terminal::version},
      {"statements", engine::all_claims().size()},
      {"compiler", terminal::compiler},
      {"build", fmt::format("{}, -march={}{}{}", terminal::build_type, terminal::architecture,
                            *terminal::sanitizers != '\0' ? ", -fsanitize=" : "", terminal::sanitizers)},
      {"components",
       {{"CUDA", terminal::cuda_component}, {"MPI", terminal::mpi_component}, {"LibTorch", terminal::torch_component}}},
      {"devices", devices}};
}

void print_lines(const nlohmann::ordered_json& info) {
  fmt::print("attest {}, {} statements\ncompiler   {}\nbuild      {}\n", info["version"].get<std::string>(),
             info["statements"].get<std::size_t>(), info["compiler"].get<std::string>(),
             info["build"].get<std::string>());
  for (const auto& [component, status] : info["components"].items())
    fmt::print("component  {}: {}\n", component, status.get<std::string>());
  for (const auto& device : info["devices"]) fmt::print("device     {}\n", device.get<std::string>());
}

/// Prints the facts of this build and machine. Returns the exit code.
int info(bool json) {
  const nlohmann::ordered_json all = facts();
  if (json) {
    fmt::print("{}\n", all.dump(1));
  } else {
    print_lines(all);
  }
  return terminal::exit_success;
}

void add_info(CLI::App& verb, Chosen& chosen) {
  bool& json = options_for<bool>(verb, chosen, info);
  verb.add_flag("--json", json, "machine-readable");
}

}  // namespace

Verb info_verb() { return {"info", "show version, compiler, components and devices", add_info}; }

}  // namespace attest::commands::definitions
