#include "simulations/data/catalogue/catalogue.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "kernels/names/nearest.hpp"
#include "simulations/data/catalogue/downloads.hpp"
#include "simulations/data/files/bytes.hpp"
#include "simulations/data/text/kjv.hpp"
#include "simulations/data/text/text.hpp"

namespace attest::data {
namespace {

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
    const auto kind = std::filesystem::status(candidate, error).type();
    // Reviews lie in folders of files.
    if (kind == std::filesystem::file_type::regular || kind == std::filesystem::file_type::directory) return candidate;
  }
  return std::nullopt;
}

}  // namespace

void throw_missing(const DataSet& data_set, const std::filesystem::path& data_dir) {
  if (!data_set.packages.empty()) {
    throw MissingData(fmt::format(
        "data set {} is not installed; install the Debian package(s) {}{}", data_set.name, data_set.packages,
        data_set.folders.empty() ? "" : " or name its folder with --data-dir or ATTEST_DATA"));
  }
  std::vector<std::string> looked;
  for (const auto& folder : search_folders(data_set, data_dir)) looked.push_back(folder.string());
  const std::string fetch =
      downloads_of(data_set.name).empty() ? "" : fmt::format("fetch it by 'attest data fetch {}', ", data_set.name);
  throw MissingData(
      fmt::format("data set {} ({}) has no {} in {}; {}put its files there, name their folder with --data-dir or "
                  "ATTEST_DATA, or take {} meanwhile",
                  data_set.name, data_set.source, data_set.parts.front().file, fmt::join(looked, " or "), fetch,
                  stand_in(data_set)));
}

std::string_view stand_in(const DataSet& data_set) {
  std::string_view other;
  switch (data_set.format) {
    case DataFormat::idx_images:
    case DataFormat::cifar10:
      other = "fashion-mnist";
      break;
    case DataFormat::text:
    case DataFormat::bible_program:
      other = "bible-kjv";
      break;
    case DataFormat::sst2:
    case DataFormat::imdb_csv:
    case DataFormat::imdb_folder:
    case DataFormat::generated_passages:
      other = "testaments-generated";
      break;
    case DataFormat::paper_pairs:
    case DataFormat::generated_pairs:
      other = "book-pairs-generated";
      break;
    case DataFormat::masked_folder:
    case DataFormat::generated_scenes:
      other = "scenes-generated";
      break;
    case DataFormat::listops:
    case DataFormat::generated_listops:
      other = "listops-generated";
      break;
    case DataFormat::image_folder:
    case DataFormat::pathfinder_folder:
    case DataFormat::generated_pathfinder:
      other = "pathfinder-generated";
      break;
    case DataFormat::series:
    case DataFormat::series_csv:
    case DataFormat::generated_series:
      other = "cylinder-bell-funnel-generated";
      break;
  }
  return other == data_set.name ? std::string_view() : other;
}

std::optional<std::filesystem::path> own_data_folder() {
  for (const auto& [variable, below] :
       {std::pair{"XDG_DATA_HOME", "attest"}, std::pair{"HOME", ".local/share/attest"}}) {
    const char* value = std::getenv(variable);
    if (value != nullptr && *value != '\0') return std::filesystem::path(value) / below;
  }
  return std::nullopt;
}

const DataSet* find_data_set(std::string_view name) {
  const std::span<const DataSet> entries = catalogue();
  const auto found =
      std::find_if(entries.begin(), entries.end(), [&](const DataSet& entry) { return entry.name == name; });
  return found == entries.end() ? nullptr : &*found;
}

void throw_unknown(const std::string& name_or_path) {
  std::vector<std::string> names;
  for (const DataSet& entry : catalogue()) names.push_back(entry.name);
  throw MissingData(fmt::format("\"{}\" is neither a known data set nor a file{}", name_or_path,
                                names::did_you_mean(names, name_or_path, "attest data list shows all")));
}

std::vector<std::filesystem::path> search_folders(const DataSet& data_set, const std::filesystem::path& data_dir) {
  std::vector<std::filesystem::path> roots;
  if (!data_dir.empty()) roots.push_back(data_dir);
  if (const char* environment = std::getenv("ATTEST_DATA"); environment != nullptr && *environment != '\0') {
    roots.emplace_back(environment);
  }
  if (const auto own = own_data_folder()) roots.push_back(*own);
  roots.emplace_back("/usr/share/datasets");
  std::vector<std::filesystem::path> folders;
  for (const auto& root : roots) {
    for (const std::string& folder : data_set.folders) {
      if (root.filename() == std::filesystem::path(folder).filename()) folders.push_back(root);
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
  if (data_set.format == DataFormat::bible_program || data_set.format == DataFormat::generated_passages ||
      data_set.format == DataFormat::generated_pairs)
    return kjv_is_installed();
  if (data_set.format == DataFormat::generated_scenes) return is_available(*find_data_set("fashion-mnist"), data_dir);
  if (data_set.format == DataFormat::generated_listops || data_set.format == DataFormat::generated_pathfinder ||
      data_set.format == DataFormat::generated_series)
    return true;
  return std::any_of(data_set.parts.begin(), data_set.parts.end(),
                     [&](const DataPart& part) { return find_data_file(data_set, part.file, data_dir).has_value(); });
}

Data load_data(const std::string& name_or_path, const std::filesystem::path& data_dir, bool larger_part) {
  const DataSet* data_set = find_data_set(name_or_path);
  if (data_set == nullptr) {
    std::error_code error;
    if (std::filesystem::exists(name_or_path, error))
      return load_file(std::filesystem::path(name_or_path).filename().string(), name_or_path, nullptr);
    throw_unknown(name_or_path);
  }
  const bool readable = data_set->format == DataFormat::idx_images || data_set->format == DataFormat::text ||
                        data_set->format == DataFormat::bible_program;
  if (!readable) {
    throw std::invalid_argument(fmt::format("data set {} is {}; name grey IDX images or running text here",
                                            name_or_path, format_name(data_set->format)));
  }
  if (!is_available(*data_set, data_dir)) throw_missing(*data_set, data_dir);
  const std::string name(data_set->name);
  if (data_set->format == DataFormat::bible_program) return {name, "the program bible", running_text(read_kjv())};
  std::optional<std::filesystem::path> path, labels;
  for (const DataPart& part : data_set->parts) {
    if (path && !larger_part) break;
    auto found = find_data_file(*data_set, part.file, data_dir);
    if (!found) continue;
    path = std::move(found);
    labels = part.labels.empty() ? std::nullopt : find_data_file(*data_set, part.labels, data_dir);
  }
  Data data = load_file(name, path.value(), data_set);
  constexpr std::size_t digits = 10;
  if (labels)
    data.labels = read_idx_labels(*labels, std::get<IdxImages>(data.content).count,
                                  data_set->classes.empty() ? digits : data_set->classes.size());
  return data;
}

}  // namespace attest::data
