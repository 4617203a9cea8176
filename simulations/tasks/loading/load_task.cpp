// Tasks of images and time series; those of tokens are in load_token_task.cpp.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "simulations/data/catalogue/catalogue.hpp"
#include "simulations/data/examples/load_examples.hpp"
#include "simulations/data/examples/load_masked.hpp"
#include "simulations/data/images/pathfinder.hpp"
#include "simulations/data/series/cylinder_bell_funnel.hpp"
#include "simulations/experiment/held_out.hpp"
#include "simulations/models/model_kind.hpp"
#include "simulations/models/model_words.hpp"
#include "simulations/skills/skill.hpp"
#include "simulations/tasks/loading/load_token_task.hpp"
#include "simulations/tasks/task.hpp"

namespace attest::tasks {

using experiment::data_seed;
using experiment::GeneratedCounts;
using models::Answers;
using models::ModelTraits;
using models::Reads;
using skills::Skill;
using skills::skill_of_data;
namespace {

namespace fs = std::filesystem;
using data::LabelledImages;
using data::SeriesSet;
using data::Splits;

[[noreturn]] void refuse(const std::string& sentence) { throw std::invalid_argument(sentence); }

/// A deviation that all values of a channel share equally tells nothing: dividing by 1 leaves zeros.
Moments usable(double mean, double deviation) { return {mean, deviation > 0 ? deviation : 1}; }

Splits<LabelledImages> images_of(const DataSpec& data, const fs::path& data_dir) {
  Splits<LabelledImages> splits;
  if (data.name == "pathfinder-generated") {
    data::PathfinderOptions options;
    if (data.side > 0) options.side = static_cast<std::size_t>(data.side);
    options.dashes = static_cast<std::size_t>(data.dashes);
    const GeneratedCounts n = generated_counts(data);
    splits = {data::generate_pathfinder(options, data_seed, 0, n.train, 0),
              data::generate_pathfinder(options, data_seed, n.train, n.validation, 0),
              data::generate_pathfinder(options, data_seed, n.train + n.validation, n.test, 0)};
  } else {
    splits = as_wanted(data::load_images(data.name, data_dir), data);
  }
  if (data.grey)
    for (LabelledImages* part : {&splits.train, &splits.validation, &splits.test})
      if (part->count > 0) *part = data::to_grey(*part);
  return splits;
}

/// What vision and segmentation tasks have in common.
Task task_of_images(const DataSpec& data, const LabelledImages& train) {
  Task task;
  task.augmentation = data.augmentation;
  for (const auto& moments : data::channel_moments(train))
    task.channels.push_back(usable(moments.mean, moments.deviation));
  task.shape.classes = static_cast<Index>(train.classes.names.size());
  task.shape.rows = static_cast<Index>(train.rows);
  task.shape.columns = static_cast<Index>(train.columns);
  task.shape.channels = static_cast<Index>(train.channels);
  return task;
}

Task vision_task(const DataSpec& data, const fs::path& data_dir) {
  Splits<LabelledImages> splits = images_of(data, data_dir);
  const LabelledImages& train = splits.train;
  for (const LabelledImages* part : {&splits.validation, &splits.test})
    if (part->count > 0 &&
        (part->rows != train.rows || part->columns != train.columns || part->channels != train.channels))
      refuse(fmt::format("{}: training images are {} x {} x {}, others {} x {} x {}; give them one size", data.name,
                         train.channels, train.rows, train.columns, part->channels, part->rows, part->columns));
  Task task = task_of_images(data, train);
  task.train.images = std::move(splits.train);
  task.validation.images = std::move(splits.validation);
  task.test.images = std::move(splits.test);
  return task;
}

Task segmentation_task(const DataSpec& data, const fs::path& data_dir) {
  if (!data::holds_masks(data.name))
    refuse(
        fmt::format("data set {} has no classes of pixels; name scenes-generated, ade20k or a folder with images and "
                    "annotations",
                    data.name));
  const bool generated = data.name == "scenes-generated";
  data::SceneOptions options;
  if (data.side > 0) options.side = static_cast<std::size_t>(data.side);
  const GeneratedCounts n = generated_counts(data);
  auto splits = data::load_masked(data.name, data_dir, options, {n.train, n.validation, n.test}, data_seed);
  if (!generated) splits = as_wanted(std::move(splits), data);
  Task task = task_of_images(data, splits.train.images);
  const auto fill = [](data::MaskedImages& from, Part& to) {
    to.images = std::move(from.images);
    to.masks = std::move(from.masks);
  };
  fill(splits.train, task.train);
  fill(splits.validation, task.validation);
  fill(splits.test, task.test);
  return task;
}

Moments moments_of(const std::vector<double>& values) {
  double mean = 0, squares = 0;
  for (const double value : values) mean += value / static_cast<double>(values.size());
  for (const double value : values) squares += (value - mean) * (value - mean) / static_cast<double>(values.size());
  return usable(mean, std::sqrt(squares));
}

Splits<SeriesSet> series_of(const DataSpec& data, const fs::path& data_dir) {
  if (data.name != "cylinder-bell-funnel-generated") return as_wanted(data::load_series(data.name, data_dir), data);
  const GeneratedCounts n = generated_counts(data);
  return {data::generate_cylinder_bell_funnel(data_seed, 0, n.train),
          data::generate_cylinder_bell_funnel(data_seed, n.train, n.validation),
          data::generate_cylinder_bell_funnel(data_seed, n.train + n.validation, n.test)};
}

Task series_task(const DataSpec& data, const fs::path& data_dir) {
  Splits<SeriesSet> splits = series_of(data, data_dir);
  Task task;
  for (const auto& moments : data::dimension_moments(splits.train))
    task.channels.push_back(usable(moments.mean, moments.deviation));
  task.shape.regression = splits.train.is_regression();
  task.shape.classes = task.shape.regression ? 1 : static_cast<Index>(splits.train.classes.names.size());
  task.shape.dimensions = static_cast<Index>(splits.train.dimensions);
  if (task.shape.regression) task.targets = moments_of(splits.train.targets);
  std::size_t longest = 0, shortest = splits.train.longest();
  for (const SeriesSet* part : {&splits.train, &splits.validation, &splits.test})
    for (const std::size_t length : part->lengths) {
      longest = std::max(longest, length);
      shortest = std::min(shortest, length);
    }
  task.shape.tokens = static_cast<Index>(longest);
  task.shape.unequal = shortest < longest;
  task.train.series = std::move(splits.train);
  task.validation.series = std::move(splits.validation);
  task.test.series = std::move(splits.test);
  return task;
}

/// An image's pixels one by one, as the Long Range Arena reads them: 256 tokens, no bound in common with a neighbour.
Task pixel_task(const DataSpec& data, const fs::path& data_dir) {
  DataSpec grey = data;
  grey.grey = true;
  Splits<LabelledImages> splits = images_of(grey, data_dir);
  Task task;
  task.shape.classes = static_cast<Index>(splits.train.classes.names.size());
  task.shape.vocabulary = 256;
  task.shape.tokens = static_cast<Index>(splits.train.rows * splits.train.columns);
  const auto fill = [](const LabelledImages& images, Part& part) {
    for (std::size_t i = 0; i < images.count; ++i) {
      const auto pixels = images.image(i);
      part.sequences.emplace_back(pixels.begin(), pixels.end());
    }
    part.labels = images.labels;
  };
  fill(splits.train, task.train);
  fill(splits.validation, task.validation);
  fill(splits.test, task.test);
  return task;
}

Task skill_task(const Skill& skill, const DataSpec& data, ModelSpec::Kind kind) {
  if (kind != skill.kind) refuse(fmt::format("{} asks for model.kind = \"{}\"", data.name, traits_of(skill.kind).word));
  const GeneratedCounts n = generated_counts(data);
  return draw_skill(skill, n.train, n.validation, n.test).task;
}

bool holds_images(const DataSpec& data, const fs::path& data_dir) {
  if (data.name == "pathfinder-generated") return true;
  if (data.name == "listops-generated" || data.name == "testaments-generated") return false;
  return std::holds_alternative<Splits<LabelledImages>>(data::load_examples(data.name, data_dir));
}

Task task_for(const DataSpec& data, const ModelTraits& kind, Index context, const fs::path& data_dir) {
  switch (kind.reads) {
    case Reads::patches:
      return kind.answers == Answers::pixels ? segmentation_task(data, data_dir) : vision_task(data, data_dir);
    case Reads::steps:
      return series_task(data, data_dir);
    case Reads::tokens:
      break;
  }
  if (kind.answers == Answers::next_token) return load_language_task(data, context, data_dir);
  if (kind.texts > 1) return load_pairs_task(data, data_dir);
  return holds_images(data, data_dir) ? pixel_task(data, data_dir) : load_sequence_task(data, data_dir);
}

}  // namespace

Task load_task(const DataSpec& data, ModelSpec::Kind kind, Index context, const fs::path& data_dir) {
  if (const Skill* skill = skill_of_data(data.name)) return skill_task(*skill, data, kind);
  Task task = task_for(data, traits_of(kind), context, data_dir);
  task.kind = kind;
  for (const auto& [part, name] : {std::pair{&task.train, "training"}, std::pair{&task.validation, "validation"}})
    if (task.examples(*part) == 0)
      refuse(
          fmt::format("{} leaves no example for the {} part; change data.validation or data.train", data.name, name));
  return task;
}

Task load_task(const experiment::Experiment& experiment, const fs::path& data_dir) {
  const ModelSpec& model = experiment.variants.front().model;
  const auto placed = [&](const std::exception& failure) {
    return fmt::format("{} ([data]): {}", experiment.data_place, failure.what());
  };
  try {
    return load_task(experiment.data, model.kind, model.context, data_dir);
  } catch (const data::MissingData& failure) {
    throw data::MissingData(placed(failure));
  } catch (const std::invalid_argument& failure) {
    throw std::invalid_argument(placed(failure));
  }
}

}  // namespace attest::tasks
