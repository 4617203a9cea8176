// Fetching a file over HTTP such that nothing half-done is ever taken for the file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "simulations/data/catalogue/downloads.hpp"

namespace attest::data {

/// How a file was obtained.
struct Fetched {
  std::filesystem::path file;
  std::string sha256;               ///< of the file that is there now
  std::uintmax_t bytes = 0;         ///< its size
  std::uintmax_t resumed_from = 0;  ///< bytes of an earlier attempt that were kept
  bool was_there = false;           ///< nothing was fetched
};

/// Called with the bytes that are there and the bytes in all (0 while unknown).
using FetchProgress = std::function<void(std::uintmax_t, std::uintmax_t)>;

/// Fetches `download.url` (http or https, by libcurl) to FOLDER/FILE.
///
/// Bytes go to FOLDER/FILE.part; what an earlier attempt left there is kept and the rest asked for by a range, provided
/// the server says by its entity tag (kept in FOLDER/FILE.part.etag) that the file is still the same; else it begins
/// anew. When all is there and has the sha256 (if one is known), it is synced to the disk and renamed, so FILE is never
/// half there. A FILE that is there already is kept when its sha256 is right or none is known.
/// Errors: std::runtime_error naming address or file and the fix when the server cannot be reached, answers with an
/// error or stops sending (60 s without a byte), the disk is full, or the sha256 is another (the wrong bytes are
/// removed; a FILE that is there with a wrong one is left alone).
Fetched fetch_file(const Download& download, const std::filesystem::path& folder, const FetchProgress& progress);

}  // namespace attest::data
