// The executables check_<family>: `attest check` for one family of propositions.
#include <CLI/CLI.hpp>

#include "simulations/commands/check.hpp"
#include "simulations/commands/run_app.hpp"

int main(int argc, char** argv) {
  CLI::App app("Judges the statements of the family " ATTEST_FAMILY ".", "check_" ATTEST_FAMILY);
  int exit_code = 0;
  attest::commands::add_check(app, exit_code, ATTEST_FAMILY);
  return attest::commands::run_app(app, argc, argv, exit_code);
}
