// The program: build/bin/attest VERB ...
#include "simulations/commands/command_line.hpp"

int main(int argc, char** argv) { return attest::commands::run_attest(argc, argv); }
