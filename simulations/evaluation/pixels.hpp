// Pixels of a batch as attacks move them.
#pragma once

#include <algorithm>
#include <vector>

#include "simulations/tasks/task.hpp"

namespace attest::evaluation {

using tasks::Batch;
using tasks::Moments;
using tasks::Task;

/// The pixels that an attack may reach from one standardised pixel.
struct Reach {
  float least, greatest;
};

/// Standardised pixels of images [B][channel][row][column].
class Pixels {
 public:
  Pixels(const Task& task, const Batch& batch)
      : channels_(task.channels),
        per_channel_(static_cast<std::size_t>(task.shape.rows * task.shape.columns)),
        original_(batch.values) {}

  std::size_t per_image() const { return per_channel_ * channels_.size(); }

  /// A radius in 255ths, in standardised units of the pixel's channel.
  float step(std::size_t pixel, double radius) const {
    return static_cast<float>(radius / 255 / channel(pixel).deviation);
  }
  Reach reach(std::size_t pixel, double radius) const {
    const Moments& c = channel(pixel);
    const auto black = static_cast<float>((0 - c.mean) / c.deviation),
               white = static_cast<float>((1 - c.mean) / c.deviation);
    const float size = step(pixel, radius);
    return {std::max(black, original_[pixel] - size), std::min(white, original_[pixel] + size)};
  }
  float clamped(std::size_t pixel, float value, double radius) const {
    const Reach range = reach(pixel, radius);
    return std::clamp(value, std::min(range.least, range.greatest), range.greatest);
  }

 private:
  const Moments& channel(std::size_t pixel) const { return channels_[pixel / per_channel_ % channels_.size()]; }

  const std::vector<Moments>& channels_;
  std::size_t per_channel_;
  std::vector<float> original_;
};

}  // namespace attest::evaluation
