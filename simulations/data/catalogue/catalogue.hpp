// The data sets that Attest knows by name: what they are, where they are looked for, how they are obtained.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "simulations/data/images/idx.hpp"

namespace attest::data {

/// How a data set is stored.
enum class DataFormat {
  idx_images,            ///< IDX images with IDX labels, plain or gzip-compressed
  text,                  ///< plain UTF-8 text
  bible_program,         ///< printed by the program `bible` from its own compressed file
  cifar10,               ///< CIFAR-10's binary version
  series,                ///< .ts time series
  series_csv,            ///< time series as comma-separated values
  sst2,                  ///< sentences with labels between tabs
  imdb_csv,              ///< reviews as comma-separated values
  imdb_folder,           ///< reviews as files below neg and pos
  listops,               ///< expressions and their values between tabs
  image_folder,          ///< PNG and JPEG files, one folder per class
  pathfinder_folder,     ///< PNG files with a table, as the Long Range Arena has them
  generated_listops,     ///< drawn by Attest itself
  generated_pathfinder,  ///< drawn by Attest itself
  generated_series,      ///< drawn by Attest itself
  generated_scenes,      ///< drawn by Attest itself from fashion-mnist
  masked_folder,         ///< images and, of the same names, grey PNG files with the class of each pixel
  generated_passages,    ///< passages of the Bible, drawn by Attest itself
  generated_pairs,       ///< pairs of them
  paper_pairs,           ///< pairs of texts between tabs, as the Long Range Arena's Retrieval has them
};

/// The format in words, such as "IDX images".
std::string_view format_name(DataFormat format);

/// One part of a data set, such as its test images. Files may also be there with ".gz" added.
struct DataPart {
  std::string name;    ///< train, valid, test, or what it holds
  std::string file;    ///< images, text, series; a folder for imdb_folder
  std::string labels;  ///< labels of IDX images; empty where there are none
};

/// One entry of the catalogue.
struct DataSet {
  std::string name;
  std::string title;  ///< what it holds, one line
  DataFormat format = DataFormat::text;
  std::vector<std::string> folders;       ///< names of its folder below the data folders
  std::vector<DataPart> parts;            ///< the smaller part first
  std::string packages;                   ///< Debian packages that hold it; empty when none does
  std::string source;                     ///< where else it comes from
  std::vector<std::string> classes = {};  ///< of IDX labels, which are numbers; empty: "0" to "9"
};

/// All entries, the defaults first.
std::span<const DataSet> catalogue();

/// The entry of that name, or null.
const DataSet* find_data_set(std::string_view name);

/// The user's own folder of data sets, where fetched ones go when no other is named: $XDG_DATA_HOME/attest, else
/// $HOME/.local/share/attest; nothing where neither variable is set.
std::optional<std::filesystem::path> own_data_folder();

/// Folders in which a data set is looked for, in order: below `data_dir` (unless empty), below the environment's
/// ATTEST_DATA, below `own_data_folder`, below /usr/share/datasets; a folder that itself has the data set's name
/// counts too.
std::vector<std::filesystem::path> search_folders(const DataSet& data_set, const std::filesystem::path& data_dir);

/// Where a file of the data set lies, with or without ".gz": in the first search folder that holds any of its parts;
/// nothing when no folder does, or that folder lacks the file.
std::optional<std::filesystem::path> find_data_file(const DataSet& data_set, std::string_view file,
                                                    const std::filesystem::path& data_dir);

/// Whether some part of the data set is there; for `bible_program`, the program and its data; generated sets always.
bool is_available(const DataSet& data_set, const std::filesystem::path& data_dir);

/// A data set of the same kind that is drawn by Attest or in Debian: small images, running text, labelled sequences,
/// time series. Empty for the stand-ins themselves.
std::string_view stand_in(const DataSet& data_set);

/// Thrown when a data set is not there; the message names the package to install or the folders looked in.
struct MissingData : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Throws MissingData with what to do about it: the package or the folders looked in, the command that fetches it, and
/// what can be used in its place (`stand_in`).
[[noreturn]] void throw_missing(const DataSet& data_set, const std::filesystem::path& data_dir);

/// Throws MissingData: the name is neither in the catalogue nor a file.
[[noreturn]] void throw_unknown(const std::string& name_or_path);

/// Data in memory.
struct Data {
  std::string name;                              ///< the catalogue's name, or the file's
  std::string origin;                            ///< the file or program it came from, for the record
  std::variant<IdxImages, std::string> content;  ///< images, or running text
  std::vector<std::uint8_t> labels = {};         ///< one per image, where the catalogue's entry has their file
};

/// Loads a data set by its catalogue name, or a file by its path (IDX images by their magic, text otherwise).
/// `larger_part`: the last part of the entry that is there instead of its first.
/// Errors: MissingData; MalformedData and std::runtime_error of the readers; std::invalid_argument when the entry holds
/// neither grey IDX images nor running text (load_examples.hpp reads the others).
Data load_data(const std::string& name_or_path, const std::filesystem::path& data_dir, bool larger_part);

}  // namespace attest::data
