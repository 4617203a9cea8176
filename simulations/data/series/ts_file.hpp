// .ts files: the format of the UEA, UCR and time-series regression archives.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "simulations/data/files/splits.hpp"
#include "simulations/data/series/time_series.hpp"

namespace attest::data {

/// One series per line: dimension:dimension:...:label, values between commas, "?" or "NaN" for a missing one where the
/// header says @missing true. A dimension shorter than its series' longest is missing at its end (and needs
/// @equalLength false). The label is the text after the last colon: a class of the header, or a number for regression.
/// Memory: at most 9 bytes for every 2 of the file. `name` stands for the file in messages.
/// Errors: MalformedData naming line, dimension and value when a value is not a finite number, missing where none may
/// be, a label is unknown, or the number of dimensions or the length differs from the header's or the other series';
/// also when there is no series, or the last line has no end and is cut.
SeriesSet parse_ts(std::string_view bytes, const std::string& name);

/// The same from a file, plain or gzip-compressed.
SeriesSet read_ts(const std::filesystem::path& path);

/// A training and a test file of one problem. The test part keeps its own, the validation part is empty: hold_out makes
/// one of the training part. Errors: as read_ts; MalformedData when dimensions, classes or kind of the two differ.
Splits<SeriesSet> read_ts_pair(const std::filesystem::path& train, const std::filesystem::path& test);

}  // namespace attest::data
