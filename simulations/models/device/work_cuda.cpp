#include <mutex>
#include <optional>
#include <stdexcept>

#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <fmt/format.h>

#include "simulations/models/device/work.hpp"

namespace attest::models {
namespace {

using at::cuda::CUDAGraph;

std::mutex& one_at_a_time() {
  static std::mutex mutex;
  return mutex;
}

/// One for all recordings, so that each finds the memory that the one before needed to get ready.
const c10::cuda::CUDAStream& side_stream() {
  static const c10::cuda::CUDAStream stream = c10::cuda::getStreamFromPool();
  return stream;
}

/// Other threads may go on to ask for memory, where LibTorch can be told so.
template <typename Recorder>
void begin(Recorder& graph) {
  if constexpr (requires { graph.capture_begin({0, 0}, cudaStreamCaptureModeRelaxed); })
    graph.capture_begin({0, 0}, cudaStreamCaptureModeRelaxed);
  else
    graph.capture_begin();
}

[[noreturn]] void refuse(const char* why) {
  throw std::runtime_error(fmt::format(
      "a step could not be recorded as a CUDA graph; give --set training.cuda_graph=false. CUDA says: {}", why));
}

}  // namespace

struct RecordedWork::Graph {
  CUDAGraph graph;
  bool complete = false;
};

RecordedWork::RecordedWork() = default;
RecordedWork::~RecordedWork() = default;

void* current_stream() { return c10::cuda::getCurrentCUDAStream().stream(); }

bool RecordedWork::is_possible() { return true; }

void RecordedWork::record(const std::function<void()>& work) {
  const std::lock_guard only(one_at_a_time());
  c10::cuda::getCurrentCUDAStream().synchronize();
  const c10::cuda::CUDAStreamGuard on(side_stream());
  constexpr int getting_ready = 2;
  for (int time = 0; time < getting_ready; ++time) work();
  side_stream().synchronize();
  graph_ = std::make_unique<Graph>();
  begin(graph_->graph);
  try {
    work();
  } catch (const std::exception& failure) {
    const std::string why = failure.what();
    try {
      graph_->graph.capture_end();  // leaves the stream as it was
    } catch (const std::exception&) {
      // It says once more what `why` says.
    }
    refuse(why.c_str());
  }
  try {
    graph_->graph.capture_end();
  } catch (const std::exception& failure) {
    refuse(failure.what());
  }
  graph_->complete = true;
}

bool RecordedWork::is_recorded() const { return graph_ != nullptr && graph_->complete; }

void RecordedWork::repeat() {
  const std::lock_guard only(one_at_a_time());
  graph_->graph.replay();
}

}  // namespace attest::models
