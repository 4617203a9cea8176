#include "simulations/data/images/masked_images.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "simulations/data/files/lines.hpp"
#include "simulations/data/images/image_file.hpp"

namespace attest::data {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> pictures(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string extension = entry.path().extension().string();
    if (extension == ".jpg" || extension == ".jpeg" || extension == ".png") files.push_back(entry.path());
  }
  if (error || files.empty())
    refuse(folder.string(), "holds no image (.jpg, .png); name a folder with images/PART and annotations/PART");
  std::sort(files.begin(), files.end());
  return files;
}

/// Where a square of `side` pixels, cut from the middle after the shorter side became `side`, has its pixel: from
/// `first` to `end` of the original along one axis.
struct Span {
  std::size_t first, end;
};
Span span_of(std::size_t place, std::size_t size, std::size_t shorter, std::size_t side) {
  const double scale = static_cast<double>(shorter) / static_cast<double>(side),
               margin = (static_cast<double>(size) - static_cast<double>(shorter)) / 2;
  const auto at = [&](double edge) {
    return static_cast<std::size_t>(std::clamp(margin + edge * scale + 1e-9, 0.0, static_cast<double>(size)));
  };
  const std::size_t first = std::min(at(static_cast<double>(place)), size - 1);
  return {first, std::max(first + 1, at(static_cast<double>(place + 1)))};
}

void add_image(const Image& image, std::size_t side, LabelledImages& out) {
  const std::size_t shorter = std::min(image.rows, image.columns);
  for (std::size_t c = 0; c < 3; ++c)
    for (std::size_t y = 0; y < side; ++y)
      for (std::size_t x = 0; x < side; ++x) {
        const Span down = span_of(y, image.rows, shorter, side), right = span_of(x, image.columns, shorter, side);
        std::size_t sum = 0;
        for (std::size_t v = down.first; v < down.end; ++v)
          for (std::size_t u = right.first; u < right.end; ++u)
            sum += image.pixels[(v * image.columns + u) * image.channels + (image.channels == 1 ? 0 : c)];
        const std::size_t pixels = (down.end - down.first) * (right.end - right.first);
        out.pixels.push_back(static_cast<std::uint8_t>((sum + pixels / 2) / pixels));
      }
  ++out.count;
}

void add_mask(const Image& mask, std::size_t side, MaskNumbers numbers, std::vector<std::uint8_t>& out) {
  const std::size_t shorter = std::min(mask.rows, mask.columns);
  for (std::size_t y = 0; y < side; ++y)
    for (std::size_t x = 0; x < side; ++x) {
      const Span down = span_of(y, mask.rows, shorter, side), right = span_of(x, mask.columns, shorter, side);
      const std::uint8_t number =
          mask.pixels[(down.first + down.end - 1) / 2 * mask.columns + (right.first + right.end - 1) / 2];
      if (numbers == MaskNumbers::from_zero)
        out.push_back(number);
      else
        out.push_back(number == 0 ? unlabelled : static_cast<std::uint8_t>(number - 1));
    }
}

}  // namespace

MaskedImages select(const MaskedImages& images, std::span<const std::size_t> indices) {
  MaskedImages chosen;
  chosen.images = select(images.images, indices);
  for (const std::size_t index : indices) {
    const auto mask = images.mask(index);
    chosen.masks.insert(chosen.masks.end(), mask.begin(), mask.end());
  }
  return chosen;
}

MaskedImages read_masked_folder(const fs::path& images, const fs::path& masks, MaskNumbers numbers, std::size_t side) {
  MaskedImages out;
  out.images.channels = 3;
  out.images.rows = out.images.columns = side;
  for (const fs::path& file : pictures(images)) {
    const fs::path mask_file = masks / (file.stem().string() + ".png");
    std::error_code error;
    if (!fs::exists(mask_file, error))
      refuse(mask_file.string(), fmt::format("is missing; every image wants its mask, {} this one", file.string()));
    const Image image = read_image(file), mask = read_image(mask_file);
    if (mask.channels != 1)
      refuse(mask_file.string(), "is a colour image; masks are grey, each pixel the number of its class");
    if (mask.rows != image.rows || mask.columns != image.columns)
      refuse(mask_file.string(), fmt::format("has {} x {} pixels and its image {} x {}; give both one size", mask.rows,
                                             mask.columns, image.rows, image.columns));
    add_image(image, side, out.images);
    add_mask(mask, side, numbers, out.masks);
  }
  int largest = -1;
  for (const std::uint8_t number : out.masks)
    if (number != unlabelled) largest = std::max(largest, static_cast<int>(number));
  if (largest < 0) refuse(masks.string(), "no pixel has a class; name the folder of the masks");
  out.images.classes = numbered_labels(static_cast<std::size_t>(largest) + 1);
  return out;
}

}  // namespace attest::data
