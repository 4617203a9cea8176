// Our own pictures to be segmented: clothes of Fashion-MNIST on textures.
#pragma once

#include <cstdint>

#include "simulations/data/images/masked_images.hpp"

namespace attest::data {

struct SceneOptions {
  std::size_t side = 56;
  std::size_t least_objects = 1, most_objects = 4;
};

/// Scenes first, ..., first + count - 1: each a texture (waves, stripes or checks, at most 160 of 255) on which
/// objects lie, later ones over earlier ones, each a random image of `objects` at a random place, up to a quarter of it
/// beyond the border, mirrored with probability 1/2 and multiplied by a brightness from 0.6 to 1. Class 0 is the
/// ground, class k + 1 the pixels of an object of class k that are above 32 of 255. Scene `sample` is a pure function
/// of objects, options, seed and sample, from the stream (seed, "data/scenes", sample).
/// Errors: std::invalid_argument unless `objects` are grey, have labels and fit into a side.
MaskedImages generate_scenes(const LabelledImages& objects, const SceneOptions& options, std::uint64_t seed,
                             std::uint64_t first, std::size_t count);

}  // namespace attest::data
