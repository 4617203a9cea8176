
#include <fmt/core.h>

#include "simulations/data/examples/load_examples.hpp"
#include "simulations/data/files/bytes.hpp"
#include "simulations/data/files/lines.hpp"
#include "simulations/data/images/image_folder.hpp"
#include "simulations/data/series/csv_series.hpp"

namespace attest::data {
namespace {

namespace fs = std::filesystem;

DataFormat format_of_folder(const fs::path& folder) {
  std::error_code error;
  if (is_pathfinder_folder(folder)) return DataFormat::pathfinder_folder;
  for (const fs::path& part : {folder, folder / "train"}) {
    if (fs::is_directory(part / "neg", error) && fs::is_directory(part / "pos", error)) return DataFormat::imdb_folder;
  }
  if (fs::is_directory(folder / "images", error) && fs::is_directory(folder / "annotations", error))
    return DataFormat::masked_folder;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".ts") return DataFormat::series;
  }
  return DataFormat::image_folder;
}

// Tables are told apart by their first line.
DataFormat format_of_table(const fs::path& path) {
  const std::string bytes = read_bytes(path);
  LineReader reader(bytes);
  Line first;
  reader.next(first);
  if (first.text == "label,text,is_valid") return DataFormat::imdb_csv;
  std::vector<std::string> columns;
  for (const std::string_view column : split(first.text, ',')) columns.emplace_back(column);
  if (is_series_header(columns)) return DataFormat::series_csv;
  if (first.text.find("sentence") != std::string_view::npos || first.text == "label\tcontent") return DataFormat::sst2;
  const bool original = first.text.size() > 2 && first.text[1] == '\t' && first.text[0] >= '0' && first.text[0] <= '9';
  if (first.text == "Source\tTarget" || original) return DataFormat::listops;
  refuse(place_of(path.string(), 1),
         fmt::format("{} begins neither SST-2 (sentence, label), nor IMDb (label,text,is_valid), nor ListOps (Source, "
                     "Target), nor time series (label, and series,time or steps 0,1,...); name a file of one of them",
                     cited(first.text)));
}

}  // namespace

DataFormat format_of(const fs::path& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) return format_of_folder(path);
  fs::path name = path.filename();
  if (name.extension() == ".gz") name = name.stem();
  if (name.extension() == ".ts") return DataFormat::series;
  if (name.extension() == ".bin") return DataFormat::cifar10;
  if (name.extension() == ".tsv" || name.extension() == ".csv") return format_of_table(path);
  return is_idx_images(read_bytes(path)) ? DataFormat::idx_images : DataFormat::text;
}

}  // namespace attest::data
