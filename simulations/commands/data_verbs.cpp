#include <filesystem>
#include <memory>
#include <string>

#include "simulations/commands/common_options.hpp"
#include "simulations/commands/data.hpp"
#include "simulations/commands/measure.hpp"
#include "simulations/commands/measure_blocks.hpp"
#include "simulations/commands/sweep.hpp"
#include "simulations/commands/train.hpp"
#include "simulations/commands/verb.hpp"

namespace attest::commands {
namespace {

void add_sweep(CLI::App& verb, Chosen& chosen) {
  SweepOptions& o = options_for<SweepOptions>(verb, chosen, sweep);
  verb.add_option("spec", o.spec, "what to sweep, a .toml file; simulations/sweeps/ holds ready-made ones")->required();
  verb.add_option("--out", o.out, "directory of run.db, points.csv and points.json; out/sweeps/NAME unless given");
  verb.add_flag("--resume", o.resume, "go on with the run that the directory holds");
  verb.add_option("--shard", o.shard, "i/n: only every n-th point, from the i-th on");
  verb.add_option("--merge", o.merged, "directories of other runs, such as shards: their points are taken first");
  add_threads(verb, o.threads);
  verb.add_option("--device", o.device, "cpu or cuda, which never changes a result either")->capture_default_str();
  verb.add_option("--seed", o.seed, "seed of all random streams, instead of the spec's");
  verb.footer(
      "Killed at any moment, a sweep loses nothing that was finished: --resume goes on. On several processes: mpirun "
      "-n K build/bin/attest sweep SPEC.toml\n\n"
      "Exit codes: 0 finished; 2 wrong usage or bad input; 3 a file or device failed; 130 interrupted.");
}

struct MeasureVerb {
  measure::MeasureOptions measure;
  std::string budget = "standard", json_file, checkpoint, blocks;
  std::int64_t runs = 64;
};

void add_measure(CLI::App& verb, Chosen& chosen) {
  MeasureVerb& o = options_for<MeasureVerb>(verb, chosen, [](const MeasureVerb& given) {
    if (!given.blocks.empty()) return measure_blocks(given.measure, given.runs, given.blocks);
    if (!given.checkpoint.empty())
      return measure_checkpoint(given.checkpoint, given.measure, given.budget, given.json_file);
    return measure(given.measure, given.budget, given.json_file);
  });
  verb.add_option(
      "--data", o.measure.data,
      "a data set's name (attest data list) or a file: IDX images or text; both defaults when none is given");
  add_budget(verb, o.budget, "quick, standard or deep");
  add_seed(verb, o.measure.seed);
  add_threads(verb, o.measure.threads);
  add_data_dir(verb, o.measure.data_dir);
  verb.add_option("--json", o.json_file, "also write the measurements to this file");
  verb.add_option(
      "--checkpoint", o.checkpoint,
      "a trained model instead, DIR/checkpoints/RUN.safetensors: noise, spectra, Jacobians, token similarity");
  CLI::Option* blocks = verb.add_option(
      "--blocks", o.blocks,
      "instead, whether untrained blocks cluster the images of --data by class: DIR/summary.json for check --training");
  verb.add_option("--runs", o.runs, "of --blocks, with random images and a projection each")
      ->needs(blocks)
      ->capture_default_str();
}

struct DataOptions {
  std::string name, mirror;
  std::filesystem::path data_dir;
  bool json = false;
};

void add_data(CLI::App& verb, Chosen& chosen) {
  const auto o = std::make_shared<DataOptions>();
  verb.require_subcommand(1);
  CLI::App* list_verb = verb.add_subcommand("list", "the data sets known by name, and whether they are there");
  CLI::App* describe_verb = verb.add_subcommand("describe", "what a data set or file holds");
  describe_verb->add_option("name", o->name, "a data set's name or a file")->required();
  CLI::App* fetch_verb = verb.add_subcommand("fetch", "download a data set from its documented address");
  fetch_verb->add_option("name", o->name, "a data set's name")->required();
  fetch_verb->add_option("--mirror", o->mirror, "take the same file names from this address instead");
  for (CLI::App* each : {list_verb, describe_verb, fetch_verb}) {
    each->add_option("--data-dir", o->data_dir, "where data sets are looked for first, and fetched to");
    each->add_flag("--json", o->json, "machine-readable");
  }
  list_verb->callback([o, &chosen] { chosen = [o] { return list_data_sets(o->data_dir, o->json); }; });
  fetch_verb->callback(
      [o, &chosen] { chosen = [o] { return fetch_data_set(o->name, o->data_dir, o->mirror, o->json); }; });
  describe_verb->callback([o, &chosen] { chosen = [o] { return describe_data_set(o->name, o->data_dir, o->json); }; });
}

void add_train(CLI::App& verb, Chosen& chosen) {
  // Its options, and the help on them, are those of the program it hands over to.
  verb.set_help_flag();
  verb.prefix_command();
  verb.callback([&verb, &chosen] { chosen = [&verb] { return train(verb.remaining()); }; });
}

}  // namespace

std::vector<Verb> data_verbs() {
  return {{"sweep", "evaluate a quantity over a grid or design of its parameters", add_sweep},
          {"measure", "measure the propositions' quantities on attention over real data", add_measure},
          {"data", "list, describe and download data sets", add_data},
          {"train", "train variants of a model and compare them", add_train}};
}

}  // namespace attest::commands
