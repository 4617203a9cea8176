#include "tests/fuzz/resealed.hpp"

#include <cstdint>
#include <stdexcept>

#include <fmt/format.h>
#include <zlib.h>

#include "kernels/digest/seal.hpp"
#include "kernels/digest/sha256.hpp"
#include "simulations/arrays/safetensors.hpp"

namespace attest::fuzz {
namespace {

std::uint32_t crc_of(const std::string& bytes, std::size_t from, std::size_t length) {
  return static_cast<std::uint32_t>(
      crc32(0, reinterpret_cast<const Bytef*>(bytes.data() + from), static_cast<uInt>(length)));
}

std::uint32_t big_endian(const std::string& bytes, std::size_t from) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(bytes[from + i]);
  return value;
}

/// The lowest `count` bytes of a number, the lowest first, as .zip wants them; zeros after its eighth.
std::string little_endian(std::uint64_t value, int count) {
  std::string bytes;
  for (int i = 0; i < count; ++i) bytes += static_cast<char>(i < 8 ? value >> (8 * i) : 0);
  return bytes;
}

}  // namespace

std::string with_json_digest(std::string text) {
  constexpr std::string_view key = ",\n \"digest\": \"";
  const std::size_t at = text.rfind(key);
  const std::size_t brace = text.find_last_not_of(" \n\t\r");
  if (at == std::string::npos || text[brace] != '}') return text;
  return digest::sealed(text.substr(0, at) + "}");
}

std::string with_png_checksums(std::string bytes) {
  constexpr std::size_t signature = 8, frame = 12, name = 4;  // length, name and sum around a chunk's data
  for (std::size_t at = signature; at + frame <= bytes.size();) {
    const std::size_t length = big_endian(bytes, at);
    if (length > bytes.size() - at - frame) break;
    const std::uint32_t sum = crc_of(bytes, at + 4, name + length);
    for (std::size_t i = 0; i < 4; ++i) bytes[at + 8 + length + i] = static_cast<char>(sum >> (24 - 8 * i));
    at += frame + length;
  }
  return bytes;
}

std::string zip_of_one_array(std::string bytes) {
  const std::string name = "q.npy";
  // Version, flags, method (stored), time and date, then sum, both sizes and the length of the name.
  const std::string facts = little_endian(20, 2) + little_endian(0, 4) + little_endian(0, 2) + little_endian(33, 2) +
                            little_endian(crc_of(bytes, 0, bytes.size()), 4) + little_endian(bytes.size(), 4) +
                            little_endian(bytes.size(), 4) + little_endian(name.size(), 2);
  const std::string local = "PK\x03\x04" + facts + little_endian(0, 2) + name + bytes;
  const std::string central = "PK\x01\x02" + little_endian(20, 2) + facts + little_endian(0, 16) + name;
  return local + central + "PK\x05\x06" + little_endian(0, 4) + little_endian(1, 2) + little_endian(1, 2) +
         little_endian(central.size(), 4) + little_endian(local.size(), 4) + little_endian(0, 2);
}

std::string with_checkpoint_digest(std::string bytes, const std::string& belongs_to) {
  try {
    arrays::NamedArrays arrays = arrays::parse_safetensors(bytes, "checkpoint");
    const auto digest = arrays.find("trainer.digest");
    if (digest == arrays.end()) return bytes;
    const arrays::Array stored = digest->second;
    arrays.erase(digest);
    std::string all = belongs_to;
    for (const auto& [name, array] : arrays)
      all += fmt::format("\n{} {} {} ", name, arrays::name(array.type), arrays::shape_text(array.shape)) + array.bytes;
    std::string digits;
    for (const char c : digest::sha256(all))
      digits += little_endian(static_cast<std::uint64_t>(c <= '9' ? c - '0' : c - 'a' + 10), sizeof(std::int64_t));
    arrays.emplace("trainer.digest", arrays::Array{stored.type, stored.shape, digits});
    return arrays::safetensors_bytes(arrays);
  } catch (const std::invalid_argument&) {
    return bytes;
  }
}

}  // namespace attest::fuzz
