// `attest sweep`: a quantity over a design of its parameters, journalled.
#include <charconv>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "kernels/files/whole_file.hpp"
#include "reports/files/atomic_file.hpp"
#include "reports/text/numbers.hpp"
#include "simulations/command/common_options.hpp"
#include "simulations/command/verb.hpp"
#include "simulations/sweeping/export.hpp"
#include "simulations/sweeping/run.hpp"
#include "simulations/terminal/build_facts.hpp"
#include "simulations/terminal/device_choice.hpp"
#include "simulations/terminal/exit_codes.hpp"
#include "simulations/terminal/interrupt.hpp"
#include "simulations/terminal/progress.hpp"

namespace attest::commands::definitions {
namespace {

/// What the command line said.
struct SweepOptions {
  std::filesystem::path spec;
  std::filesystem::path out;  ///< empty: out/sweeps/<the spec's stem>
  bool resume = false;
  std::string shard;  ///< "2/5"; empty for all
  std::vector<std::filesystem::path> merged;
  unsigned threads = 0;
  std::string device = "cpu";
  std::optional<std::uint64_t> seed;
};

namespace fs = std::filesystem;

struct Shard {
  std::uint64_t index = 1, count = 1;
};

Shard parse_shard(const std::string& text) {
  Shard shard;
  if (text.empty()) return shard;
  const char* const end = text.data() + text.size();
  const auto [slash, first_error] = std::from_chars(text.data(), end, shard.index);
  if (first_error == std::errc() && slash != end && *slash == '/') {
    const auto [rest, second_error] = std::from_chars(slash + 1, end, shard.count);
    if (second_error == std::errc() && rest == end && shard.index >= 1 && shard.index <= shard.count) return shard;
  }
  throw std::invalid_argument(fmt::format("--shard {}: write it as i/n with 1 <= i <= n, such as 2/5", text));
}

/// The spec as rank 0 reads it, so that the others need not see the file; the sentence of a failure starts with '!'.
std::string shared_text(const fs::path& file, journal::Ranks& ranks) {
  if (ranks.rank() != 0) return ranks.broadcast({});
  try {
    return ranks.broadcast(' ' + files::read_whole(file));
  } catch (...) {
    ranks.broadcast("!");
    throw;
  }
}

void write_results(const sweeps::Spec& spec, const std::vector<sweeps::Point>& points, const fs::path& directory) {
  sweeps::Journal journal(directory, true);
  sweeps::write_exports(spec, points, journal.finished(*spec.quantity, points), directory, terminal::version);
}

int run(const SweepOptions& options, journal::Ranks& ranks) {
  const std::string text = shared_text(options.spec, ranks);
  if (text.front() == '!') return terminal::exit_success;  // Rank 0 says why, and its status is the program's.
  sweeps::Spec spec =
      sweeps::read_spec(std::string_view(text).substr(1), options.spec.string(), options.spec.stem().string());
  if (options.seed) spec.seed = *options.seed;
  if (options.device == "cuda" && !spec.quantity->runs_on_cuda)
    throw terminal::DeviceError(fmt::format(
        "--device cuda: {} runs on the processor alone in this version; use --device cpu", spec.quantity->name));
  spec.on_cuda = terminal::is_cuda(options.device);
  const Shard shard = parse_shard(options.shard);
  const std::vector<sweeps::Point> points = sweeps::shard_of(sweeps::points_of(spec), shard.index, shard.count);
  sweeps::RunOptions how;
  how.directory = options.out.empty() ? fs::path("out") / "sweeps" / options.spec.stem() : options.out;
  how.resume = options.resume;
  how.merged = options.merged;
  how.threads = options.threads;
  const std::atomic<bool>& stop = terminal::interrupt_flag();
  std::signal(SIGXFSZ, SIG_IGN);  // A file at its limit is then a failed write, which is answered by a sentence.
  sweeps::RunEnd end;
  {
    terminal::Progress progress;
    end = sweeps::run_points(
        spec, points, how, ranks, stop,
        [&](std::uint64_t done, std::uint64_t total, const std::string& last) { progress.update(done, total, last); });
  }
  if (ranks.rank() != 0) return terminal::exit_success;
  write_results(spec, points, how.directory);
  const std::string where = how.directory.string();
  fmt::print("{}: {}", spec.name,
             reports::out_of(static_cast<std::int64_t>(end.taken + end.computed), static_cast<std::int64_t>(end.points),
                             "point"));
  if (end.taken > 0)
    fmt::print(", {} of them taken from earlier runs", reports::readable_count(static_cast<double>(end.taken)));
  fmt::print("; in {}/points.csv, points.json and run.db\n", where);
  if (end.complete()) {
    if (!spec.figures.empty()) fmt::print("draw its figures with: attest report {}\n", where);
    return terminal::exit_success;
  }
  fmt::print(stderr, "attest: interrupted; what was finished is kept, and --resume continues from there\n");
  return terminal::exit_interrupted;
}

/// Runs the sweep and writes its exports. Returns the exit status. Errors: std::invalid_argument for a bad spec or
/// shard, DeviceError for a device that cannot be used, reports::IoError, and those of the quantity.
int sweep(const SweepOptions& options) {
  journal::Ranks ranks;
  try {
    return run(options, ranks);
  } catch (...) {
    // Every rank finds the same fault in a spec; one sentence is enough.
    if (ranks.rank() != 0) return terminal::exit_success;
    throw;
  }
}

void add_sweep(CLI::App& verb, Chosen& chosen) {
  auto& o = options_for<SweepOptions>(verb, chosen, sweep);
  verb.add_option("spec", o.spec, "what to sweep, a .toml file; simulations/sweeps/ holds ready-made ones")->required();
  add_output_folder(verb, "--out", o.out, "folder of run.db, points.csv and points.json; out/sweeps/NAME by default");
  verb.add_flag("--resume", o.resume, "continue the run in the folder");
  verb.add_option("--shard", o.shard, "i/n: only every n-th point, from the i-th on");
  verb.add_option("--merge", o.merged, "folders of other runs, such as shards: their points are taken first");
  add_threads(verb, o.threads);
  verb.add_option("--device", o.device, "cpu or cuda, which never changes a result either")->capture_default_str();
  verb.add_option("--seed", o.seed, "seed of all random streams, instead of the spec's");
  verb.footer(
      "A sweep that is killed at any moment loses nothing that was finished: --resume continues. In several processes: "
      "mpirun "
      "-n K build/bin/attest sweep SPEC.toml\n\n"
      "Exit codes: 0 finished; 2 wrong usage or bad input; 3 a file or device failed; 130 interrupted.");
}

}  // namespace

Verb sweep_verb() { return {"sweep", "evaluate a quantity over a grid or design of its parameters", add_sweep}; }

}  // namespace attest::commands::definitions
