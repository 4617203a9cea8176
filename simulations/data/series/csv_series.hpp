// Time series from comma-separated values, as people keep them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "simulations/data/files/splits.hpp"
#include "simulations/data/series/time_series.hpp"

namespace attest::data {

/// Whether a first line's columns are those of a table of series: label or target, and time or numbered steps.
bool is_series_header(const std::vector<std::string>& columns);

/// Series with classes (column label) or real targets (column target), in either shape:
/// long, one row per step: series, time, label or target, and a column for each channel; the rows of a series in any
/// order and place, its label in each of them; wide, one row per series: label or target, and a column for each step,
/// called by its number (one channel) or CHANNEL_STEP; steps from 0 or 1 on, as many for every channel; cells that are
/// empty at the end of all channels make a series shorter. A column part (train, valid or test) divides either; without
/// one all is the training part. Empty cells, NaN and ? are missing values. Classes are in the order of their numbers,
/// or of their names where one is not a number. Errors: MalformedData naming line, column and fix when a column is
/// missing, twice there or of neither kind, a row has another length, a value or time is not a finite number, a time
/// occurs twice in a series, its rows disagree on label or part, or a part or series is empty.
Splits<SeriesSet> parse_series_csv(std::string_view bytes, const std::string& name);

}  // namespace attest::data
