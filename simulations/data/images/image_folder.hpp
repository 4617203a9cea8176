// Folders of PNG and JPEG files.
#pragma once

#include <cstddef>
#include <filesystem>

#include "simulations/data/images/labelled_images.hpp"

namespace attest::data {

/// The size and channels that all images of a folder must have; 0 stands for those of the first.
struct ImageShape {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::size_t channels = 0;
};

/// FOLDER/<class>/<image>: one folder per class, in the order of their names, images (.png, .jpg, .jpeg) in the order
/// of theirs. Memory: the pixels, at most 1 GiB; one decoded image more. Errors: MalformedData naming the file when it
/// is damaged, of another size or number of channels, no image at all, or the pixels are too many; naming the folder
/// when it holds no class or a class no image.
LabelledImages read_image_folder(const std::filesystem::path& folder, ImageShape shape = {});

/// Images and labels as the Long Range Arena keeps Pathfinder: FOLDER/metadata/*.npy is text, one image per line with
/// blanks between folder, file, number, label (0 or 1: whether the discs lie on one curve) and settings; the image is
/// FOLDER/folder/file. Files in the order of their numbers. Memory and errors: as read_image_folder; MalformedData
/// naming file and line when a line has fewer than four fields or another label.
LabelledImages read_pathfinder_folder(const std::filesystem::path& folder);

/// Whether FOLDER has the folders metadata and imgs of the Long Range Arena's Pathfinder.
bool is_pathfinder_folder(const std::filesystem::path& folder);

}  // namespace attest::data
