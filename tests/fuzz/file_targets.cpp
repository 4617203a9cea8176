#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "kernels/files/whole_file.hpp"
#include "reports/files/atomic_file.hpp"
#include "simulations/checkpoints/checkpoint.hpp"
#include "simulations/journal/run_record.hpp"
#include "simulations/sweeping/journal.hpp"
#include "simulations/sweeping/spec.hpp"
#include "tests/fuzz/resealed.hpp"
#include "tests/fuzz/target.hpp"

namespace attest::fuzz {
namespace {

namespace fs = std::filesystem;

/// Removed when the program ends; in memory where the machine has such a place.
const fs::path& folder() {
  static const fs::path path = (fs::exists("/dev/shm") ? fs::path("/dev/shm") : fs::temp_directory_path()) /
                               fmt::format("attest-fuzz-{}", ::getpid());
  static const bool made = [] {
    fs::remove_all(path);  // of a process that was killed and had this number
    fs::create_directories(path);
    return std::atexit([] { fs::remove_all(folder()); }) == 0;
  }();
  static_cast<void>(made);
  return path;
}

// A training's journal, and a sweep's.

const std::string experiment = "experiment";

/// A journal into which others are merged: begun afresh after many files, before it grows, for opening one takes longer
/// than all that is read of a small one.
template <typename Journal>
class Merged {
 public:
  explicit Merged(std::function<std::unique_ptr<Journal>()> begin) : begin_(std::move(begin)) {}

  Journal& next() {
    constexpr int most_files = 64;
    if (files_++ % most_files == 0) journal_.reset();
    if (!journal_) journal_ = begin_();
    return *journal_;
  }

 private:
  std::function<std::unique_ptr<Journal>()> begin_;
  std::unique_ptr<Journal> journal_ = nullptr;
  int files_ = 0;
};

std::string training_journal() {
  const fs::path place = folder() / "training-seed";
  {
    journal::RunRecord record(place, experiment, false);
    record.add("softmax", 3, {{10, "training_loss", 2.5}, {20, "training_loss", 2.25}});
    record.finish("softmax", 3, {{"test_loss", 1.5}, {"steps", 20}});
    record.warn({"softmax", 3, 20, "a head is dead"});
    record.note_program("a commit");
  }
  return files::read_whole(place / "run.db");
}

void read_training_journal(std::string_view bytes) {
  written(bytes, "training/run.db");
  journal::RunRecord record(folder() / "training", experiment, true);
  record.results("softmax", 3);
  record.measurements();
  record.finished();
  record.warnings();
  record.programs();
  static Merged<journal::RunRecord> merged([] {
    fs::remove_all(folder() / "training-merged");
    return std::make_unique<journal::RunRecord>(folder() / "training-merged", experiment, false);
  });
  merged.next().take_from(record);
}

struct SweepOfTwo {
  sweeps::Spec spec = sweeps::read_spec("quantity = 'grc_ratio'\n[axes]\nL = [1, 2]\n", "sweep.toml", "sweep");
  std::vector<sweeps::Point> points = sweeps::points_of(spec);
};

std::string sweep_journal() {
  const fs::path place = folder() / "sweep-seed";
  {
    const SweepOfTwo sweep;
    quantities::Outcomes outcomes;
    for (const auto& result : sweep.spec.quantity->results) outcomes[result.name] = quantities::Outcome::exact(0.1);
    sweeps::Journal journal(place, false);
    journal.add(*sweep.spec.quantity, sweep.points[0], outcomes);
    journal.commit();
  }
  return files::read_whole(place / "run.db");
}

/// Merging reads all that resuming does.
void read_sweep_journal(std::string_view bytes) {
  static const SweepOfTwo sweep;
  static Merged<sweeps::Journal> merged([] {
    fs::remove_all(folder() / "sweep-merged");
    return std::make_unique<sweeps::Journal>(folder() / "sweep-merged", false);
  });
  written(bytes, "sweep/run.db");
  merged.next().take_from(folder() / "sweep", *sweep.spec.quantity, sweep.points);
}

/// SQLite may meet an error of the disk in a damaged file: then the program ends with its sentence too, and exit
/// code 3.
std::function<void(std::string_view)> or_io_error(void (*read)(std::string_view)) {
  return [read](std::string_view bytes) {
    for (const char* place : {"training", "sweep"}) {  // a rollback journal that the input before left
      std::error_code error;
      fs::remove(folder() / place / "run.db-journal", error);
    }
    try {
      read(bytes);
    } catch (const reports::IoError& refusal) {
      // Its sentence is the file's reason, as a refusal's.
      throw std::invalid_argument(refusal.what());
    }
  };
}

// Weights and checkpoints.

const std::vector<models::ParameterSpec>& parameters() {
  static const std::vector<models::ParameterSpec> all = {{"w", {2, 2}, {}}, {"b", {1}, {}}};
  return all;
}

std::string checkpoint() {
  checkpoints::TrainerState state;
  state.step = 12;
  state.weights = state.first_moments = state.second_moments = state.best_weights = {{1, 2, 3, 4}, {5}};
  checkpoints::write_checkpoint(folder() / "seed.safetensors", parameters(), state, experiment);
  return files::read_whole(folder() / "seed.safetensors");
}

std::string weights() {
  checkpoints::WeightsOrigin origin;
  origin.experiment = experiment;
  origin.variant = "softmax";
  checkpoints::write_weights(folder() / "weights.safetensors", parameters(), {{1, 2, 3, 4}, {5}}, origin);
  return files::read_whole(folder() / "weights.safetensors");
}

}  // namespace

std::string written(std::string_view bytes, const std::string& name) {
  const fs::path file = folder() / name;
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
  return file.string();
}

std::vector<Target> file_targets() {
  return {
      {"training-journal", {training_journal()}, or_io_error(read_training_journal)},
      {"sweep-journal", {sweep_journal()}, or_io_error(read_sweep_journal)},
      {"checkpoint",
       {checkpoint()},
       [](std::string_view bytes) {
         checkpoints::read_checkpoint(written(bytes, "checkpoint.safetensors"), parameters(), experiment);
       },
       [](std::string bytes) { return with_checkpoint_digest(std::move(bytes), experiment); }},
      {"weights",
       {weights()},
       [](std::string_view bytes) {
         const std::string file = written(bytes, "weights-changed.safetensors");
         checkpoints::read_weights_origin(file);
         checkpoints::read_weights(file, parameters());
       }},
  };
}

}  // namespace attest::fuzz
