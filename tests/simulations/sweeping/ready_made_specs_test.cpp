// Every spec that comes with the suite can be read, and its figures have points to show.
#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>

#include "kernels/files/whole_file.hpp"
#include "simulations/sweeping/point.hpp"

namespace attest::sweeps {
namespace {

std::vector<std::filesystem::path> ready_made() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(ATTEST_SWEEPS))
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

class ReadyMadeSpec : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(ReadyMadeSpec, is_read_and_has_points_and_figures) {
  const Spec spec = read_spec(files::read_whole(GetParam()), GetParam().string(), GetParam().stem().string());
  EXPECT_FALSE(spec.figures.empty());
  EXPECT_GE(points_of(spec).size(), 10U);
}

INSTANTIATE_TEST_SUITE_P(Sweeps, ReadyMadeSpec, testing::ValuesIn(ready_made()),
                         [](const auto& instance) { return instance.param.stem().string(); });

}  // namespace
}  // namespace attest::sweeps
