#include "simulations/arrays/array_file.hpp"

#include <stdexcept>

#include <fmt/format.h>

#include "kernels/files/whole_file.hpp"
#include "simulations/arrays/npz.hpp"
#include "simulations/arrays/safetensors.hpp"

namespace attest::arrays {
namespace {

constexpr const char* npz = ".npz";
constexpr const char* safetensors = ".safetensors";

}  // namespace

void require_array_file_ending(const std::filesystem::path& file) {
  if (file.extension() != npz && file.extension() != safetensors)
    throw std::invalid_argument(
        fmt::format("{} ends in neither .npz nor .safetensors; name a file of one of these formats", file.string()));
}

NamedArrays read_arrays(const std::filesystem::path& file) {
  require_array_file_ending(file);
  const std::string bytes = files::read_whole(file);
  return file.extension() == npz ? parse_npz(bytes, file.string()) : parse_safetensors(bytes, file.string());
}

std::string array_file_bytes(const std::filesystem::path& file, const NamedArrays& arrays) {
  require_array_file_ending(file);
  return file.extension() == npz ? npz_bytes(arrays) : safetensors_bytes(arrays);
}

}  // namespace attest::arrays
