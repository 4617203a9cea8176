#include "simulations/arrays/npz.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>
#include <zip.h>

#include "simulations/arrays/npy.hpp"

namespace attest::arrays {
namespace {

constexpr std::string_view suffix = ".npy";

struct Discard {
  void operator()(zip_t* archive) const { zip_discard(archive); }
  void operator()(zip_file_t* entry) const { zip_fclose(entry); }
  void operator()(zip_source_t* source) const { zip_source_free(source); }
};
using Archive = std::unique_ptr<zip_t, Discard>;
using Entry = std::unique_ptr<zip_file_t, Discard>;
using Source = std::unique_ptr<zip_source_t, Discard>;

struct ZipError {
  zip_error_t error{};
  ZipError() { zip_error_init(&error); }
  ZipError(const ZipError&) = delete;
  ZipError& operator=(const ZipError&) = delete;
  ~ZipError() { zip_error_fini(&error); }
  std::string text() { return zip_error_strerror(&error); }
};

Archive open_archive(std::string_view bytes, const std::string& file) {
  // libzip takes no bytes for an archive without entries.
  if (bytes.empty()) throw std::invalid_argument(file + " is empty; save it again with numpy.savez");
  ZipError error;
  zip_source_t* source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error.error);
  if (source == nullptr) throw std::bad_alloc();
  Archive archive(zip_open_from_source(source, ZIP_RDONLY | ZIP_CHECKCONS, &error.error));
  if (!archive) {
    zip_source_free(source);
    throw std::invalid_argument(
        fmt::format("{} is not a whole .npz file ({}); save it again with numpy.savez", file, error.text()));
  }
  return archive;
}

/// The unpacked bytes of an entry, its check sum verified.
std::string unpack(zip_t* archive, zip_uint64_t index, std::uint64_t size, const std::string& place) {
  const Entry entry(zip_fopen_index(archive, index, 0));
  if (!entry)
    throw std::invalid_argument(fmt::format("{} cannot be unpacked ({}); save it again", place, zip_strerror(archive)));
  std::string bytes;
  std::array<char, 1U << 16U> buffer{};
  for (;;) {
    const zip_int64_t read = zip_fread(entry.get(), buffer.data(), buffer.size());
    if (read < 0)
      throw std::invalid_argument(
          fmt::format("{} is damaged ({}); save it again", place, zip_file_strerror(entry.get())));
    if (read == 0) break;
    bytes.append(buffer.data(), static_cast<std::size_t>(read));
    // A deflated stream can hold more than the archive says: nothing beyond is kept.
    if (bytes.size() > size) break;
  }
  if (bytes.size() != size)
    throw std::invalid_argument(
        fmt::format("{} does not have the {} bytes that the archive says; save it again", place, size));
  return bytes;
}

}  // namespace

NamedArrays parse_npz(std::string_view bytes, const std::string& file) {
  const Archive archive = open_archive(bytes, file);
  NamedArrays arrays;
  const auto count = static_cast<zip_uint64_t>(zip_get_num_entries(archive.get(), 0));
  for (zip_uint64_t index = 0; index < count; ++index) {
    zip_stat_t entry;
    if (zip_stat_index(archive.get(), index, 0, &entry) != 0)
      throw std::invalid_argument(fmt::format("{} has an entry that cannot be read; save it again", file));
    std::string name = entry.name;
    if (!name.ends_with(suffix))
      throw std::invalid_argument(
          fmt::format("{} holds {}, which is not a .npy array; leave it out", file, quoted_name(name)));
    name.resize(name.size() - suffix.size());
    const std::string place = fmt::format("{}: array {}", file, quoted_name(name));
    if (entry.encryption_method != ZIP_EM_NONE)
      throw std::invalid_argument(fmt::format("{} is encrypted; save it with numpy.savez", place));
    if (entry.comp_method != ZIP_CM_STORE && entry.comp_method != ZIP_CM_DEFLATE)
      throw std::invalid_argument(
          fmt::format("{} is packed by method {}; save it with numpy.savez (stored) or savez_compressed (deflated)",
                      place, entry.comp_method));
    Array array = parse_npy(unpack(archive.get(), index, entry.size, place), place);
    if (!arrays.emplace(name, std::move(array)).second)
      throw std::invalid_argument(fmt::format("{} occurs twice; give each array a name of its own", place));
  }
  return arrays;
}

std::string npz_bytes(const NamedArrays& arrays) {
  // libzip makes no archive without entries: this is its end record alone.
  if (arrays.empty()) return "PK\5\6" + std::string(18, '\0');
  std::vector<std::string> entries;  // read by libzip only when the archive is closed
  entries.reserve(arrays.size());
  ZipError error;
  const Source target(zip_source_buffer_create(nullptr, 0, 0, &error.error));
  if (!target) throw std::bad_alloc();
  zip_source_keep(target.get());  // the archive takes one reference, the reading below the other
  Archive archive(zip_open_from_source(target.get(), ZIP_TRUNCATE, &error.error));
  if (!archive) throw std::runtime_error("a zip archive cannot be begun: " + error.text());
  const auto require = [&](bool done) {
    if (!done) throw std::runtime_error(fmt::format("a zip archive cannot be made: {}", zip_strerror(archive.get())));
  };
  for (const auto& [name, array] : arrays) {
    try {
      entries.push_back(npy_bytes(array));
    } catch (const std::invalid_argument& problem) {
      throw std::invalid_argument(fmt::format("array {}: {}", quoted_name(name), problem.what()));
    }
    zip_source_t* data = zip_source_buffer(archive.get(), entries.back().data(), entries.back().size(), 0);
    require(data != nullptr);
    const zip_int64_t index = zip_file_add(archive.get(), (name + ".npy").c_str(), data, ZIP_FL_ENC_UTF_8);
    if (index < 0) zip_source_free(data);
    require(index >= 0);
    const auto place = static_cast<zip_uint64_t>(index);
    require(zip_set_file_compression(archive.get(), place, ZIP_CM_STORE, 0) == 0);
    // The first day that a zip archive can name, so that the same arrays give the same bytes.
    constexpr zip_uint16_t first_day = 1U << 5U | 1U;
    require(zip_file_set_dostime(archive.get(), place, 0, first_day, 0) == 0);
  }
  require(zip_close(archive.get()) == 0);
  static_cast<void>(archive.release());  // closing freed it
  zip_stat_t whole;
  zip_stat_init(&whole);
  if (zip_source_stat(target.get(), &whole) != 0 || zip_source_open(target.get()) != 0)
    throw std::runtime_error("a zip archive cannot be read back");
  std::string bytes(whole.size, '\0');
  const zip_int64_t read = zip_source_read(target.get(), bytes.data(), bytes.size());
  zip_source_close(target.get());
  if (read != static_cast<zip_int64_t>(bytes.size())) throw std::runtime_error("a zip archive cannot be read back");
  return bytes;
}

}  // namespace attest::arrays
