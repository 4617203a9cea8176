// The program: build/bin/attest VERB ..., and under the name check_FAMILY `attest check` for one family of statements.
#include <filesystem>
#include <string>

#include "simulations/command/command_line.hpp"

int main(int argc, char** argv) {
  constexpr std::string_view family_prefix = "check_";
  const std::string name = argc > 0 ? std::filesystem::path(argv[0]).filename().string() : "";
  if (name.starts_with(family_prefix))
    return attest::commands::run_family(name.substr(family_prefix.size()), argc, argv);
  return attest::commands::run_attest(argc, argv);
}
