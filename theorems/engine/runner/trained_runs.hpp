// Trained models as evidence: which training decides a statement that no check here does.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "theorems/engine/runner/runner.hpp"

namespace attest::engine {

/// A variant of a training: how its layers attend and add their residual (one name where all layers are alike), and
/// every metric's values, one per seed.
struct TrainedVariant {
  std::string name;
  std::vector<std::string> attention, residual;
  std::map<std::string, std::vector<double>> metrics;
};

/// What `attest train` leaves in DIR/summary.json, as far as statements are judged by it.
struct TrainedRun {
  std::string file, digest;  ///< the SHA-256 of its content, for the record
  std::string data_set;
  std::int64_t layers = 0, width = 0, heads = 0;
  std::uint64_t seed = 0;
  std::vector<TrainedVariant> variants;
};

/// The trainings of a text: a summary of attest train, one, or of attest train --skills, one for each skill, whose data
/// set is NAME-generated; or a result that ships around either (sealed, digest/seal.hpp). `name` stands for the file.
/// Errors: std::invalid_argument naming the file and what it lacks, also for a seal that is broken.
std::vector<TrainedRun> parse_trained_runs(const std::string& content, const std::string& name);

/// The same from a file. Errors: also when it cannot be read.
std::vector<TrainedRun> read_trained_runs(const std::filesystem::path& file);

/// One side of a question: a metric of the variant whose layers all attend and add alike.
struct TrainedSide {
  std::string attention, residual, metric;
};

/// A comparison of trained models that bears on a statement: "(a - b) relation 0", paired by seeds.
struct TrainedQuestion {
  std::string claim;  ///< the statement's id
  std::string name;   ///< such as "Shakespeare"
  TrainedSide a, b;
  Relation relation = Relation::less;
  std::vector<std::string> data_sets = {};        ///< one of which the data set's name must contain; empty: any
  std::int64_t layers = 0, width = 0, heads = 0;  ///< of the models that the statement speaks of; 0: any
  std::int64_t least_seeds = 5;
};

/// Judges those awaiting statements of `run` that `questions` speak of by the trainings: refuted when the interval of
/// some question lies on the wrong side of 0, supported when every question is answered on the claimed one, and
/// otherwise undecided, with what is missing. Intervals are those of interval_of_differences; the level is shared by
/// the pairs of a question and a training that fits it, which is known before any value is looked at. Statements that
/// no question speaks of stay as they are. Sets the run's bound for trainings when any was answered.
void judge_by_training(SuiteRun& run, const std::vector<TrainedRun>& trainings,
                       const std::vector<TrainedQuestion>& questions);

}  // namespace attest::engine
