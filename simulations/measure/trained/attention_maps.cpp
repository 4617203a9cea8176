#include "simulations/measure/trained/attention_maps.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>
#include <png.h>

#include "reports/files/atomic_file.hpp"
#include "simulations/tasks/examples.hpp"

namespace attest::measure {

using checkpoints::Trace;
using models::ModelSpec;
using tasks::Part;
namespace {

constexpr Index picture_scale = 8;
constexpr double veil = 0.55;  // share of the colour over the image

/// From blue through white to red, as t goes from 0 to 1.
std::uint8_t colour(double t, int channel) {
  const double rising = std::min(1.0, 2 * t), falling = std::min(1.0, 2 * (1 - t));
  const double parts[] = {rising, std::min(rising, falling), falling};
  return static_cast<std::uint8_t>(std::lround(255 * parts[channel]));
}

/// Brightness of a pixel: the mean of its channels.
double brightness(std::span<const std::uint8_t> image, const ModelShape& shape, Index row, Index column) {
  double sum = 0;
  for (Index c = 0; c < shape.channels; ++c)
    sum += image[static_cast<std::size_t>((c * shape.rows + row) * shape.columns + column)];
  return sum / static_cast<double>(shape.channels);
}

}  // namespace

std::vector<double> patch_attention(const TrainedModel& model, const LayerTrace& last, Index example) {
  if (last.matrix.empty()) return {};
  const ModelSpec& spec = model.spec();
  const Index classes = spec.pool == ModelSpec::Pool::class_token ? 1 : 0;
  const Index tokens = last.matrix.extent(2), heads = last.matrix.extent(1);
  std::vector<double> taken(static_cast<std::size_t>(tokens - classes), 0.0);
  const Index queries = classes == 1 ? 1 : tokens;
  for (Index h = 0; h < heads; ++h)
    for (Index i = 0; i < queries; ++i)
      for (Index j = classes; j < tokens; ++j)
        taken[static_cast<std::size_t>(j - classes)] +=
            std::max(0.0, static_cast<double>(last.matrix.at(example, h, i, j))) / static_cast<double>(heads * queries);
  return taken;
}

Picture attention_picture(std::span<const std::uint8_t> image, const ModelShape& shape, Index patch,
                          const std::vector<double>& attention, Index scale) {
  const Index gap = 1;  // between the two, in the image's pixels
  Picture picture{shape.rows * scale, (2 * shape.columns + gap) * scale, {}};
  picture.pixels.assign(static_cast<std::size_t>(picture.rows * picture.columns * 3), 255);
  const double most = std::max(1e-300, *std::max_element(attention.begin(), attention.end()));
  for (Index r = 0; r < picture.rows; ++r)
    for (Index c = 0; c < picture.columns; ++c) {
      const Index row = r / scale, wide = c / scale, column = wide % (shape.columns + gap);
      if (column >= shape.columns) continue;
      const double grey = brightness(image, shape, row, column);
      const auto cell = static_cast<std::size_t>(row / patch * (shape.columns / patch) + column / patch);
      for (int k = 0; k < 3; ++k) {
        const double over = wide < shape.columns ? grey : (1 - veil) * grey + veil * colour(attention[cell] / most, k);
        picture.pixels[static_cast<std::size_t>((r * picture.columns + c) * 3 + k)] =
            static_cast<std::uint8_t>(std::lround(over));
      }
    }
  return picture;
}

std::string png_bytes(const Picture& picture) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(picture.columns);
  image.height = static_cast<png_uint_32>(picture.rows);
  image.format = PNG_FORMAT_RGB;
  png_alloc_size_t size = 0;
  std::string bytes;
  if (png_image_write_to_memory(&image, nullptr, &size, 0, picture.pixels.data(), 0, nullptr) != 0) {
    bytes.resize(size);
    if (png_image_write_to_memory(&image, bytes.data(), &size, 0, picture.pixels.data(), 0, nullptr) != 0) {
      bytes.resize(size);
      return bytes;
    }
  }
  throw std::runtime_error(fmt::format("libpng cannot write a picture: {}", image.message));
}

void write_attention_maps(const TrainedModel& model, const Task& task, Index count,
                          const std::filesystem::path& directory, const std::string& stem) {
  const Part& part = evaluated_part(task);
  const Index images = evaluated_examples(task, count);
  for (Index i = 0; i < images; ++i) {
    const auto index = static_cast<std::size_t>(i);
    const Trace trace = model.trace(task.batch(part, index, 1), true);
    const std::vector<double> attention = patch_attention(model, trace.layers.back(), 0);
    if (attention.empty()) return;
    const Picture picture =
        attention_picture(part.images.image(index), model.shape(), model.spec().patch, attention, picture_scale);
    reports::write_file_atomically(directory / fmt::format("{}-image-{}.png", stem, i), png_bytes(picture));
  }
}

}  // namespace attest::measure
