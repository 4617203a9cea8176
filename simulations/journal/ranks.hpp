// The processes of one sweep: one, or the ranks of an MPI program.
#pragma once

#include <optional>
#include <string>

namespace attest::journal {

/// A message and who sent it.
struct Message {
  int from = 0;
  std::string bytes;
};

/// The ranks of this program. Started by mpirun or srun they are MPI's; otherwise there is one, and nothing is sent.
/// To be used by one thread. One object per process.
class Ranks {
 public:
  /// Errors: std::runtime_error when this build has no MPI although several processes were started as one program.
  Ranks();
  ~Ranks();  // NOLINT(performance-trivially-destructible): ends MPI where there is MPI
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }
  /// The text of rank 0, on every rank; called by all.
  std::string broadcast(std::string text);
  void send(int to, const std::string& bytes);
  /// A message that has arrived, if there is one.
  std::optional<Message> receive();

 private:
  int rank_ = 0;
  int size_ = 1;
  bool initialised_ = false;
};

}  // namespace attest::journal
