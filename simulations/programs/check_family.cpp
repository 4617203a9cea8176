// The executables check_<family>: `attest check` for one family of propositions.
#include "simulations/commands/command_line.hpp"

int main(int argc, char** argv) { return attest::commands::run_family(ATTEST_FAMILY, argc, argv); }
