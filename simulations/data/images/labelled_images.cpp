#include "simulations/data/images/labelled_images.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include <fmt/core.h>

namespace attest::data {

std::span<const std::uint8_t> LabelledImages::image(std::size_t index) const {
  if (index >= count) throw std::out_of_range(fmt::format("image {} of {}", index, count));
  const std::size_t size = channels * rows * columns;
  return std::span(pixels).subspan(index * size, size);
}

std::vector<ChannelMoments> channel_moments(const LabelledImages& images) {
  // Sums of at most 2^30 bytes and their squares stay below 2^63: exact integers.
  std::vector<std::int64_t> sums(images.channels);
  std::vector<std::int64_t> squares(images.channels);
  const std::size_t plane = images.rows * images.columns;
  for (std::size_t i = 0; i < images.pixels.size(); ++i) {
    const std::int64_t value = images.pixels[i];
    const std::size_t channel = i / plane % images.channels;
    sums[channel] += value;
    squares[channel] += value * value;
  }
  const auto n = static_cast<double>(images.count * plane);
  std::vector<ChannelMoments> moments;
  for (std::size_t channel = 0; channel < images.channels; ++channel) {
    const double mean = static_cast<double>(sums[channel]) / n;
    const double variance = std::max(0.0, static_cast<double>(squares[channel]) / n - mean * mean);
    moments.push_back({mean / 255, std::sqrt(variance) / 255});
  }
  return moments;
}

LabelledImages read_labelled_idx(const std::filesystem::path& images, const std::filesystem::path& labels,
                                 LabelVocabulary classes) {
  constexpr std::size_t usual_classes = 10;
  IdxImages read = read_idx_images(images);
  if (classes.names.empty()) classes = numbered_labels(usual_classes);
  const std::vector<std::uint8_t> numbers = read_idx_labels(labels, read.count, classes.names.size());
  return {read.count,
          1,
          read.rows,
          read.columns,
          std::move(read.pixels),
          std::vector<std::int32_t>(numbers.begin(), numbers.end()),
          std::move(classes)};
}

LabelledImages to_grey(const LabelledImages& images) {
  if (images.channels == 1) return images;
  if (images.channels != 3)
    throw std::invalid_argument(fmt::format("images of {} channels have no grey; give 1 or 3", images.channels));
  LabelledImages grey = images;
  grey.channels = 1;
  const std::size_t plane = images.rows * images.columns;
  grey.pixels.resize(images.count * plane);
  for (std::size_t i = 0; i < grey.pixels.size(); ++i) {
    const std::size_t red = i / plane * 3 * plane + i % plane;
    const unsigned luma =
        299U * images.pixels[red] + 587U * images.pixels[red + plane] + 114U * images.pixels[red + 2 * plane];
    grey.pixels[i] = static_cast<std::uint8_t>((luma + 500U) / 1000U);
  }
  return grey;
}

LabelledImages select(const LabelledImages& images, std::span<const std::size_t> indices) {
  LabelledImages chosen{indices.size(), images.channels, images.rows, images.columns, {}, {}, images.classes};
  chosen.pixels.reserve(indices.size() * images.channels * images.rows * images.columns);
  for (const std::size_t index : indices) {
    const auto pixels = images.image(index);
    chosen.pixels.insert(chosen.pixels.end(), pixels.begin(), pixels.end());
    if (!images.labels.empty()) chosen.labels.push_back(images.labels[index]);
  }
  return chosen;
}

void append(LabelledImages& images, const LabelledImages& more) {
  if (images.channels != more.channels || images.rows != more.rows || images.columns != more.columns ||
      images.classes != more.classes) {
    throw std::invalid_argument("images of another size or with other classes cannot be appended");
  }
  images.count += more.count;
  images.pixels.insert(images.pixels.end(), more.pixels.begin(), more.pixels.end());
  images.labels.insert(images.labels.end(), more.labels.begin(), more.labels.end());
}

}  // namespace attest::data
