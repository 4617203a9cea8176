#include "reports/pages/training_maps.hpp"

#include <fmt/format.h>

#include "reports/files/atomic_file.hpp"

namespace attest::reports {
namespace {

/// Pictures are a few KiB each, but the page carries them all.
constexpr int most_images = 8;

}  // namespace

std::vector<Gallery> attention_galleries(const std::filesystem::path& directory,
                                         const std::vector<std::string>& variants, std::uint64_t seed) {
  std::vector<Gallery> galleries;
  for (int image = 0; image < most_images; ++image) {
    Gallery gallery;
    for (const std::string& variant : variants) {
      const auto file = directory / maps_folder_name / fmt::format("{}-seed-{}-image-{}.png", variant, seed, image);
      if (std::filesystem::exists(file)) gallery.pictures.push_back({variant, read_whole_file(file)});
    }
    if (gallery.pictures.empty()) break;
    gallery.caption =
        fmt::format("Image {} of those evaluated: what the last layer takes from each of its patches.", image + 1);
    if (image == 0)
      gallery.caption += fmt::format(
          " Left the image, right the same under the heads' mean attention, blue for none to red for the most in this "
          "picture: by the class token where there is one, else by all patches on average; negative weights count as "
          "0. Seed {}; other seeds and images are in {}/.",
          seed, maps_folder_name);
    galleries.push_back(std::move(gallery));
  }
  return galleries;
}

}  // namespace attest::reports
