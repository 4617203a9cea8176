// Data sets with labels or targets as a trainer reads them: by their catalogue name, or by a file or folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <variant>

#include "simulations/data/catalogue/catalogue.hpp"
#include "simulations/data/files/splits.hpp"
#include "simulations/data/images/labelled_images.hpp"
#include "simulations/data/images/masked_images.hpp"
#include "simulations/data/series/time_series.hpp"
#include "simulations/data/text/labelled_pairs.hpp"
#include "simulations/data/text/labelled_texts.hpp"

namespace attest::data {

/// The splits of a data set of examples. A part that the data set lacks is empty; splits.hpp's hold_out makes a
/// validation part of the training part.
using Examples = std::variant<Splits<LabelledImages>, Splits<SeriesSet>, Splits<LabelledTexts>, Splits<MaskedImages>,
                              Splits<LabelledPairs>>;

/// How a file or folder is stored, by its name and beginning. A folder: the Long Range Arena's Pathfinder by metadata
/// and imgs, IMDb by neg and pos, segmentation by images and annotations, else images. Errors: std::runtime_error when
/// it cannot be read; MalformedData naming the formats when a table's first line is of none of them.
DataFormat format_of(const std::filesystem::path& path);

/// Loads a catalogue entry with all its parts, or a file or folder. A folder's splits are its folders train, valid (or
/// val, validation, dev) and test where train is there, or NAME_TRAIN.ts and NAME_TEST.ts; else everything is the
/// training part. Generated sets: 600, 200 and 200 examples of seed 1 with the published settings.
/// SST-2's test part as GLUE publishes it has no labels and is left out.
/// Memory: as the formats' readers state; all parts are held.
/// Errors: MissingData; MalformedData; std::invalid_argument when the entry is running text.
Examples load_examples(const std::string& name_or_path, const std::filesystem::path& data_dir);

/// The same, of one kind. Errors: also std::invalid_argument when the data set is of another kind.
Splits<LabelledImages> load_images(const std::string& name_or_path, const std::filesystem::path& data_dir);
Splits<SeriesSet> load_series(const std::string& name_or_path, const std::filesystem::path& data_dir);
Splits<LabelledTexts> load_texts(const std::string& name_or_path, const std::filesystem::path& data_dir);
Splits<LabelledPairs> load_pairs(const std::string& name_or_path, const std::filesystem::path& data_dir);

}  // namespace attest::data
