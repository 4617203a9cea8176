// One training spread over the ranks of an MPI program that share a file system.
#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "simulations/journal/ranks.hpp"
#include "simulations/journal/run_record.hpp"

namespace attest::journal {

/// Which jobs are a rank's, and where it records them: rank 0 in DIR/run.db, another rank r in DIR/ranks/r/run.db,
/// which rank 0 takes over at the beginning and at the end. Checkpoints are in DIR/checkpoints for all. To be used by
/// one thread; every rank makes one.
class RankWork {
 public:
  /// Errors: those of RunRecord, on rank 0; the others then do nothing (`cancelled`). std::runtime_error as
  /// Ranks.
  RankWork(Ranks& ranks, std::filesystem::path directory, std::string canonical, bool resume);

  /// Rank 0 failed before there was anything to do.
  bool cancelled() const { return cancelled_; }
  bool is_first() const { return ranks_.rank() == 0; }
  RunRecord& record() { return *record_; }
  /// The runs that were finished at the beginning, by whichever rank; the same on all.
  const FinishedRuns& finished() const { return finished_; }
  /// This rank's part of the jobs that are not among them, in order; `run_of` gives a job's variant and seed.
  template <typename Job, typename RunOf>
  std::vector<Job> mine(const std::vector<Job>& jobs, const RunOf& run_of) const {
    std::vector<Job> part;
    int turn = 0;
    for (const Job& job : jobs)
      if (!finished_.contains(run_of(job)) && turn++ % ranks_.size() == ranks_.rank()) part.push_back(job);
    return part;
  }
  /// Ends this rank's part; `failure` is one sentence, empty when all went well. On rank 0: waits for the others, takes
  /// over their records, and gives the first failure, its own before others'. Elsewhere: closes the record.
  std::string end(const std::string& failure);

 private:
  void take_over();

  Ranks& ranks_;
  std::filesystem::path directory_;
  std::string canonical_;
  bool cancelled_ = false;
  FinishedRuns finished_;
  std::unique_ptr<RunRecord> record_;
};

}  // namespace attest::journal
