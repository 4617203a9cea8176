#include "simulations/data/images/cifar10.hpp"

#include <fmt/core.h>

#include "simulations/data/files/bytes.hpp"
#include "simulations/data/files/lines.hpp"

namespace attest::data {
namespace {

constexpr std::size_t side = 32;
constexpr std::size_t channels = 3;
constexpr std::size_t record = 1 + channels * side * side;

}  // namespace

LabelledImages parse_cifar10(std::string_view bytes, const std::string& name) {
  LabelledImages images{bytes.size() / record, channels, side, side, {}, {}, {}};
  images.classes.names = {"airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck"};
  if (bytes.empty() || bytes.size() % record != 0) {
    refuse(
        fmt::format("{}, record {}", name, images.count),
        fmt::format("the file ends at byte {} of this record's {} (offset {}); fetch CIFAR-10's binary version again",
                    bytes.size() % record, record, bytes.size()));
  }
  images.pixels.reserve(images.count * (record - 1));
  for (std::size_t i = 0; i < images.count; ++i) {
    const std::string_view entry = bytes.substr(i * record, record);
    const auto label = static_cast<std::uint8_t>(entry[0]);
    if (label >= images.classes.names.size()) {
      refuse(fmt::format("{}, record {}", name, i),
             fmt::format("label {} (offset {}) where CIFAR-10 has 0 to 9; fetch its binary version again", label,
                         i * record));
    }
    images.labels.push_back(label);
    images.pixels.insert(images.pixels.end(), entry.begin() + 1, entry.end());
  }
  return images;
}

LabelledImages read_cifar10(const std::filesystem::path& path) {
  return parse_cifar10(read_bytes(path), path.string());
}

}  // namespace attest::data
