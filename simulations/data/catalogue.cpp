#include "simulations/data/catalogue.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "simulations/data/bytes.hpp"
#include "simulations/data/kjv.hpp"
#include "simulations/data/text.hpp"

namespace attest::simulations {
namespace {

constexpr std::array<DataPart, 2> mnist_parts = {{
    {"test", "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"},
    {"train", "train-images-idx3-ubyte", "train-labels-idx1-ubyte"},
}};
constexpr std::array<DataPart, 1> pathfinder_parts = {{{"images", "images-idx3-ubyte", "labels-idx1-ubyte"}}};
constexpr std::array<DataPart, 1> shakespeare_parts = {{{"text", "input.txt", ""}}};
constexpr std::array<DataPart, 2> wikitext_2_parts = {{{"valid", "valid.txt", ""}, {"test", "test.txt", ""}}};
constexpr std::array<DataPart, 2> wikitext_103_parts = {
    {{"valid", "wiki.valid.tokens", ""}, {"test", "wiki.test.tokens", ""}}};

constexpr std::array<std::string_view, 1> fashion_folders = {"fashion-mnist"};
constexpr std::array<std::string_view, 1> mnist_folders = {"mnist"};
constexpr std::array<std::string_view, 2> pathfinder_folders = {"pathfinder32", "pathfinder32_sample"};
constexpr std::array<std::string_view, 1> shakespeare_folders = {"tinyshakespeare"};
constexpr std::array<std::string_view, 1> wikitext_2_folders = {"wikitext-2"};
constexpr std::array<std::string_view, 2> wikitext_103_folders = {"wikitext-103", "wikitext-103_sample"};

constexpr std::array<DataSet, 7> entries = {{
    {"fashion-mnist", "70,000 grey images of clothes, 28 x 28 pixels, ten classes", DataFormat::idx_images,
     fashion_folders, mnist_parts, "dataset-fashion-mnist", "Xiao, Rasul and Vollgraf 2017"},
    {"bible-kjv",
     "the King James Bible, 31,102 verses of English",
     DataFormat::bible_program,
     {},
     {},
     "bible-kjv bible-kjv-text",
     "the Authorized Version of 1611"},
    {"mnist", "70,000 grey images of handwritten digits, 28 x 28 pixels, ten classes", DataFormat::idx_images,
     mnist_folders, mnist_parts, "", "LeCun, Cortes and Burges 1998"},
    {"pathfinder32", "grey images of two discs and dashed paths, 32 x 32 pixels, two classes", DataFormat::idx_images,
     pathfinder_folders, pathfinder_parts, "", "Long Range Arena, Tay et al. 2021"},
    {"tinyshakespeare", "40,000 lines of Shakespeare's plays", DataFormat::text, shakespeare_folders, shakespeare_parts,
     "", "char-rnn, Karpathy 2015"},
    {"wikitext-2", "Wikipedia articles, word tokens, validation and test parts", DataFormat::text, wikitext_2_folders,
     wikitext_2_parts, "", "Merity et al. 2017"},
    {"wikitext-103", "Wikipedia articles, word tokens, validation and test parts", DataFormat::text,
     wikitext_103_folders, wikitext_103_parts, "", "Merity et al. 2017"},
}};

[[noreturn]] void throw_missing(const DataSet& data_set, const std::filesystem::path& data_dir) {
  if (!data_set.packages.empty()) {
    throw MissingData(fmt::format(
        "data set {} is not installed; install the Debian package(s) {}{}", data_set.name, data_set.packages,
        data_set.folders.empty() ? "" : " or name its folder with --data-dir or ATTEST_DATA"));
  }
  std::vector<std::string> looked;
  for (const auto& folder : search_folders(data_set, data_dir)) looked.push_back(folder.string());
  throw MissingData(fmt::format(
      "data set {} ({}) has no {} in {}; put its files there or name their folder with --data-dir or ATTEST_DATA",
      data_set.name, data_set.source, data_set.parts.front().file, fmt::join(looked, " or ")));
}

// A file of unknown format is taken for images when its magic says so; in a data set of images it must be one.
Data load_file(std::string name, const std::filesystem::path& path, const DataSet* data_set) {
  std::string bytes = read_bytes(path);
  const bool images = data_set != nullptr ? data_set->format == DataFormat::idx_images : is_idx_images(bytes);
  if (images) return {std::move(name), path.string(), parse_idx_images(bytes, path.string())};
  check_text(bytes, path.string());
  return {std::move(name), path.string(), std::move(bytes)};
}

std::optional<std::filesystem::path> file_in(const std::filesystem::path& folder, std::string_view file) {
  for (const char* suffix : {"", ".gz"}) {
    std::filesystem::path candidate = folder / (std::string(file) + suffix);
    std::error_code error;
    if (std::filesystem::is_regular_file(candidate, error)) return candidate;
  }
  return std::nullopt;
}

}  // namespace

std::span<const DataSet> catalogue() { return entries; }

const DataSet* find_data_set(std::string_view name) {
  const auto* found =
      std::find_if(entries.begin(), entries.end(), [&](const DataSet& entry) { return entry.name == name; });
  return found == entries.end() ? nullptr : found;
}

std::vector<std::filesystem::path> search_folders(const DataSet& data_set, const std::filesystem::path& data_dir) {
  std::vector<std::filesystem::path> roots;
  if (!data_dir.empty()) roots.push_back(data_dir);
  if (const char* environment = std::getenv("ATTEST_DATA"); environment != nullptr && *environment != '\0') {
    roots.emplace_back(environment);
  }
  roots.emplace_back("/usr/share/datasets");
  std::vector<std::filesystem::path> folders;
  for (const auto& root : roots) {
    for (const std::string_view folder : data_set.folders) {
      if (root.filename() == folder) folders.push_back(root);
      folders.push_back(root / folder);
    }
  }
  return folders;
}

std::optional<std::filesystem::path> find_data_file(const DataSet& data_set, std::string_view file,
                                                    const std::filesystem::path& data_dir) {
  for (const auto& folder : search_folders(data_set, data_dir)) {
    const auto holds = [&](const DataPart& part) { return file_in(folder, part.file).has_value(); };
    // All files come from one folder, so that the parts and labels of two copies are never mixed.
    if (std::any_of(data_set.parts.begin(), data_set.parts.end(), holds)) return file_in(folder, file);
  }
  return std::nullopt;
}

bool is_available(const DataSet& data_set, const std::filesystem::path& data_dir) {
  if (data_set.format == DataFormat::bible_program) return kjv_is_installed();
  return std::any_of(data_set.parts.begin(), data_set.parts.end(),
                     [&](const DataPart& part) { return find_data_file(data_set, part.file, data_dir).has_value(); });
}

Data load_data(const std::string& name_or_path, const std::filesystem::path& data_dir, bool larger_part) {
  const DataSet* data_set = find_data_set(name_or_path);
  if (data_set == nullptr) {
    std::error_code error;
    if (std::filesystem::exists(name_or_path, error))
      return load_file(std::filesystem::path(name_or_path).filename().string(), name_or_path, nullptr);
    std::vector<std::string_view> names;
    for (const DataSet& entry : entries) names.push_back(entry.name);
    throw MissingData(fmt::format("\"{}\" is neither a known data set ({}) nor a file; check the name", name_or_path,
                                  fmt::join(names, ", ")));
  }
  if (!is_available(*data_set, data_dir)) throw_missing(*data_set, data_dir);
  const std::string name(data_set->name);
  if (data_set->format == DataFormat::bible_program) return {name, "the program bible", running_text(read_kjv())};
  std::optional<std::filesystem::path> path;
  for (const DataPart& part : data_set->parts) {
    if (path && !larger_part) break;
    if (auto found = find_data_file(*data_set, part.file, data_dir)) path = std::move(found);
  }
  return load_file(name, path.value(), data_set);
}

}  // namespace attest::simulations
