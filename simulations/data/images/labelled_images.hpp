// Images with classes, as image classification reads them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "simulations/data/files/labels.hpp"
#include "simulations/data/images/idx.hpp"

namespace attest::data {

/// Images of one size, [image][channel][row][column] in 0..255, channels grey or red, green, blue.
struct LabelledImages {
  std::size_t count = 0;
  std::size_t channels = 1;
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<std::uint8_t> pixels;  ///< count * channels * rows * columns
  std::vector<std::int32_t> labels;  ///< count of them, or none
  LabelVocabulary classes;

  /// The pixels of image `index`. Errors: std::out_of_range when index >= count.
  std::span<const std::uint8_t> image(std::size_t index) const;
};

/// Mean and standard deviation of one channel's pixels as value/255.
struct ChannelMoments {
  double mean = 0;
  double deviation = 0;
};
std::vector<ChannelMoments> channel_moments(const LabelledImages& images);

/// IDX images with their IDX labels, classes named by `classes` (numbered where that is empty).
/// Errors: MalformedData naming the file and record when a label is outside the classes (10 where none are named).
LabelledImages read_labelled_idx(const std::filesystem::path& images, const std::filesystem::path& labels,
                                 LabelVocabulary classes = {});

/// Colour images as grey ones: ITU-R 601 luma, (299 R + 587 G + 114 B) / 1000 rounded to the nearest; grey ones as they
/// are. Errors: std::invalid_argument unless there are 1 or 3 channels.
LabelledImages to_grey(const LabelledImages& images);

/// The examples of those indices, in that order. Errors: std::out_of_range.
LabelledImages select(const LabelledImages& images, std::span<const std::size_t> indices);

/// Appends `more` to `images`. Errors: std::invalid_argument when size, channels or classes differ.
void append(LabelledImages& images, const LabelledImages& more);

}  // namespace attest::data
