// The program: build/bin/attest VERB ...
#include <CLI/CLI.hpp>

#include "simulations/commands/check.hpp"
#include "simulations/commands/list.hpp"
#include "simulations/commands/replay.hpp"
#include "simulations/commands/run_app.hpp"

int main(int argc, char** argv) {
  using namespace attest::commands;
  CLI::App app("A numerical referee for the theory of attention.", "attest");
  app.require_subcommand(1);
  int exit_code = 0;
  add_check(*app.add_subcommand("check", "judge statements and write the evidence"), exit_code);
  add_list(*app.add_subcommand("list", "every statement with paper, label, kind and title"), exit_code);
  add_replay(*app.add_subcommand("replay", "evaluate a stored counterexample again, alone, in ball arithmetic"),
             exit_code);
  return run_app(app, argc, argv, exit_code);
}
