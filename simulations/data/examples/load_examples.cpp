#include "simulations/data/examples/load_examples.hpp"

#include <stdexcept>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "simulations/data/examples/generate_examples.hpp"
#include "simulations/data/examples/load_masked.hpp"
#include "simulations/data/files/bytes.hpp"
#include "simulations/data/files/lines.hpp"
#include "simulations/data/images/cifar10.hpp"
#include "simulations/data/images/image_folder.hpp"
#include "simulations/data/images/pathfinder.hpp"
#include "simulations/data/series/csv_series.hpp"
#include "simulations/data/series/cylinder_bell_funnel.hpp"
#include "simulations/data/series/ts_file.hpp"
#include "simulations/data/text/listops.hpp"
#include "simulations/data/text/listops_generator.hpp"

namespace attest::data {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t generator_seed = 1;

/// Where the parts of a data set lie. A part may be several files.
struct Files {
  std::string name;
  DataFormat format = DataFormat::text;
  Splits<std::vector<std::pair<fs::path, fs::path>>> parts;  ///< file, and labels of IDX images
  LabelVocabulary classes = {};                              ///< of IDX labels
};

Files files_of_entry(const DataSet& entry, const fs::path& data_dir) {
  if (!is_available(entry, data_dir)) throw_missing(entry, data_dir);
  Files files{entry.name, entry.format, {}, {entry.classes}};
  for (const DataPart& part : entry.parts) {
    const auto file = find_data_file(entry, part.file, data_dir);
    if (!file) continue;
    fs::path labels;
    if (!part.labels.empty()) {
      const auto found = find_data_file(entry, part.labels, data_dir);
      if (!found) refuse(file->string(), fmt::format("has no file of labels {} beside it; put it there", part.labels));
      labels = *found;
    }
    auto& list = part.name == "test"    ? files.parts.test
                 : part.name == "valid" ? files.parts.validation
                                        : files.parts.train;
    list.emplace_back(*file, labels);
  }
  return files;
}

Files files_of_folder(const fs::path& folder, DataFormat format) {
  Files files{folder.filename().string(), format, {}, {}};
  std::error_code error;
  if (format == DataFormat::series) {
    for (const auto& entry : fs::directory_iterator(folder, error)) {
      const std::string stem = entry.path().stem().string();
      if (entry.path().extension() != ".ts") continue;
      if (stem.ends_with("_TRAIN")) files.parts.train.emplace_back(entry.path(), "");
      if (stem.ends_with("_TEST")) files.parts.test.emplace_back(entry.path(), "");
    }
    if (files.parts.train.size() != 1 || files.parts.test.size() > 1)
      refuse(folder.string(), "holds not one NAME_TRAIN.ts and at most one NAME_TEST.ts; name a folder of one problem");
    return files;
  }
  if (format == DataFormat::pathfinder_folder || !fs::is_directory(folder / "train", error)) {
    files.parts.train.emplace_back(folder, "");
    return files;
  }
  files.parts.train.emplace_back(folder / "train", "");
  for (const char* name : {"valid", "val", "validation", "dev"}) {
    if (fs::is_directory(folder / name, error)) files.parts.validation.emplace_back(folder / name, "");
  }
  if (fs::is_directory(folder / "test", error)) files.parts.test.emplace_back(folder / "test", "");
  return files;
}

Files files_of(const std::string& name_or_path, const fs::path& data_dir) {
  if (const DataSet* entry = find_data_set(name_or_path)) return files_of_entry(*entry, data_dir);
  std::error_code error;
  const fs::path path = name_or_path;
  if (!fs::exists(path, error)) throw_unknown(name_or_path);
  const DataFormat format = format_of(path);
  if (fs::is_directory(path, error)) return files_of_folder(path, format);
  Files files{path.filename().string(), format, {}, {}};
  files.parts.train.emplace_back(path, "");
  return files;
}

LabelledImages read_images(const Files& files, const std::pair<fs::path, fs::path>& file) {
  switch (files.format) {
    case DataFormat::cifar10:
      return read_cifar10(file.first);
    case DataFormat::pathfinder_folder:
      return read_pathfinder_folder(file.first);
    case DataFormat::image_folder:
      return read_image_folder(file.first);
    default:
      if (file.second.empty()) refuse(file.first.string(), "has no labels; name a data set of the catalogue");
      return read_labelled_idx(file.first, file.second, files.classes);
  }
}

Splits<LabelledImages> images_of(const Files& files) {
  Splits<LabelledImages> splits;
  const LabelledImages* first = nullptr;
  const auto read = [&](const auto& list, LabelledImages& part) {
    for (const auto& file : list) {
      LabelledImages images = read_images(files, file);
      if (first != nullptr && (first->channels != images.channels || first->rows != images.rows ||
                               first->columns != images.columns || first->classes != images.classes)) {
        refuse(file.first.string(), "has images of another size, or other classes, than the other parts; fix one part");
      }
      if (part.count == 0) {
        part = std::move(images);
      } else {
        append(part, images);
      }
      if (first == nullptr) first = &part;
    }
  };
  read(files.parts.train, splits.train);
  read(files.parts.validation, splits.validation);
  read(files.parts.test, splits.test);
  return splits;
}

Splits<SeriesSet> series_of(const Files& files) {
  if (files.format == DataFormat::series_csv) {
    const fs::path& file = files.parts.train.front().first;
    return parse_series_csv(read_bytes(file), file.string());
  }
  if (!files.parts.train.empty() && !files.parts.test.empty())
    return read_ts_pair(files.parts.train.front().first, files.parts.test.front().first);
  Splits<SeriesSet> splits;
  if (!files.parts.train.empty()) splits.train = read_ts(files.parts.train.front().first);
  if (!files.parts.test.empty()) splits.test = read_ts(files.parts.test.front().first);
  return splits;
}

LabelledTexts read_texts(DataFormat format, const fs::path& file) {
  if (format == DataFormat::imdb_folder) return read_imdb_folder(file);
  const std::string bytes = read_bytes(file);
  if (format == DataFormat::listops) return parse_listops(bytes, file.string());
  // GLUE hides the labels of SST-2's test part.
  if (bytes.starts_with("index\tsentence")) return {};
  return parse_sst2(bytes, file.string());
}

Splits<LabelledTexts> texts_of(const Files& files) {
  if (files.format == DataFormat::imdb_csv) {
    const fs::path& file = files.parts.train.front().first;
    return parse_imdb_csv(read_bytes(file), file.string());
  }
  Splits<LabelledTexts> splits;
  if (!files.parts.train.empty()) splits.train = read_texts(files.format, files.parts.train.front().first);
  if (!files.parts.validation.empty())
    splits.validation = read_texts(files.format, files.parts.validation.front().first);
  if (!files.parts.test.empty()) splits.test = read_texts(files.format, files.parts.test.front().first);
  return splits;
}

Splits<LabelledPairs> pairs_of(const Files& files) {
  Splits<LabelledPairs> splits;
  const auto read = [](const auto& list, LabelledPairs& pairs) {
    if (!list.empty()) pairs = parse_paper_pairs(read_bytes(list.front().first), list.front().first.string());
  };
  read(files.parts.train, splits.train);
  read(files.parts.validation, splits.validation);
  read(files.parts.test, splits.test);
  return splits;
}

Splits<LabelledImages> pathfinder_sample() {
  const auto part = [](std::uint64_t first, std::size_t count) {
    return generate_pathfinder({}, generator_seed, first, count, 0);
  };
  return {part(0, 600), part(600, 200), part(800, 200)};
}

Splits<SeriesSet> series_sample() {
  const auto part = [](std::uint64_t first, std::size_t count) {
    return generate_cylinder_bell_funnel(generator_seed, first, count);
  };
  return {part(0, 600), part(600, 200), part(800, 200)};
}

template <class T>
Splits<T> of_kind(const std::string& name, const fs::path& data_dir, const char* kind) {
  Examples examples = load_examples(name, data_dir);
  if (auto* splits = std::get_if<Splits<T>>(&examples)) return std::move(*splits);
  throw std::invalid_argument(fmt::format("data set {} holds no {}; name one that does", name, kind));
}

}  // namespace

