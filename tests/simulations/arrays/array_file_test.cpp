#include "simulations/arrays/array_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/simulations/scratch_folder.hpp"

namespace attest::arrays {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string refusal(const std::filesystem::path& file) {
  return message_of<std::invalid_argument>([&] { read_arrays(file); });
}

TEST(ArrayFile, goes_by_the_ending) {
  const ScratchFolder scratch;
  const NamedArrays arrays = {{"q", {ElementType::float32, {1}, std::string(4, '\1')}}};
  const std::string npz = array_file_bytes("a.npz", arrays);
  const std::string safetensors = array_file_bytes("a.safetensors", arrays);
  EXPECT_NE(npz, safetensors);
  EXPECT_EQ(read_arrays(scratch.write("a.npz", npz)), arrays);
  EXPECT_EQ(read_arrays(scratch.write("a.safetensors", safetensors)), arrays);
  EXPECT_THAT(refusal(scratch.write("b.npz", safetensors)), HasSubstr("b.npz is not a whole .npz file"));
  EXPECT_THAT(refusal(scratch.write("b.safetensors", npz)), HasSubstr("b.safetensors is not a .safetensors file"));
}

TEST(ArrayFile, names_the_file_that_cannot_be_read_or_has_another_ending) {
  const ScratchFolder scratch;
  EXPECT_THAT(refusal(scratch.path() / "absent.npz"), AllOf(HasSubstr("absent.npz"), HasSubstr("No such file")));
  EXPECT_THAT(refusal(scratch.write("q.npy", "")), AllOf(HasSubstr("q.npy"), HasSubstr(".safetensors")));
  std::filesystem::create_directory(scratch.path() / "folder.npz");
  EXPECT_THAT(refusal(scratch.path() / "folder.npz"), HasSubstr("folder"));
  EXPECT_THROW(array_file_bytes("out.txt", {}), std::invalid_argument);
}

}  // namespace
}  // namespace attest::arrays
