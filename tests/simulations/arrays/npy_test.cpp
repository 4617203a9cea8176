#include "simulations/arrays/npy.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/simulations/scratch_folder.hpp"

namespace attest::arrays {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

std::string npy(const std::string& header, const std::string& data, char major = 1) {
  std::string bytes = std::string("\x93NUMPY") + major + '\0' + static_cast<char>(header.size()) + '\0';
  if (major == 2) bytes += std::string(2, '\0');
  return bytes + header + data;
}

std::string header(const std::string& descriptor, const std::string& shape, const std::string& order = "False") {
  return "{'descr': '" + descriptor + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }\n";
}

std::string refusal(const std::string& bytes) {
  return message_of<std::invalid_argument>([&] { parse_npy(bytes, "f.npz: array 'q'"); });
}

const std::string six_bytes = std::string("\0\1\1\0\0\1", 6);

TEST(Npy, round_trips_every_element_type_and_rank) {
  for (const ElementType type : {ElementType::boolean, ElementType::int32, ElementType::int64, ElementType::float16,
                                 ElementType::float32, ElementType::float64}) {
    for (const std::vector<std::int64_t>& shape :
         {std::vector<std::int64_t>{}, {0}, {3}, {2, 3}, {1, 2, 1, 3}, {2, 0, 3}}) {
      const Array array{type, shape, std::string(*byte_count(shape, type), '\1')};
      const std::string bytes = npy_bytes(array);
      EXPECT_EQ(parse_npy(bytes, "a"), array);
      EXPECT_EQ((bytes.size() - array.bytes.size()) % 64, 0U);
    }
  }
}

TEST(Npy, reads_both_versions_and_keys_in_any_order) {
  const Array expected{ElementType::boolean, {2, 3}, six_bytes};
  EXPECT_EQ(parse_npy(npy(header("|b1", "(2, 3)"), six_bytes, 1), "a"), expected);
  EXPECT_EQ(parse_npy(npy(header("|b1", "(2, 3)"), six_bytes, 2), "a"), expected);
  EXPECT_EQ(parse_npy(npy("{\"shape\":(2,3),'descr':\"|b1\",'fortran_order':False}", six_bytes), "a"), expected);
}

TEST(Npy, turns_fortran_order_into_c_order) {
  // Entry (i, j) of the 2 x 3 array is 3 i + j; Fortran order runs down the columns.
  const Array array = parse_npy(npy(header("|b1", "(1, 2, 3)", "True"), std::string("\0\1\1\0\0\1", 6)), "a");
  EXPECT_EQ(array.bytes, std::string("\0\1\0\1\0\1", 6));
  EXPECT_EQ(array.shape, (std::vector<std::int64_t>{1, 2, 3}));
}

TEST(Npy, cut_anywhere_is_refused_by_a_sentence_that_names_file_and_array) {
  const std::string whole = npy_bytes({ElementType::float32, {2}, std::string(8, '\0')});
  for (std::size_t length = 0; length < whole.size(); ++length)
    EXPECT_THAT(refusal(whole.substr(0, length)), StartsWith("f.npz: array 'q' ")) << length << " bytes kept";
  EXPECT_THAT(refusal(whole + "x"), HasSubstr("has 1 byte left over"));
}

TEST(Npy, survives_any_damaged_byte) {
  const std::string whole = npy_bytes({ElementType::boolean, {2, 2}, std::string(4, '\1')});
  int refused = 0;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const char damage : {'\0', '\xff', '(', '9', '\''}) {
      std::string bytes = whole;
      bytes[at] = damage;
      try {
        // What is accepted is an array that its own header describes.
        const Array array = parse_npy(bytes, "a");
        EXPECT_EQ(array.bytes.size(), *byte_count(array.shape, array.type));
      } catch (const std::invalid_argument&) {
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, 100);
}

TEST(Npy, refuses_pickles_big_endian_records_and_other_types) {
  EXPECT_THAT(refusal(npy(header("|O", "(1,)"), "x")), HasSubstr("pickled"));
  EXPECT_THAT(refusal(npy(header(">f8", "(1,)"), "12345678")), AllOf(HasSubstr("big-endian"), HasSubstr("'<f8'")));
  EXPECT_THAT(refusal(npy(header("<c8", "(1,)"), "12345678")), HasSubstr("'<c8'"));
  EXPECT_THAT(refusal(npy(header("|u1", "(1,)"), "x")), HasSubstr("'|u1'"));
  EXPECT_THAT(refusal(npy("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,)}", "12345678")),
              HasSubstr("records"));
  EXPECT_THAT(refusal(npy(header("|b1", "(1,)"), "\2")), HasSubstr("neither 0 nor 1"));
  EXPECT_THAT(refusal(npy(header("<f8", "()"), "12345678", 3)), HasSubstr("version 3.0"));
  EXPECT_THAT(refusal("text, not an array"), HasSubstr("does not begin"));
}

TEST(Npy, refuses_headers_that_are_not_what_numpy_writes) {
  for (const std::string shape : {"(-1,)", "(1", "1", "(1)", "(99999999999999999999,)", "(1.5,)", "None"})
    EXPECT_THAT(refusal(npy(header("|b1", shape), "\1")), HasSubstr("header")) << shape;
  EXPECT_THAT(refusal(npy("{'descr': '|b1', 'shape': (1,)}", "\1")), HasSubstr("header"));
  EXPECT_THAT(refusal(npy("{'descr': '|b1', 'descr': '|b1', 'fortran_order': False, 'shape': (1,)}", "\1")),
              HasSubstr("header"));
  EXPECT_THAT(refusal(npy(header("|b1", "(1,)") + "more", "\1")), HasSubstr("header"));
  // A product of 2^66 elements must not wrap around to something small.
  EXPECT_THAT(refusal(npy(header("<f8", "(8589934592, 8589934592)"), "12345678")), HasSubstr("cut short"));
}

TEST(Npy, has_no_bfloat16) {
  EXPECT_THROW(npy_bytes({ElementType::bfloat16, {}, std::string(2, '\0')}), std::invalid_argument);
}

}  // namespace
}  // namespace attest::arrays