Examples load_examples(const std::string& name_or_path, const fs::path& data_dir) {
  if (holds_masks(name_or_path)) return load_masked(name_or_path, data_dir, {}, {600, 200, 200});
  const Files files = files_of(name_or_path, data_dir);
  switch (files.format) {
    case DataFormat::idx_images:
    case DataFormat::cifar10:
    case DataFormat::image_folder:
    case DataFormat::pathfinder_folder:
      return images_of(files);
    case DataFormat::series:
    case DataFormat::series_csv:
      return series_of(files);
    case DataFormat::sst2:
    case DataFormat::imdb_csv:
    case DataFormat::imdb_folder:
    case DataFormat::listops:
      return texts_of(files);
    case DataFormat::generated_listops:
      return generate_listops({.train = 600, .validation = 200, .test = 200}, generator_seed);
    case DataFormat::generated_pathfinder:
      return pathfinder_sample();
    case DataFormat::generated_series:
      return series_sample();
    case DataFormat::paper_pairs:
      return pairs_of(files);
    case DataFormat::generated_passages:
      return passages({600, 200, 200}, {});
    case DataFormat::generated_pairs:
      return passage_pairs({600, 200, 200}, {});
    case DataFormat::text:
    case DataFormat::bible_program:
    case DataFormat::generated_scenes:
    case DataFormat::masked_folder:
      break;
  }
  throw std::invalid_argument(
      fmt::format("data set {} is running text without labels; name one with examples", name_or_path));
}

Splits<LabelledImages> load_images(const std::string& name_or_path, const fs::path& data_dir) {
  return of_kind<LabelledImages>(name_or_path, data_dir, "labelled images");
}

Splits<SeriesSet> load_series(const std::string& name_or_path, const fs::path& data_dir) {
  return of_kind<SeriesSet>(name_or_path, data_dir, "time series");
}

Splits<LabelledPairs> load_pairs(const std::string& name_or_path, const fs::path& data_dir) {
  return of_kind<LabelledPairs>(name_or_path, data_dir, "pairs of texts");
}

Splits<LabelledTexts> load_texts(const std::string& name_or_path, const fs::path& data_dir) {
  return of_kind<LabelledTexts>(name_or_path, data_dir, "labelled texts");
}

}  // namespace attest::data
