#include "simulations/data/catalogue/catalogue.hpp"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/simulations/scratch_folder.hpp"

namespace attest::data {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// One image of 1 x 1 pixel.
const std::string one_image("\0\0\x08\x03\0\0\0\1\0\0\0\1\0\0\0\1\x2a", 17);

TEST(Catalogue, has_distinct_names_and_the_defaults) {
  std::set<std::string> names;
  for (const DataSet& entry : catalogue()) EXPECT_TRUE(names.insert(entry.name).second) << entry.name;
  EXPECT_NE(find_data_set("fashion-mnist"), nullptr);
  EXPECT_NE(find_data_set("bible-kjv"), nullptr);
  EXPECT_EQ(find_data_set("unknown"), nullptr);
}

TEST(LoadData, finds_a_set_below_the_data_folder_or_in_it) {
  const ScratchFolder scratch;
  scratch.write_gzip("mnist/t10k-images-idx3-ubyte.gz", one_image);
  for (const auto& folder : {scratch.path(), scratch.path() / "mnist"}) {
    const Data data = load_data("mnist", folder, false);
    EXPECT_EQ(data.name, "mnist");
    EXPECT_EQ(std::get<IdxImages>(data.content).count, 1U);
  }
}

TEST(LoadData, takes_the_larger_part_when_asked_and_there) {
  const ScratchFolder scratch;
  scratch.write("wikitext-2/valid.txt", "short");
  EXPECT_EQ(std::get<std::string>(load_data("wikitext-2", scratch.path(), true).content), "short");
  scratch.write("wikitext-2/test.txt", "longer");
  EXPECT_EQ(std::get<std::string>(load_data("wikitext-2", scratch.path(), true).content), "longer");
  EXPECT_EQ(std::get<std::string>(load_data("wikitext-2", scratch.path(), false).content), "short");
}

TEST(LoadData, takes_a_file_by_its_path_as_images_or_text) {
  const ScratchFolder scratch;
  EXPECT_TRUE(std::holds_alternative<IdxImages>(load_data(scratch.write("i", one_image), "", false).content));
  EXPECT_EQ(std::get<std::string>(load_data(scratch.write("t", "words"), "", false).content), "words");
  EXPECT_THAT(message_of<std::runtime_error>([&] { load_data(scratch.write("b", "\xff"), "", false); }),
              HasSubstr("UTF-8"));
}

TEST(LoadData, refuses_a_damaged_file_of_an_image_set_as_images) {
  const ScratchFolder scratch;
  scratch.write("mnist/t10k-images-idx3-ubyte", "text");
  EXPECT_THAT(message_of<std::runtime_error>([&] { load_data("mnist", scratch.path(), false); }), HasSubstr("magic"));
}

TEST(LoadData, says_what_to_do_about_missing_data) {
  const ScratchFolder scratch;
  EXPECT_THAT(message_of<MissingData>([&] { load_data("no-such-set", scratch.path(), false); }),
              AllOf(HasSubstr("no-such-set"), HasSubstr("attest data list")));
  const DataSet* shakespeare = find_data_set("tinyshakespeare");
  if (is_available(*shakespeare, scratch.path()))
    GTEST_SKIP() << "ATTEST_DATA holds tinyshakespeare, so it is not missing";
  EXPECT_THAT(message_of<MissingData>([&] { load_data("tinyshakespeare", scratch.path(), false); }),
              AllOf(HasSubstr("tinyshakespeare"), HasSubstr("ATTEST_DATA"), HasSubstr(scratch.path().string())));
}

TEST(LoadData, reads_the_installed_fashion_mnist) {
  if (!is_available(*find_data_set("fashion-mnist"), ""))
    GTEST_SKIP() << "the Debian package dataset-fashion-mnist is not installed";
  const Data data = load_data("fashion-mnist", "", false);
  const auto& images = std::get<IdxImages>(data.content);
  EXPECT_EQ(images.count, 10000U);
  EXPECT_EQ(images.rows, 28U);
  EXPECT_EQ(images.columns, 28U);
}

}  // namespace
}  // namespace attest::data
