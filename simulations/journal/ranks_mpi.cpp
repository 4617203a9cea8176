#include <climits>
#include <stdexcept>

#include <mpi.h>

#include "simulations/journal/launcher_environment.hpp"
#include "simulations/journal/ranks.hpp"

namespace attest::journal {
namespace {

/// MPI ends the program at its own errors; what is checked here is what it cannot know.
int length_of(const std::string& bytes) {
  if (bytes.size() > INT_MAX) throw std::runtime_error("a message between ranks is longer than 2 GiB");
  return static_cast<int>(bytes.size());
}

}  // namespace

Ranks::Ranks() {
  if (!started_by_a_launcher()) return;
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
  if (provided < MPI_THREAD_FUNNELED)
    throw std::runtime_error("this MPI does not allow threads: use one that offers MPI_THREAD_FUNNELED");
  initialised_ = true;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
}

Ranks::~Ranks() {
  if (initialised_) MPI_Finalize();
}

std::string Ranks::broadcast(std::string text) {
  if (!initialised_) return text;
  int length = length_of(text);
  MPI_Bcast(&length, 1, MPI_INT, 0, MPI_COMM_WORLD);
  text.resize(static_cast<std::size_t>(length));
  MPI_Bcast(text.data(), length, MPI_CHAR, 0, MPI_COMM_WORLD);
  return text;
}

void Ranks::send(int to, const std::string& bytes) {
  MPI_Send(bytes.data(), length_of(bytes), MPI_CHAR, to, 0, MPI_COMM_WORLD);
}

std::optional<Message> Ranks::receive() {
  if (!initialised_) return std::nullopt;
  int there = 0;
  MPI_Status status;
  MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &there, &status);
  if (there == 0) return std::nullopt;
  int length = 0;
  MPI_Get_count(&status, MPI_CHAR, &length);
  Message message{status.MPI_SOURCE, std::string(static_cast<std::size_t>(length), '\0')};
  MPI_Recv(message.bytes.data(), length, MPI_CHAR, message.from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return message;
}

}  // namespace attest::journal
