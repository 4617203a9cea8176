// How work is asked of a CUDA device: the stream that it goes to, and work that is recorded once and then repeated as
// one launch.
#pragma once

#include <functional>
#include <memory>

namespace attest::models {

/// The cudaStream_t that LibTorch's operations of this thread go to; null, which is the default stream, where LibTorch
/// has no CUDA.
void* current_stream();

/// A CUDA graph of what a function asks of the device. Of all objects only one records or repeats at a time, since they
/// share what the libraries keep for their stream.
class RecordedWork {
 public:
  RecordedWork();
  ~RecordedWork();
  RecordedWork(const RecordedWork&) = delete;
  RecordedWork& operator=(const RecordedWork&) = delete;

  /// Whether this build can record.
  static bool is_possible();

  /// Runs `work` twice, so that libraries have asked for what they keep, then records it, each on a stream of its own,
  /// after all that was asked of the device before. Memory that `work` takes stays taken for as long as this object
  /// lives. Preconditions: is_possible; `work` reads and writes the same places at each call, gives the device what it
  /// wants by no way but these, and waits for nothing. Errors: std::runtime_error that says why and how to go on.
  void record(const std::function<void()>& work);
  bool is_recorded() const;
  /// Asks the device to do the work again, in the order of the current stream. Precondition: is_recorded.
  void repeat();

 private:
  struct Graph;
  std::unique_ptr<Graph> graph_;
};

}  // namespace attest::models
