#include <stdexcept>

#include "simulations/models/device/work.hpp"

namespace attest::models {

struct RecordedWork::Graph {};

RecordedWork::RecordedWork() = default;
RecordedWork::~RecordedWork() = default;

void* current_stream() { return nullptr; }

bool RecordedWork::is_possible() { return false; }

void RecordedWork::record(const std::function<void()>&) {
  throw std::logic_error("this build's LibTorch has no CUDA: nothing can be recorded");
}

bool RecordedWork::is_recorded() const { return false; }

void RecordedWork::repeat() {}

}  // namespace attest::models
