// What `attest data list` and `attest data describe` say.
#pragma once

#include <filesystem>
#include <string>

#include <nlohmann/json_fwd.hpp>

namespace attest::data {

/// The catalogue as an array of {name, title, format, available, folders (looked in), packages, source, downloads:
/// [{url, file, sha256 (null where none could be verified), sha256_source}]}.
nlohmann::json list_data(const std::filesystem::path& data_dir);

/// What a data set or file holds. Images: {name, format, parts: [{name, file, images, rows, columns, pixel_mean,
/// pixel_deviation (of value/255), blank_share (pixels that are 0), labels: [{label, images}]}]}. Text: {name, format,
/// parts: [{name, file, bytes, lines, words, distinct_words, most_frequent: [{word, count}]}]}. All other formats:
/// {name, format, examples: as describe_examples}.
/// Errors: MissingData; MalformedData and std::runtime_error of the readers.
nlohmann::json describe_data(const std::string& name_or_path, const std::filesystem::path& data_dir);

/// The same two as lines for a terminal.
std::string list_lines(const nlohmann::json& list);
std::string describe_lines(const nlohmann::json& description);

}  // namespace attest::data
