#include "simulations/data/images/image_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include "simulations/data/examples/load_examples.hpp"
#include "simulations/data/images/image_file.hpp"
#include "tests/simulations/damage.hpp"
#include "tests/simulations/data/images/jpeg_bytes.hpp"
#include "tests/simulations/data/images/png_bytes.hpp"
#include "tests/simulations/scratch_folder.hpp"
#include "tests/simulations/shared_data.hpp"

namespace attest::data {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(Png, is_decoded_grey_and_in_colour) {
  const Image grey = decode_png(png_of(1, 3, false, {0, 128, 255}), "file.png");
  EXPECT_EQ(grey.channels, 1U);
  EXPECT_THAT(grey.pixels, ElementsAre(0, 128, 255));
  const Image colour = decode_png(png_of(1, 1, true, {10, 20, 30}), "file.png");
  EXPECT_THAT(colour.pixels, ElementsAre(10, 20, 30));
}

TEST(Png, damaged_anyhow_is_read_or_refused) {
  EXPECT_GT(survive_damage(png_of(4, 4, false, std::vector<std::uint8_t>(16, 9)), "file.png", 2000,
                           [](const std::string& bytes) { decode_png(bytes, "file.png"); }),
            1500);
}

TEST(Png, of_too_many_pixels_is_refused_before_they_are_decoded) {
  std::string bytes = png_of(1, 1, false, {0});
  bytes.replace(16, 8, std::string("\0\x01\0\0\0\x01\0\0", 8));  // 65536 x 65536, the check sum then wrong too
  EXPECT_THROW(decode_png(bytes, "file.png"), MalformedData);
}

TEST(Png, whose_header_promises_more_than_its_bytes_can_hold_is_refused_before_memory_is_taken) {
  std::string bytes = png_of(1, 1, false, {0});
  bytes.replace(16, 8, std::string("\0\0\0\x9c\0\x04\0\x01", 8));                    // 262145 rows of 156
  const auto sum = crc32(0, reinterpret_cast<const Bytef*>(bytes.data() + 12), 17);  // of the name and the 13 bytes
  for (int i = 0; i < 4; ++i) bytes[29 + i] = static_cast<char>(sum >> (24 - 8 * i));
  try {
    decode_png(bytes, "file.png");
    FAIL() << "the header is believed";
  } catch (const MalformedData& refused) {
    EXPECT_THAT(refused.what(), HasSubstr("cannot hold 262145 x 156 pixels"));
  }
}

TEST(Jpeg, is_decoded) {
  const Image image = decode_jpeg(grey_jpeg(77), "file.jpg");
  EXPECT_EQ(image.rows, 8U);
  EXPECT_EQ(image.channels, 1U);
  EXPECT_THAT(image.pixels, testing::Each(77));
}

TEST(Jpeg, damaged_anyhow_is_read_or_refused) {
  EXPECT_GT(survive_damage(grey_jpeg(200), "file.jpg", 2000,
                           [](const std::string& bytes) { decode_jpeg(bytes, "file.jpg"); }),
            500);
}

TEST(Jpeg, of_more_pixels_than_its_bytes_can_hold_is_refused_before_memory_is_taken) {
  for (const char* code : {"\xFF\xC0", "\xFF\xC9"}) {  // Huffman's, and the arithmetic one, whose end reads as zeros
    std::string bytes = grey_jpeg(127);
    const std::size_t frame = bytes.find("\xFF\xC0");
    bytes.replace(frame, 2, code);
    bytes.replace(frame + 5, 4, "\x3F\xFF\x0B\xB8");
    try {
      decode_jpeg(bytes, "file.jpg");
      FAIL() << "the header is believed";
    } catch (const MalformedData& refused) {
      EXPECT_THAT(refused.what(), HasSubstr("has 16383 x 3000 pixels in"));
    }
  }
}

TEST(ImageFolder, has_one_folder_a_class_in_planar_layout) {
  const ScratchFolder scratch;
  scratch.write("set/train/b/1.png", png_of(1, 2, true, {1, 2, 3, 4, 5, 6}));
  scratch.write("set/train/a/2.png", png_of(1, 2, true, {7, 8, 9, 10, 11, 12}));
  scratch.write("set/test/a/1.png", png_of(1, 2, true, {0, 0, 0, 0, 0, 0}));
  scratch.write("set/test/b/1.png", png_of(1, 2, true, {0, 0, 0, 0, 0, 0}));
  const Splits<LabelledImages> splits = load_images((scratch.path() / "set").string(), "");
  EXPECT_THAT(splits.train.classes.names, ElementsAre("a", "b"));
  EXPECT_THAT(splits.train.labels, ElementsAre(0, 1));
  EXPECT_THAT(splits.train.image(1), ElementsAre(1, 4, 2, 5, 3, 6));
  EXPECT_EQ(splits.test.count, 2U);
}

TEST(ImageFolder, that_is_wrong_is_refused_with_the_file) {
  const ScratchFolder scratch;
  const auto refusal = [&](const char* folder) {
    return message_of<MalformedData>([&] { read_image_folder(scratch.path() / folder); });
  };
  scratch.write("size/a/1.png", png_of(1, 1, false, {0}));
  scratch.write("size/a/2.png", png_of(1, 2, false, {0, 0}));
  EXPECT_THAT(refusal("size"), AllOf(HasSubstr("2.png"), HasSubstr("1 x 2")));
  scratch.write("text/a/notes.txt", "no image");
  EXPECT_THAT(refusal("text"), HasSubstr("notes.txt"));
  scratch.write("flat/1.png", png_of(1, 1, false, {0}));
  EXPECT_THAT(refusal("flat"), HasSubstr("flat"));
  EXPECT_THAT(refusal("absent"), HasSubstr("absent"));
}

TEST(PathfinderFolder, names_table_and_line_of_a_wrong_label) {
  const ScratchFolder scratch;
  scratch.write("imgs/0/1.png", png_of(1, 1, false, {5}));
  scratch.write("metadata/0.npy", "imgs/0 1.png 0 1 1.0 14\nimgs/0 1.png 1 2 1.0 14\n");
  EXPECT_THAT(message_of<MalformedData>([&] { read_pathfinder_folder(scratch.path()); }),
              AllOf(HasSubstr("0.npy, line 2"), HasSubstr("label 0 or 1")));
}

TEST(PathfinderFolder, opens_nothing_outside_of_it) {
  const ScratchFolder scratch;
  scratch.write("set/imgs/0/1.png", png_of(1, 1, false, {5}));
  const auto outside = scratch.write("secret.png", png_of(1, 1, false, {7}));
  for (const std::string& named : {std::string(".. secret.png"), std::string("imgs/0 ../../../secret.png"),
                                   "imgs/0 " + outside.string(), outside.parent_path().string() + " secret.png"}) {
    scratch.write("set/metadata/0.npy", "imgs/0 1.png 0 1 1.0 14\n" + named + " 1 1 1.0 14\n");
    EXPECT_THAT(message_of<MalformedData>([&] { read_pathfinder_folder(scratch.path() / "set"); }),
                AllOf(HasSubstr("0.npy, line 2"), HasSubstr("not below the data set's folder")))
        << named;
  }
}

TEST(PathfinderFolder, holds_the_pixels_and_labels_of_its_idx_files) {
  ATTEST_NEEDS_DATA("pathfinder32");
  const DataSet& entry = *find_data_set("pathfinder32");
  const auto idx = find_data_file(entry, "images-idx3-ubyte", "");
  const LabelledImages images = read_pathfinder_folder(idx->parent_path() / "curv_contour_length_14");
  const LabelledImages same = load_images("pathfinder32", "").train;
  EXPECT_EQ(images.pixels, same.pixels);
  EXPECT_EQ(images.labels, same.labels);
}

}  // namespace
}  // namespace attest::data
