#include "simulations/arrays/array_file.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include <fmt/format.h>

#include "simulations/arrays/npz.hpp"
#include "simulations/arrays/safetensors.hpp"

namespace attest::arrays {
namespace {

constexpr const char* npz = ".npz";
constexpr const char* safetensors = ".safetensors";

std::string whole_file(const std::filesystem::path& file) {
  std::error_code error;
  if (std::filesystem::is_directory(file, error))
    throw std::invalid_argument(fmt::format("{} is a folder; name a file in it", file.string()));
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  if (!stream)
    throw std::invalid_argument(fmt::format("cannot open {} ({}); check the path and its permissions", file.string(),
                                            std::strerror(errno == 0 ? ENOENT : errno)));
  std::string bytes{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  if (stream.bad())
    throw std::invalid_argument(fmt::format("reading {} failed; check the disk and read again", file.string()));
  return bytes;
}

}  // namespace

void require_array_file_ending(const std::filesystem::path& file) {
  if (file.extension() != npz && file.extension() != safetensors)
    throw std::invalid_argument(
        fmt::format("{} ends in neither .npz nor .safetensors; name a file of one of these formats", file.string()));
}

NamedArrays read_arrays(const std::filesystem::path& file) {
  require_array_file_ending(file);
  const std::string bytes = whole_file(file);
  return file.extension() == npz ? parse_npz(bytes, file.string()) : parse_safetensors(bytes, file.string());
}

std::string array_file_bytes(const std::filesystem::path& file, const NamedArrays& arrays) {
  require_array_file_ending(file);
  return file.extension() == npz ? npz_bytes(arrays) : safetensors_bytes(arrays);
}

}  // namespace attest::arrays
