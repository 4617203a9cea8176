#include "simulations/data/corruptions/corrupted_set.hpp"

#include <algorithm>
#include <fstream>
#include <numeric>

#include <fmt/format.h>

#include "simulations/arrays/npy_header.hpp"
#include "simulations/data/files/lines.hpp"
#include "simulations/data/images/image_folder.hpp"

namespace attest::data {

using arrays::NpyHeader;
using arrays::parse_npy_header;
namespace {

namespace fs = std::filesystem;

/// A .npy file of bytes, of which any part can be read without the rest: a file of CIFAR-10-C has 150 MB.
class ByteArray {
 public:
  explicit ByteArray(const fs::path& path) : name_(path.string()), file_(path, std::ios::binary) {
    if (!file_) refuse(name_, "cannot be opened; put CIFAR-10-C's files or ImageNet-C's folders there");
    std::string head = taken(0, 10);
    if (!head.starts_with("\x93NUMPY\x01")) refuse(name_, "is not a .npy file of version 1; fetch it again");
    const auto length = static_cast<std::size_t>(static_cast<unsigned char>(head[8])) +
                        256 * static_cast<std::size_t>(static_cast<unsigned char>(head[9]));
    const NpyHeader header = parse_npy_header(taken(10, length), name_);
    if (header.descriptor != "|u1" || header.fortran_order)
      refuse(name_, fmt::format("holds elements {} where |u1 (bytes in C order) are needed", header.descriptor));
    shape = header.shape;
    begin_ = 10 + length;
  }

  std::string taken(std::size_t first, std::size_t count) {
    std::string bytes(count, '\0');
    file_.seekg(static_cast<std::streamoff>(begin_ + first));
    file_.read(bytes.data(), static_cast<std::streamsize>(count));
    if (static_cast<std::size_t>(file_.gcount()) != count) refuse(name_, "ends too early; fetch it again");
    return bytes;
  }
  const std::string& name() const { return name_; }

  std::vector<std::int64_t> shape;

 private:
  std::string name_;
  std::ifstream file_;
  std::size_t begin_ = 0;
};

LabelledImages of_arrays(const fs::path& folder, Corruption kind, int severity, std::size_t count,
                         const LabelledImages& like) {
  ByteArray images(folder / fmt::format("{}.npy", corruption_name(kind))), labels(folder / "labels.npy");
  const auto extent = [](std::size_t size) { return static_cast<std::int64_t>(size); };
  if (images.shape.size() != 4 || images.shape[0] % most_severe != 0 ||
      !std::equal(images.shape.begin() + 1, images.shape.end(),
                  std::vector{extent(like.rows), extent(like.columns), extent(like.channels)}.begin()))
    refuse(images.name(), fmt::format("has the shape ({}) where (5 n, {}, {}, {}) is needed; name the corrupted images "
                                      "of the set that is trained on",
                                      fmt::join(images.shape, ", "), like.rows, like.columns, like.channels));
  if (labels.shape != std::vector{images.shape[0]})
    refuse(labels.name(), fmt::format("has the shape ({}) where ({},) is needed; fetch it again",
                                      fmt::join(labels.shape, ", "), images.shape[0]));
  const auto each = static_cast<std::size_t>(images.shape[0]) / most_severe;
  LabelledImages out{std::min(count, each), like.channels, like.rows, like.columns, {}, {}, like.classes};
  const std::size_t first = static_cast<std::size_t>(severity - 1) * each, plane = like.rows * like.columns,
                    size = plane * like.channels;
  const std::string pixels = images.taken(first * size, out.count * size), classes = labels.taken(first, out.count);
  out.pixels.resize(pixels.size());
  for (std::size_t i = 0; i < pixels.size(); ++i)
    out.pixels[i / size * size + i % like.channels * plane + i % size / like.channels] =
        static_cast<std::uint8_t>(pixels[i]);
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const auto label = static_cast<std::int32_t>(static_cast<unsigned char>(classes[i]));
    if (static_cast<std::size_t>(label) >= like.classes.names.size())
      refuse(labels.name(), fmt::format("entry {} is {}, but there are {} classes; fetch it again", first + i, label,
                                        like.classes.names.size()));
    out.labels.push_back(label);
  }
  return out;
}

}  // namespace

LabelledImages read_corrupted(const fs::path& folder, Corruption kind, int severity, std::size_t count,
                              const LabelledImages& like) {
  std::error_code error;
  const fs::path classes = folder / corruption_name(kind) / std::to_string(severity);
  if (!fs::is_directory(classes, error)) return of_arrays(folder, kind, severity, count, like);
  LabelledImages all = read_image_folder(classes, {like.rows, like.columns, like.channels});
  if (all.classes != like.classes)
    refuse(classes.string(), "has other classes than the set that is trained on; name the one that belongs to it");
  // Images lie class by class: the first ones would be of one class alone.
  std::vector<std::size_t> chosen(std::min(count, all.count));
  for (std::size_t i = 0; i < chosen.size(); ++i) chosen[i] = i * all.count / chosen.size();
  return select(all, chosen);
}

}  // namespace attest::data
