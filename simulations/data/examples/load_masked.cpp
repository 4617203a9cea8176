#include "simulations/data/examples/load_masked.hpp"

#include <numeric>
#include <vector>

#include "simulations/data/catalogue/catalogue.hpp"
#include "simulations/data/examples/load_examples.hpp"

namespace attest::data {
namespace {

namespace fs = std::filesystem;

Splits<MaskedImages> scenes(const fs::path& data_dir, const SceneOptions& options, const PartCounts& counts,
                            std::uint64_t seed) {
  constexpr std::size_t kept_back = 5000;
  const Splits<LabelledImages> clothes = load_images("fashion-mnist", data_dir);
  const std::size_t cut = clothes.train.count - std::min(kept_back, clothes.train.count / 2);
  const auto objects = [&](std::size_t first, std::size_t end) {
    std::vector<std::size_t> chosen(end - first);
    std::iota(chosen.begin(), chosen.end(), first);
    return select(clothes.train, chosen);
  };
  return {generate_scenes(objects(0, cut), options, seed, 0, counts.train),
          generate_scenes(objects(cut, clothes.train.count), options, seed, counts.train, counts.validation),
          generate_scenes(clothes.test, options, seed, counts.train + counts.validation, counts.test)};
}

fs::path folder_of(const std::string& name_or_path, const fs::path& data_dir) {
  const DataSet* entry = find_data_set(name_or_path);
  if (entry == nullptr) return name_or_path;
  for (const DataPart& part : entry->parts)
    if (const auto found = find_data_file(*entry, part.file, data_dir)) return found->parent_path().parent_path();
  throw_missing(*entry, data_dir);
}

/// Classes that one part lacks exist all the same.
void share_classes(Splits<MaskedImages>& splits) {
  std::size_t most = 0;
  for (MaskedImages* part : {&splits.train, &splits.validation, &splits.test})
    most = std::max(most, part->images.classes.names.size());
  for (MaskedImages* part : {&splits.train, &splits.validation, &splits.test})
    part->images.classes = numbered_labels(most);
}

}  // namespace

bool holds_masks(const std::string& name_or_path) {
  if (const DataSet* entry = find_data_set(name_or_path))
    return entry->format == DataFormat::generated_scenes || entry->format == DataFormat::masked_folder;
  std::error_code error;
  return fs::is_directory(name_or_path, error) && format_of(name_or_path) == DataFormat::masked_folder;
}

Splits<MaskedImages> load_masked(const std::string& name_or_path, const fs::path& data_dir, const SceneOptions& options,
                                 const PartCounts& counts, std::uint64_t seed) {
  if (name_or_path == "scenes-generated") return scenes(data_dir, options, counts, seed);
  const fs::path folder = folder_of(name_or_path, data_dir);
  const bool ade = name_or_path == "ade20k";
  const auto read = [&](const fs::path& images, const fs::path& masks) {
    return read_masked_folder(images, masks, ade ? MaskNumbers::from_one_zero_is_none : MaskNumbers::from_zero,
                              options.side);
  };
  Splits<MaskedImages> splits;
  bool parts = false;
  std::error_code error;
  const auto take = [&](std::initializer_list<const char*> names, MaskedImages& part) {
    for (const char* name : names)
      if (fs::is_directory(folder / "images" / name, error)) {
        part = read(folder / "images" / name, folder / "annotations" / name);
        parts = true;
        return;
      }
  };
  take({"train", "training"}, splits.train);
  take({"valid", "val", "validation"}, ade ? splits.test : splits.validation);
  if (!ade) take({"test"}, splits.test);
  if (!parts) splits.train = read(folder / "images", folder / "annotations");
  share_classes(splits);
  return splits;
}

}  // namespace attest::data
