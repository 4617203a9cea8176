// Tasks from the data sets of the catalogue.
#include <algorithm>
#include <array>
#include <stdexcept>
#include <variant>

#include <fmt/format.h>

#include "simulations/data/catalogue.hpp"
#include "simulations/training/task.hpp"

namespace attest::training {
namespace {

namespace fs = std::filesystem;
using simulations::IdxImages;

[[noreturn]] void refuse(const std::string& sentence) { throw std::invalid_argument(sentence); }

/// Images first .. first + count - 1 with their labels.
Part part_of(const IdxImages& images, const std::vector<std::uint8_t>& labels, std::size_t first, std::size_t count) {
  const std::size_t size = images.rows * images.columns;
  const auto pixel = [&](std::size_t i) { return images.pixels.begin() + static_cast<std::ptrdiff_t>(i * size); };
  const auto label = labels.begin() + static_cast<std::ptrdiff_t>(first);
  return {{count, images.rows, images.columns, {pixel(first), pixel(first + count)}},
          {label, label + static_cast<std::ptrdiff_t>(count)},
          {}};
}

struct Labelled {
  IdxImages images;
  std::vector<std::uint8_t> labels;
};

Labelled read_part(const simulations::DataSet& set, const simulations::DataPart& part, const fs::path& data_dir) {
  const auto images = simulations::find_data_file(set, part.file, data_dir);
  const auto labels = simulations::find_data_file(set, part.labels, data_dir);
  if (!images || !labels)
    throw simulations::MissingData(
        fmt::format("data set {} lacks its {} part: {} and {} belong in one folder; name it with --data-dir", set.name,
                    part.name, part.file, part.labels));
  Labelled read{simulations::read_idx_images(*images), {}};
  read.labels = simulations::read_idx_labels(*labels, read.images.count);
  return read;
}

std::size_t limited(Index wanted, std::size_t there) {
  return wanted == 0 ? there : std::min(static_cast<std::size_t>(wanted), there);
}

Task load_images(const DataSpec& data, const fs::path& data_dir) {
  const simulations::DataSet* set = simulations::find_data_set(data.name);
  if (set == nullptr || set->format != simulations::DataFormat::idx_images || set->parts.size() < 2)
    refuse(
        fmt::format("{} is no set of images with a training and a test part: attest data list shows them", data.name));
  static_cast<void>(simulations::load_data(data.name, data_dir, false));  // says what is missing in the reader's words
  const Labelled all = read_part(*set, set->parts.back(), data_dir),
                 test = read_part(*set, set->parts.front(), data_dir);
  const auto held_out = static_cast<std::size_t>(data.validation);
  if (all.images.count <= held_out)
    refuse(fmt::format("data.validation is {}, but {} has {} training images", held_out, data.name, all.images.count));
  if (test.images.rows != all.images.rows || test.images.columns != all.images.columns)
    refuse(fmt::format("{}: training images are {} x {}, test images {} x {}", data.name, all.images.rows,
                       all.images.columns, test.images.rows, test.images.columns));
  const std::size_t kept = all.images.count - held_out;
  Task task;
  task.train = part_of(all.images, all.labels, 0, limited(data.train, kept));
  task.validation = part_of(all.images, all.labels, kept, held_out);
  task.test = part_of(test.images, test.labels, 0, limited(data.test, test.images.count));
  const auto moments = simulations::pixel_moments(task.train.images);
  if (!(moments.deviation > 0)) refuse(fmt::format("{}: all training pixels are equal", data.name));
  task.mean = moments.mean;
  task.deviation = moments.deviation;
  task.shape = {1 + std::max(*std::max_element(all.labels.begin(), all.labels.end()),
                             *std::max_element(test.labels.begin(), test.labels.end())),
                static_cast<Index>(all.images.rows), static_cast<Index>(all.images.columns), 1};
  return task;
}

Task load_text(const DataSpec& data, Index context, const fs::path& data_dir) {
  const simulations::Data loaded = simulations::load_data(data.name, data_dir, true);
  const auto* text = std::get_if<std::string>(&loaded.content);
  if (text == nullptr) refuse(fmt::format("{} holds images, which a language model does not read", data.name));
  std::array<std::int64_t, 256> code{};
  std::array<bool, 256> seen{};
  for (const char c : *text) seen[static_cast<unsigned char>(c)] = true;
  Task task;
  for (std::size_t c = 0; c < code.size(); ++c)
    if (seen[c]) code[c] = task.shape.classes++;
  std::vector<std::int64_t> tokens;
  tokens.reserve(text->size());
  for (const char c : *text) tokens.push_back(code[static_cast<unsigned char>(c)]);
  const auto size = static_cast<double>(tokens.size());
  const auto trained = static_cast<std::ptrdiff_t>(data.train_share * size);
  const auto behind = static_cast<std::ptrdiff_t>(std::min(1.0, data.train_share + data.validation_share) * size);
  task.context = context;
  task.train.tokens.assign(tokens.begin(), tokens.begin() + trained);
  task.validation.tokens.assign(tokens.begin() + trained, tokens.begin() + behind);
  task.test.tokens.assign(tokens.begin() + behind, tokens.end());
  for (const Part* part : {&task.train, &task.validation})
    if (part->tokens.size() <= static_cast<std::size_t>(context))
      refuse(fmt::format("{} has {} characters in a part, too few for a context of {}", data.name, part->tokens.size(),
                         context));
  return task;
}

}  // namespace

Task load_task(const DataSpec& data, ModelSpec::Kind kind, Index context, const fs::path& data_dir) {
  return kind == ModelSpec::Kind::vision ? load_images(data, data_dir) : load_text(data, context, data_dir);
}

}  // namespace attest::training
