// Corrupted test images as they were published.
#pragma once

#include <filesystem>

#include "simulations/data/corruptions/corruption.hpp"

namespace attest::data {

/// The first `count` (or all, if there are fewer) images of one corruption and severity below `folder`: KIND.npy and
/// labels.npy as CIFAR-10-C has them (uint8 [5 n][row][column][channel], severity by severity), or
/// KIND/SEVERITY/CLASS/IMAGE as ImageNet-C has them. `like` gives size, channels and classes that they must have; its
/// pixels are not read. Errors: MalformedData naming the file and the fix when it is missing, cut, of another type or
/// of other images.
LabelledImages read_corrupted(const std::filesystem::path& folder, Corruption kind, int severity, std::size_t count,
                              const LabelledImages& like);

}  // namespace attest::data
