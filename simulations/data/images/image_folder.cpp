#include "simulations/data/images/image_folder.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "simulations/data/files/bytes.hpp"
#include "simulations/data/files/lines.hpp"
#include "simulations/data/images/image_file.hpp"

namespace attest::data {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_bytes = std::size_t{1} << 30U;

std::vector<fs::path> entries_of(const fs::path& folder, bool folders) {
  std::error_code error;
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const bool hidden = entry.path().filename().string().starts_with('.');
    if (!hidden && entry.is_directory() == folders) found.push_back(entry.path());
  }
  if (error) refuse(folder.string(), "is not a folder that can be read; name the data set's folder");
  std::sort(found.begin(), found.end());
  return found;
}

// Appends the image in the planar layout, after checking its shape against the others'.
void add_image(LabelledImages& images, const fs::path& file, ImageShape& shape, std::int32_t label) {
  const Image image = read_image(file);
  if (shape.rows == 0) shape.rows = image.rows;
  if (shape.columns == 0) shape.columns = image.columns;
  if (shape.channels == 0) shape.channels = image.channels;
  if (image.rows != shape.rows || image.columns != shape.columns || image.channels != shape.channels) {
    refuse(file.string(),
           fmt::format("has {} x {} pixels of {} channels where {} x {} of {} are needed; scale it or "
                       "remove it",
                       image.rows, image.columns, image.channels, shape.rows, shape.columns, shape.channels));
  }
  if (images.pixels.size() + image.pixels.size() > most_bytes)
    refuse(file.string(), "is the image at which the folder's pixels exceed 1 GiB; name a smaller folder");
  for (std::size_t channel = 0; channel < image.channels; ++channel) {
    for (std::size_t i = channel; i < image.pixels.size(); i += image.channels)
      images.pixels.push_back(image.pixels[i]);
  }
  images.labels.push_back(label);
  ++images.count;
}

/// Whether a path that a file names stays in the folder it is taken from: neither absolute nor over a parent.
bool stays_below(const fs::path& path) {
  return path.is_relative() && std::find(path.begin(), path.end(), "..") == path.end();
}

void set_shape(LabelledImages& images, const ImageShape& shape) {
  images.rows = shape.rows;
  images.columns = shape.columns;
  images.channels = shape.channels;
}

}  // namespace

LabelledImages read_image_folder(const fs::path& folder, ImageShape shape) {
  LabelledImages images;
  for (const fs::path& class_folder : entries_of(folder, true)) {
    const auto label = static_cast<std::int32_t>(images.classes.names.size());
    images.classes.names.push_back(class_folder.filename().string());
    const std::vector<fs::path> files = entries_of(class_folder, false);
    if (files.empty()) refuse(class_folder.string(), "holds no image; put its PNG or JPEG files there or remove it");
    for (const fs::path& file : files) add_image(images, file, shape, label);
  }
  if (images.count == 0) refuse(folder.string(), "holds no folder of images; put those of each class into one");
  set_shape(images, shape);
  return images;
}

LabelledImages read_pathfinder_folder(const fs::path& folder) {
  LabelledImages images;
  images.classes = numbered_labels(2);
  ImageShape shape{0, 0, 1};
  std::vector<fs::path> tables = entries_of(folder / "metadata", false);
  std::stable_sort(tables.begin(), tables.end(), [](const fs::path& a, const fs::path& b) {
    return a.stem().string().size() < b.stem().string().size();  // 2.npy before 10.npy
  });
  for (const fs::path& table : tables) {
    const std::string text = read_bytes(table);
    if (text.find('\0') != std::string::npos)
      refuse(table.string(), "holds a zero byte, which no name of a file has; fetch the data set again");
    LineReader reader(text);
    for (Line line; reader.next(line);) {
      const std::string place = place_of(table.string(), line.number);
      const std::vector<std::string_view> fields = split(line.text, ' ');
      if (fields.size() < 4 || (fields[3] != "0" && fields[3] != "1")) {
        refuse(place,
               "is not folder, file, number and label 0 or 1 between blanks; the table may be cut: fetch it "
               "again");
      }
      const fs::path image = fs::path(fields[0]) / fields[1];
      if (!stays_below(image))
        refuse(place, fmt::format("names {}, which is not below the data set's folder; fetch the data set again",
                                  image.string()));
      add_image(images, folder / image, shape, fields[3] == "1" ? 1 : 0);
    }
  }
  if (images.count == 0) refuse((folder / "metadata").string(), "names no image; fetch the data set again");
  set_shape(images, shape);
  return images;
}

bool is_pathfinder_folder(const fs::path& folder) {
  std::error_code error;
  return fs::is_directory(folder / "metadata", error) && fs::is_directory(folder / "imgs", error);
}

}  // namespace attest::data
