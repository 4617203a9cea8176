// Whatever `attest data list` shows and this machine has can be trained on.
#include <gtest/gtest.h>

#include "simulations/data/catalogue/catalogue.hpp"
#include "simulations/tasks/task.hpp"

namespace attest::tasks {
namespace {

using data::DataFormat;

ModelSpec::Kind kind_for(DataFormat format) {
  switch (format) {
    case DataFormat::text:
    case DataFormat::bible_program:
      return ModelSpec::Kind::language;
    case DataFormat::series:
    case DataFormat::series_csv:
    case DataFormat::generated_series:
      return ModelSpec::Kind::series;
    case DataFormat::idx_images:
    case DataFormat::cifar10:
    case DataFormat::image_folder:
    case DataFormat::pathfinder_folder:
    case DataFormat::generated_pathfinder:
      return ModelSpec::Kind::vision;
    case DataFormat::generated_scenes:
    case DataFormat::masked_folder:
      return ModelSpec::Kind::segmentation;
    case DataFormat::generated_pairs:
    case DataFormat::paper_pairs:
      return ModelSpec::Kind::pairs;
    default:
      return ModelSpec::Kind::sequence;
  }
}

class EveryDataSet : public testing::TestWithParam<std::string> {};

TEST_P(EveryDataSet, can_be_trained_on) {
  const data::DataSet& set = *data::find_data_set(GetParam());
  if (!data::is_available(set, {})) GTEST_SKIP() << set.name << " is not here; set ATTEST_DATA";
  DataSpec data;
  data.name = set.name;
  data.train = data.test = 200;
  data.validation = set.name.ends_with("-generated") ? 50 : 0.2;
  data.above = 5;
  data.below = 60;
  const ModelSpec::Kind kind = kind_for(set.format);
  if (kind == ModelSpec::Kind::pairs) data.unit = "byte";
  const Task task = load_task(data, kind, 32, {});
  EXPECT_GE(task.shape.classes, task.shape.regression ? 1 : 2);
  EpochOrder order;
  const Batch batch = task.training_batch(1, 0, 4, order);
  EXPECT_EQ(batch.count, 4);
  EXPECT_EQ(batch.answers.empty(), task.shape.regression);
  EXPECT_GT(task.examples(task.validation), 0U);
  for (const std::int64_t answer : batch.answers) {
    if (kind == ModelSpec::Kind::segmentation && answer == unasked) continue;
    EXPECT_GE(answer, 0);
    EXPECT_LT(answer, task.shape.classes);
  }
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const data::DataSet& set : data::catalogue()) all.push_back(set.name);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryDataSet, testing::ValuesIn(names()), [](const auto& instance) {
  std::string name = instance.param;
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
});

}  // namespace
}  // namespace attest::tasks
