// The binary version of CIFAR-10 (Krizhevsky 2009).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "simulations/data/images/labelled_images.hpp"

namespace attest::data {

/// Records of 3073 bytes: a label 0..9, then 32 x 32 red, green and blue pixels, each plane row by row.
/// Memory: the file. `name` stands for the file in messages. Errors: MalformedData naming the record when the bytes are
/// not a whole number of records (also none), or a label is above 9.
LabelledImages parse_cifar10(std::string_view bytes, const std::string& name);

/// The same from a file, plain or gzip-compressed.
LabelledImages read_cifar10(const std::filesystem::path& path);

}  // namespace attest::data
