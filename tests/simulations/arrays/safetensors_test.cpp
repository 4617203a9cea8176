#include "simulations/arrays/safetensors.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/simulations/scratch_folder.hpp"

namespace attest::arrays {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string file_of(const std::string& header, const std::string& data) {
  std::string bytes(8, '\0');
  for (std::size_t i = 0; i < 8; ++i) bytes[i] = static_cast<char>(header.size() >> (8 * i) & 0xffU);
  return bytes + header + data;
}

std::string entry(const std::string& name, const std::string& type, const std::string& shape,
                  const std::string& offsets) {
  return "\"" + name + R"(": {"dtype": ")" + type + R"(", "shape": )" + shape + R"(, "data_offsets": )" + offsets + "}";
}

std::string refusal(const std::string& bytes) {
  return message_of<std::invalid_argument>([&] { parse_safetensors(bytes, "in.safetensors"); });
}

NamedArrays all_types() {
  NamedArrays arrays;
  for (const ElementType type : {ElementType::boolean, ElementType::int32, ElementType::int64, ElementType::float16,
                                 ElementType::bfloat16, ElementType::float32, ElementType::float64})
    arrays[std::string(name(type))] = {type, {3}, std::string(3 * size_of(type), '\1')};
  arrays["scalar"] = {ElementType::float32, {}, std::string(4, '\2')};
  arrays["nothing"] = {ElementType::float64, {2, 0}, ""};
  return arrays;
}

TEST(Safetensors, round_trips_every_element_type_aligned) {
  const std::string bytes = safetensors_bytes(all_types());
  EXPECT_EQ(parse_safetensors(bytes, "a"), all_types());
  EXPECT_EQ(safetensors_bytes(all_types()), bytes);
  EXPECT_EQ((bytes.find(std::string(24, '\1')) - 8) % 8, 0U);
  EXPECT_EQ(parse_safetensors(safetensors_bytes({}), "a").size(), 0U);
}

TEST(Safetensors, reads_what_the_format_allows) {
  // Metadata, arrays in another order than their bytes, blanks after the header, an array without entries.
  const std::string header = R"({"__metadata__": {"format": "np"}, )" + entry("b", "I32", "[1]", "[2, 6]") + ", " +
                             entry("a", "BOOL", "[2]", "[0, 2]") + ", " + entry("none", "F32", "[0]", "[2, 2]") +
                             "}   ";
  const NamedArrays arrays = parse_safetensors(file_of(header, std::string("\0\1\7\0\0\0", 6)), "a");
  EXPECT_EQ(arrays.size(), 3U);
  EXPECT_EQ(integer_values(arrays.at("a")), (std::vector<std::int64_t>{0, 1}));
  EXPECT_EQ(integer_values(arrays.at("b")), std::vector<std::int64_t>{7});
}

TEST(Safetensors, cut_anywhere_is_refused_with_the_file_name) {
  const std::string whole = safetensors_bytes(all_types());
  for (std::size_t length = 0; length < whole.size(); ++length)
    EXPECT_THAT(refusal(whole.substr(0, length)), HasSubstr("in.safetensors")) << length << " bytes kept";
  EXPECT_THAT(refusal(whole + "x"), HasSubstr("has 1 byte left over"));
}

TEST(Safetensors, survives_any_damaged_byte) {
  const std::string whole = safetensors_bytes({{"q", {ElementType::float32, {2}, std::string(8, '\3')}},
                                               {"m", {ElementType::boolean, {2}, std::string(2, '\1')}}});
  int refused = 0;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const char damage : {'\0', '\xff', '"', '{', '9'}) {
      std::string bytes = whole;
      bytes[at] = damage;
      try {
        for (const auto& [name, array] : parse_safetensors(bytes, "a"))
          EXPECT_EQ(array.bytes.size(), *byte_count(array.shape, array.type));
      } catch (const std::invalid_argument&) {
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, 300);
}

TEST(Safetensors, refuses_offsets_that_overlap_leave_gaps_or_do_not_fit) {
  const auto two = [](const std::string& first, const std::string& second) {
    return refusal(file_of("{" + entry("a", "BOOL", "[2]", first) + "," + entry("b", "BOOL", "[2]", second) + "}",
                           std::string(5, '\1')));
  };
  EXPECT_THAT(two("[0,2]", "[1,3]"), AllOf(HasSubstr("array 'b'"), HasSubstr("overlaps")));
  EXPECT_THAT(two("[0,2]", "[0,2]"), HasSubstr("overlaps"));
  EXPECT_THAT(two("[0,2]", "[3,5]"), AllOf(HasSubstr("array 'b'"), HasSubstr("leaves 1 byte before it unused")));
  EXPECT_THAT(two("[0,2]", "[2,4]"), HasSubstr("has 1 byte left over"));
  EXPECT_THAT(two("[0,3]", "[3,5]"), AllOf(HasSubstr("array 'a'"), HasSubstr("bool [2]")));
  EXPECT_THAT(two("[2,0]", "[2,4]"), HasSubstr("array 'a'"));
  EXPECT_THAT(two("[0,2]", "[2,4,5]"), HasSubstr("array 'b'"));
  EXPECT_THAT(two("[0,2]", "[-2,0]"), HasSubstr("array 'b'"));
  EXPECT_THAT(two("[0,2]", "[2.0,4.0]"), HasSubstr("array 'b'"));
}

TEST(Safetensors, refuses_headers_beyond_the_format) {
  EXPECT_THAT(refusal(std::string("\xff\xff\xff\xff\xff\xff\xff\xff{}", 10)), HasSubstr("header would be"));
  EXPECT_THAT(refusal(std::string("\x01\xe1\xf5\x05\0\0\0\0{}", 10)), HasSubstr("100000001"));
  EXPECT_THAT(refusal(file_of("[]", "")), HasSubstr("not a JSON object"));
  EXPECT_THAT(refusal(file_of(" {}", "")), HasSubstr("not a JSON object"));
  EXPECT_THAT(refusal(file_of("{", "")), HasSubstr("not valid JSON"));
  EXPECT_THAT(refusal(file_of(std::string(100000, '['), "")), HasSubstr("not valid JSON"));
  EXPECT_THAT(
      refusal(file_of("{" + entry("a", "BOOL", "[1]", "[0,1]") + "," + entry("a", "BOOL", "[1]", "[0,1]") + "}", "\1")),
      HasSubstr("'a' twice"));
  EXPECT_THAT(refusal(file_of("{" + entry("a", "F8_E4M3", "[1]", "[0,1]") + "}", "\1")), HasSubstr("'F8_E4M3'"));
  EXPECT_THAT(refusal(file_of("{" + entry("a", "BOOL", "[1]", "[0,1]") + "}", "\2")), HasSubstr("neither 0 nor 1"));
  EXPECT_THAT(refusal(file_of(R"({"a": {"dtype": "BOOL", "shape": [1]}})", "\1")), HasSubstr("array 'a'"));
  EXPECT_THAT(refusal(file_of(R"({"a": 3})", "")), HasSubstr("array 'a'"));
  EXPECT_THAT(refusal(file_of(R"({"__metadata__": {"n": 3}})", "")), HasSubstr("__metadata__"));
  EXPECT_THAT(refusal(file_of("{" + entry("a", "F64", "[4294967296, 4294967296]", "[0,0]") + "}", "")),
              HasSubstr("array 'a'"));
}

TEST(Safetensors, cannot_name_an_array_as_its_metadata) {
  EXPECT_THROW(safetensors_bytes({{"__metadata__", {ElementType::boolean, {}, "\1"}}}), std::invalid_argument);
}

}  // namespace
}  // namespace attest::arrays
