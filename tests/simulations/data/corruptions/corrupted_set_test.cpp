#include "simulations/data/corruptions/corrupted_set.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulations/data/files/malformed_data.hpp"
#include "tests/support/scratch_folder.hpp"

namespace attest::data {
namespace {

using test_support::message_of;
using testing::ElementsAre;
using testing::HasSubstr;

std::string npy(const std::string& descriptor, const std::string& shape, const std::string& data) {
  const std::string header = "{'descr': '" + descriptor + "', 'fortran_order': False, 'shape': " + shape + ", }\n";
  return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(header.size()) + std::string(1, '\0') + header + data;
}

/// Images of 1 x 2 pixels in three channels, two at each severity: value 100 severity + 10 image + 3 column + channel.
std::string pixels() {
  std::string data;
  for (int severity = 0; severity < 5; ++severity)
    for (int image = 0; image < 2; ++image)
      for (int column = 0; column < 2; ++column)
        for (int channel = 0; channel < 3; ++channel)
          data += static_cast<char>(40 * severity + 10 * image + 3 * column + channel);
  return data;
}

const LabelledImages like{0, 3, 1, 2, {}, {}, numbered_labels(4)};

std::string complaint(const test_support::ScratchFolder& folder) {
  return message_of<MalformedData>([&] { read_corrupted(folder.path(), Corruption::fog, 2, 9, like); });
}

TEST(ReadCorrupted, takes_one_severity_and_puts_channels_first) {
  const test_support::ScratchFolder folder;
  folder.write("fog.npy", npy("|u1", "(10, 1, 2, 3)", pixels()));
  folder.write("labels.npy", npy("|u1", "(10,)", std::string("\0\1\2\3\0\1\2\3\0\1", 10)));
  const LabelledImages found = read_corrupted(folder.path(), Corruption::fog, 2, 9, like);
  EXPECT_EQ(found.count, 2U);
  EXPECT_THAT(found.labels, ElementsAre(2, 3));
  EXPECT_THAT(found.image(1), ElementsAre(50, 53, 51, 54, 52, 55));
  EXPECT_EQ(read_corrupted(folder.path(), Corruption::fog, 5, 1, like).count, 1U);
}

TEST(ReadCorrupted, says_what_is_wrong_with_a_file) {
  const test_support::ScratchFolder folder;
  EXPECT_THAT(complaint(folder), HasSubstr("fog.npy: cannot be opened; put CIFAR-10-C's files"));
  folder.write("labels.npy", npy("|u1", "(10,)", std::string(10, '\x09')));
  folder.write("fog.npy", "GIF89a and more");
  EXPECT_THAT(complaint(folder), HasSubstr("is not a .npy file of version 1"));
  folder.write("fog.npy", npy("<f8", "(10, 1, 2, 3)", pixels()));
  EXPECT_THAT(complaint(folder), HasSubstr("holds elements <f8 where |u1"));
  folder.write("fog.npy", npy("|u1", "(10, 2, 1, 3)", pixels()));
  EXPECT_THAT(complaint(folder), HasSubstr("has the shape (10, 2, 1, 3) where (5 n, 1, 2, 3) is needed"));
  folder.write("fog.npy", npy("|u1", "(10, 1, 2, 3)", pixels().substr(0, 20)));
  EXPECT_THAT(complaint(folder), HasSubstr("ends too early"));
  folder.write("fog.npy", npy("|u1", "(10, 1, 2, 3)", pixels()));
  EXPECT_THAT(complaint(folder), HasSubstr("entry 2 is 9, but there are 4 classes"));
  folder.write("labels.npy", npy("|u1", "(9,)", std::string(9, '\0')));
  EXPECT_THAT(complaint(folder), HasSubstr("has the shape (9) where (10,) is needed"));
}

}  // namespace
}  // namespace attest::data
