// The program: build/bin/attest VERB ...
#include <CLI/CLI.hpp>

#include "simulations/commands/build_facts.hpp"
#include "simulations/commands/check.hpp"
#include "simulations/commands/data.hpp"
#include "simulations/commands/explain.hpp"
#include "simulations/commands/info.hpp"
#include "simulations/commands/list.hpp"
#include "simulations/commands/measure.hpp"
#include "simulations/commands/replay.hpp"
#include "simulations/commands/report.hpp"
#include "simulations/commands/run_app.hpp"

int main(int argc, char** argv) {
  using namespace attest::commands;
  CLI::App app("A numerical referee for the theory of attention.", "attest");
  app.set_version_flag("--version", version);
  app.require_subcommand(1);
  int exit_code = 0;
  add_check(*app.add_subcommand("check", "judge statements and write the evidence"), exit_code);
  add_list(*app.add_subcommand("list", "every statement with paper, label, kind and title"), exit_code);
  add_explain(*app.add_subcommand("explain", "one statement in full"), exit_code);
  add_replay(*app.add_subcommand("replay", "evaluate a stored counterexample again, alone"), exit_code);
  add_measure(*app.add_subcommand("measure", "the propositions' quantities on attention over real data"), exit_code);
  add_data(*app.add_subcommand("data", "data sets: what is there, what a file holds"), exit_code);
  add_report(*app.add_subcommand("report", "rebuild the report from stored results"), exit_code);
  add_info(*app.add_subcommand("info", "version, compiler, components, devices"), exit_code);
  return run_app(app, argc, argv, exit_code);
}
