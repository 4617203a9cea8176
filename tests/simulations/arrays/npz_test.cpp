#include "simulations/arrays/npz.hpp"

#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zip.h>

#include "simulations/arrays/npy.hpp"
#include "tests/simulations/scratch_folder.hpp"

namespace attest::arrays {
namespace {

using testing::AllOf;
using testing::HasSubstr;

NamedArrays two_arrays() {
  return {{"q", {ElementType::float32, {2, 2}, std::string(16, '\3')}},
          {"mask", {ElementType::boolean, {3}, std::string("\0\1\1", 3)}}};
}

/// An archive of one entry made without our writer.
std::string archive_of(const std::string& entry, const std::string& content, zip_int32_t method) {
  const ScratchFolder scratch;
  const auto file = scratch.path() / "made.zip";
  zip_t* archive = zip_open(file.c_str(), ZIP_CREATE, nullptr);
  const zip_int64_t index =
      zip_file_add(archive, entry.c_str(), zip_source_buffer(archive, content.data(), content.size(), 0), 0);
  EXPECT_EQ(zip_set_file_compression(archive, static_cast<zip_uint64_t>(index), method, 0), 0);
  EXPECT_EQ(zip_close(archive), 0);
  return content_of(file);
}

std::string refusal(const std::string& bytes) {
  return message_of<std::invalid_argument>([&] { parse_npz(bytes, "in.npz"); });
}

TEST(Npz, round_trips_to_the_same_bytes_every_time) {
  const std::string bytes = npz_bytes(two_arrays());
  EXPECT_EQ(parse_npz(bytes, "a"), two_arrays());
  EXPECT_EQ(npz_bytes(two_arrays()), bytes);
  EXPECT_EQ(parse_npz(npz_bytes({}), "a").size(), 0U);
}

TEST(Npz, reads_deflated_entries) {
  const Array array{ElementType::float64, {1000}, std::string(8000, '\0')};
  const std::string bytes = archive_of("zeros.npy", npy_bytes(array), ZIP_CM_DEFLATE);
  EXPECT_LT(bytes.size(), 1000U);
  EXPECT_EQ(parse_npz(bytes, "a"), (NamedArrays{{"zeros", array}}));
}

TEST(Npz, cut_anywhere_is_refused_with_the_file_name) {
  const std::string whole = npz_bytes(two_arrays());
  for (std::size_t length = 0; length < whole.size(); ++length)
    EXPECT_THAT(refusal(whole.substr(0, length)), HasSubstr("in.npz")) << length << " bytes kept";
}

TEST(Npz, with_bytes_left_over_or_before_is_refused) {
  EXPECT_THAT(refusal(npz_bytes(two_arrays()) + "tail"), HasSubstr("in.npz"));
  EXPECT_THAT(refusal("head" + npz_bytes(two_arrays())), HasSubstr("in.npz"));
}

TEST(Npz, damaged_anywhere_in_its_data_is_refused_with_the_array_name) {
  const std::string whole = npz_bytes({{"q", {ElementType::float32, {4}, std::string(16, '\3')}}});
  const std::size_t data = whole.find(std::string(16, '\3'));
  for (std::size_t at = data; at < data + 16; ++at) {
    std::string bytes = whole;
    bytes[at] = '\4';
    EXPECT_THAT(refusal(bytes), AllOf(HasSubstr("in.npz: array 'q'"), HasSubstr("CRC")));
  }
}

TEST(Npz, survives_any_damaged_byte) {
  const std::string whole =
      archive_of("q.npy", npy_bytes({ElementType::float64, {40}, std::string(320, '\7')}), ZIP_CM_DEFLATE);
  int refused = 0;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const char damage : {'\0', '\xff', '\x01', 'P'}) {
      std::string bytes = whole;
      bytes[at] = damage;
      try {
        for (const auto& [name, array] : parse_npz(bytes, "a"))
          EXPECT_EQ(array.bytes.size(), *byte_count(array.shape, array.type));
      } catch (const std::invalid_argument&) {
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, 300);
}

TEST(Npz, refuses_what_is_no_archive_of_arrays) {
  EXPECT_THAT(refusal("not a zip archive at all, though long enough to be one"), HasSubstr("not a whole .npz file"));
  EXPECT_THAT(refusal(archive_of("notes.txt", "text", ZIP_CM_STORE)), HasSubstr("'notes.txt'"));
  EXPECT_THAT(refusal(archive_of("q.npy", "text", ZIP_CM_STORE)), HasSubstr("in.npz: array 'q' does not begin"));
}

TEST(Npz, has_no_bfloat16_and_says_which_array) {
  const NamedArrays arrays = {{"w", {ElementType::bfloat16, {1}, std::string(2, '\0')}}};
  EXPECT_THAT(message_of<std::invalid_argument>([&] { npz_bytes(arrays); }),
              AllOf(HasSubstr("'w'"), HasSubstr(".safetensors")));
}

constexpr const char* numpy_makes = R"(
import numpy as n
for name, save in (("stored", n.savez), ("deflated", n.savez_compressed)):
    save(name, **{t + o: n.asarray(n.arange(24).reshape(2, 3, 4) % 2, dtype=t, order=o)
                  for t in ("bool", "int32", "int64", "float16", "float32", "float64") for o in "CF"}, scalar=n.float64(7))
n.savez("pickled", q=n.array([{}], dtype=object)); n.savez("big", q=n.arange(3, dtype=">f4"))
)";

constexpr const char* numpy_compares = R"(
import numpy as n
ours, theirs = n.load("ours.npz"), n.load("stored.npz")
assert sorted(ours.files) == sorted(theirs.files), ours.files
for name in ours.files:
    assert ours[name].dtype == theirs[name].dtype and n.array_equal(ours[name], theirs[name]), name
)";

bool python(const ScratchFolder& scratch, const std::string& program) {
  const auto file = scratch.write("program.py", program);
  const std::string command =
      "cd '" + scratch.path().string() + "' && /usr/bin/python3 " + file.string() + " 2>python.log";
  return std::system(command.c_str()) == 0;  // NOLINT(cert-env33-c): a fixed program in a folder of our own
}

TEST(Npz, agrees_with_numpy_both_ways) {
  const ScratchFolder scratch;
  if (!python(scratch, "import numpy")) GTEST_SKIP() << "NumPy is not installed (python3-numpy)";
  ASSERT_TRUE(python(scratch, numpy_makes)) << content_of(scratch.path() / "python.log");
  const NamedArrays stored = parse_npz(content_of(scratch.path() / "stored.npz"), "stored.npz");
  EXPECT_EQ(parse_npz(content_of(scratch.path() / "deflated.npz"), "deflated.npz"), stored);
  EXPECT_EQ(stored.size(), 13U);
  EXPECT_EQ(floating_values<double>(stored.at("scalar")), std::vector<double>{7});
  for (const auto* type : {"bool", "int32", "int64", "float16", "float32", "float64"})
    EXPECT_EQ(stored.at(std::string(type) + "C"), stored.at(std::string(type) + "F")) << type;
  EXPECT_EQ(integer_values(stored.at("int64F"))[23], 1);

  scratch.write("ours.npz", npz_bytes(stored));
  EXPECT_TRUE(python(scratch, numpy_compares)) << content_of(scratch.path() / "python.log");
  EXPECT_THAT(refusal(content_of(scratch.path() / "pickled.npz")), HasSubstr("pickled"));
  EXPECT_THAT(refusal(content_of(scratch.path() / "big.npz")), HasSubstr("big-endian"));
}

}  // namespace
}  // namespace attest::arrays
