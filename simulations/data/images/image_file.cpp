#include "simulations/data/images/image_file.hpp"

#include "simulations/data/files/bytes.hpp"
#include "simulations/data/files/lines.hpp"

namespace attest::data {

Image read_image(const std::filesystem::path& path) {
  const std::string bytes = read_bytes(path);
  if (bytes.starts_with("\x89PNG")) return decode_png(bytes, path.string());
  if (bytes.starts_with("\xff\xd8")) return decode_jpeg(bytes, path.string());
  refuse(path.string(), "is neither PNG nor JPEG by its first bytes; convert or remove it");
}

}  // namespace attest::data
