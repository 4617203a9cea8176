#include "reports/pages/training_maps.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/files/atomic_file.hpp"
#include "reports/pages/training_report.hpp"
#include "tests/support/scratch_folder.hpp"

namespace attest::reports {
namespace {

using test_support::ScratchFolder;
using testing::HasSubstr;
using testing::Not;

TEST(AttentionGalleries, put_the_variants_of_one_seed_side_by_side_image_by_image) {
  const ScratchFolder folder;
  for (const char* name : {"softmax-seed-3-image-0", "twicing-seed-3-image-0", "softmax-seed-3-image-1",
                           "softmax-seed-4-image-0", "other-seed-3-image-0"})
    folder.write(std::string("maps/") + name + ".png", name);
  const auto galleries = attention_galleries(folder.path(), {"twicing", "softmax", "linformer"}, 3);
  ASSERT_EQ(galleries.size(), 2U);
  ASSERT_EQ(galleries[0].pictures.size(), 2U);
  EXPECT_EQ(galleries[0].pictures[0].name, "twicing");
  EXPECT_EQ(galleries[0].pictures[1].png, "softmax-seed-3-image-0");
  EXPECT_THAT(galleries[0].caption, HasSubstr("Seed 3"));
  EXPECT_EQ(galleries[1].pictures.size(), 1U);
}

TEST(AttentionGalleries, are_none_without_pictures) {
  const ScratchFolder folder;
  EXPECT_TRUE(attention_galleries(folder.path(), {"softmax"}, 1).empty());
}

TEST(TrainingReport, carries_its_pictures_inside) {
  const ScratchFolder folder;
  folder.write("summary.json", R"({"experiment": "small", "size": "quick", "seed": 3, "metric": "test_accuracy",
    "variants": [{"name": "softmax", "seeds": 1, "metrics": {
                    "test_accuracy": {"mean": 0.8, "interval": [null, null], "values": [0.8]}}}],
    "comparisons": [], "seconds": 1})");
  folder.write("maps/softmax-seed-3-image-0.png", "abc");
  const std::string page =
      read_whole_file(write_training_report(folder.path(), {"no-such-gnuplot", {folder.path()}}).page);
  EXPECT_THAT(page, HasSubstr("src=\"data:image/png;base64,YWJj\""));
  EXPECT_THAT(page, HasSubstr("alt=\"softmax\""));
  EXPECT_THAT(page, Not(HasSubstr("src=\"maps/")));
}

}  // namespace
}  // namespace attest::reports
