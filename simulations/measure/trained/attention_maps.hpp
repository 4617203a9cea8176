// Where a trained vision model looks: attention drawn over its images.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "simulations/checkpoints/trained_model.hpp"

namespace attest::measure {

using attention::Index;
using checkpoints::LayerTrace;
using checkpoints::TrainedModel;
using models::ModelShape;
using tasks::Task;

/// Colours [row][column][red, green, blue].
struct Picture {
  Index rows = 0, columns = 0;
  std::vector<std::uint8_t> pixels;
};

/// What the last layer's heads take on average from each patch, [patch row][patch column]: by the class token where
/// there is one, else by all patches on average. Negative weights, which 2A - A^2 and A - I have, count as 0. Empty
/// when the layer's mechanism is not a matrix that acts on its values. Precondition: a vision model; example <
/// batch.count.
std::vector<double> patch_attention(const TrainedModel& model, const LayerTrace& last, Index example);

/// The image in grey beside the same image under its attention, from cold (none) to warm (the most), every pixel
/// `scale` pixels wide. `image` is [channel][row][column] in 0..255.
Picture attention_picture(std::span<const std::uint8_t> image, const ModelShape& shape, Index patch,
                          const std::vector<double>& attention, Index scale);

/// The bytes of a PNG file. Errors: std::runtime_error when libpng fails.
std::string png_bytes(const Picture& picture);

/// Writes the first `count` images of the evaluated part as `directory`/STEM-image-I.png. Errors: reports::IoError.
void write_attention_maps(const TrainedModel& model, const Task& task, Index count,
                          const std::filesystem::path& directory, const std::string& stem);

}  // namespace attest::measure
