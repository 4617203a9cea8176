// Images whose every pixel has a class: what segmentation reads.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "simulations/data/images/labelled_images.hpp"

namespace attest::data {

/// A pixel that has no class, and counts in no loss and no metric.
inline constexpr std::uint8_t unlabelled = 255;

struct MaskedImages {
  LabelledImages images;             ///< without labels; its classes are those of pixels
  std::vector<std::uint8_t> masks;   ///< [image][row][column]: the class of each pixel, or `unlabelled`
  std::vector<std::int32_t> labels;  ///< none: a picture has no class of its own

  std::size_t count() const { return images.count; }
  /// The classes of image `index`'s pixels. Precondition: index < count().
  std::span<const std::uint8_t> mask(std::size_t index) const {
    const std::size_t size = images.rows * images.columns;
    return std::span(masks).subspan(index * size, size);
  }
};

/// The examples of those indices, in that order. Errors: std::out_of_range.
MaskedImages select(const MaskedImages& images, std::span<const std::size_t> indices);

/// How the pixels of the masks name classes.
enum class MaskNumbers {
  from_zero,             ///< 0 is the first class, 255 none (Cityscapes' training numbers, PASCAL VOC)
  from_one_zero_is_none  ///< 1 is the first class, 0 none (ADE20K)
};

/// Images (.jpg, .png) of one folder with the masks of the same names (.png, grey) in another, in the order of their
/// names, each brought to side x side: the shorter side shrunk to `side` by means over boxes (masks: the nearest
/// pixel), then the middle cut out. Grey images become colours. Classes are numbered up to the largest that occurs.
/// Memory: 4 side^2 bytes per image.
/// Errors: MalformedData naming the file and the fix when it is damaged, a mask is missing, of another size than its
/// image or not grey, or no pixel has a class; naming the folder when it holds no image.
MaskedImages read_masked_folder(const std::filesystem::path& images, const std::filesystem::path& masks,
                                MaskNumbers numbers, std::size_t side);

}  // namespace attest::data
