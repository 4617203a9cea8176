// Images whose pixels have classes, by the catalogue's name or a folder.
#pragma once

#include <filesystem>
#include <string>

#include "simulations/data/examples/generate_examples.hpp"
#include "simulations/data/files/splits.hpp"
#include "simulations/data/images/masked_images.hpp"
#include "simulations/data/images/scenes.hpp"

namespace attest::data {

/// Whether the name is of a data set with masks, or a folder with images and annotations.
bool holds_masks(const std::string& name_or_path);

/// scenes-generated: as many scenes as `counts` says, of scenes.hpp, those of the test part made of Fashion-MNIST's
/// test images, those of the validation part of the last 5000 training ones. Else FOLDER/images/PART with
/// FOLDER/annotations/PART, PART being train or training, valid, val or validation, test; without these folders all is
/// the training part. ADE20K's number 0 is not a class, and its validation part, as published results have it, the test
/// part. All images get `options.side` pixels per side. Errors: MissingData; those of read_masked_folder;
/// std::invalid_argument of generate_scenes.
Splits<MaskedImages> load_masked(const std::string& name_or_path, const std::filesystem::path& data_dir,
                                 const SceneOptions& options, const PartCounts& counts, std::uint64_t seed = 1);

}  // namespace attest::data
