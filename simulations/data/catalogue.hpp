// The data sets that Attest knows by name: what they are, where they are looked for, how they are had.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "simulations/data/idx.hpp"

namespace attest::simulations {

/// How a data set is stored.
enum class DataFormat {
  idx_images,     ///< IDX images with IDX labels, plain or gzip-compressed
  text,           ///< plain UTF-8 text
  bible_program,  ///< printed by the program `bible` from its own compressed file
};

/// One part of a data set, such as its test images. Files may also be there with ".gz" added.
struct DataPart {
  std::string_view name;
  std::string_view file;    ///< images or text
  std::string_view labels;  ///< labels of the images; empty where there are none
};

/// One entry of the catalogue.
struct DataSet {
  std::string_view name;
  std::string_view title;  ///< what it holds, one line
  DataFormat format;
  std::span<const std::string_view> folders;  ///< names of its folder below the data folders
  std::span<const DataPart> parts;            ///< the smaller part first
  std::string_view packages;                  ///< Debian packages that hold it; empty when none does
  std::string_view source;                    ///< where else it comes from
};

/// All entries, the defaults first.
std::span<const DataSet> catalogue();

/// The entry of that name, or null.
const DataSet* find_data_set(std::string_view name);

/// Folders in which a data set is looked for, in order: below `data_dir` (unless empty), below the environment's
/// ATTEST_DATA, below /usr/share/datasets; a folder that itself bears the data set's name counts too.
std::vector<std::filesystem::path> search_folders(const DataSet& data_set, const std::filesystem::path& data_dir);

/// Where a file of the data set lies, with or without ".gz": in the first search folder that holds any of its parts;
/// nothing when no folder does, or that folder lacks the file.
std::optional<std::filesystem::path> find_data_file(const DataSet& data_set, std::string_view file,
                                                    const std::filesystem::path& data_dir);

/// Whether some part of the data set is there; for `bible_program`, the program and its data.
bool is_available(const DataSet& data_set, const std::filesystem::path& data_dir);

/// Thrown when a data set is not there; the message names the package to install or the folders looked in.
struct MissingData : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Data in memory.
struct Data {
  std::string name;                              ///< the catalogue's name, or the file's
  std::string origin;                            ///< the file or program it came from, for the record
  std::variant<IdxImages, std::string> content;  ///< images, or running text
};

/// Loads a data set by its catalogue name, or a file by its path (IDX images by their magic, text otherwise).
/// `larger_part`: the last part of the entry that is there instead of its first.
/// Errors: MissingData; std::runtime_error of the readers.
Data load_data(const std::string& name_or_path, const std::filesystem::path& data_dir, bool larger_part);

}  // namespace attest::simulations
