// What `attest data describe` says of examples with labels or targets.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "simulations/data/examples/load_examples.hpp"

namespace attest::data {

/// One object for each part that is not empty, each with its name (train, validation, test). Images: {images, channels,
/// rows, columns, pixel_mean, pixel_deviation (a list: by channel, of value/255), labels}. Series: {series, dimensions,
/// shortest, longest, missing, labels or target: {mean, least, largest}}. Texts: {texts, shortest, longest, mean_bytes
/// (lengths in bytes), labels}; pairs of texts the same with pairs for texts. Images with masks: as images, the pixels
/// of each class as labels, and unlabelled_pixels. Labels: [{label, count}].
nlohmann::json describe_examples(const Examples& examples);

/// Lines for a terminal, one part after the other.
std::string example_lines(const nlohmann::json& parts);

}  // namespace attest::data
