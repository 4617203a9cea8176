#include "simulations/data/catalogue/fetch.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string_view>

#include <curl/curl.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include "kernels/digest/sha256.hpp"

namespace attest::data {
namespace {

namespace fs = std::filesystem;

constexpr long connect_seconds = 30;
constexpr long silent_seconds = 60;
constexpr long most_redirections = 10;

/// One request and what its callbacks need.
struct Transfer {
  fs::path part;
  std::FILE* out = nullptr;
  int write_error = 0;
  std::uintmax_t resumed_from = 0;
  std::string etag;
  bool etag_kept = false;
  const FetchProgress* progress = nullptr;
};

std::size_t write_bytes(char* bytes, std::size_t, std::size_t count, void* data) {
  auto* transfer = static_cast<Transfer*>(data);
  // Written with the first bytes, so that an attempt that is killed can be resumed.
  if (transfer->resumed_from == 0 && !transfer->etag_kept && !transfer->etag.empty()) {
    std::ofstream(transfer->part.string() + ".etag") << transfer->etag << '\n';
    transfer->etag_kept = true;
  }
  const std::size_t written = std::fwrite(bytes, 1, count, transfer->out);
  if (written != count) transfer->write_error = errno;
  return written;
}

// Keeps the entity tag of the last response; redirections come first.
std::size_t read_header(char* bytes, std::size_t, std::size_t count, void* data) {
  auto* transfer = static_cast<Transfer*>(data);
  const std::string_view line(bytes, count);
  constexpr std::string_view key = "etag:";
  if (line.starts_with("HTTP/")) transfer->etag.clear();
  bool same = line.size() > key.size();
  for (std::size_t i = 0; same && i < key.size(); ++i) same = (line[i] | 0x20) == (key[i] | 0x20);
  if (!same) return count;
  const std::size_t begin = line.find_first_not_of(" \t", key.size());
  const std::size_t end = line.find_last_not_of(" \t\r\n");
  // A weak tag ("W/") does not vouch for the bytes.
  if (begin != std::string_view::npos && end >= begin && line[begin] == '"')
    transfer->etag = line.substr(begin, end + 1 - begin);
  return count;
}

int report_progress(void* data, curl_off_t all, curl_off_t now, curl_off_t, curl_off_t) {
  const auto* transfer = static_cast<Transfer*>(data);
  if (*transfer->progress && now > 0) {
    (*transfer->progress)(transfer->resumed_from + static_cast<std::uintmax_t>(now),
                          all > 0 ? transfer->resumed_from + static_cast<std::uintmax_t>(all) : 0);
  }
  return 0;
}

fs::path with(const fs::path& path, const char* suffix) { return path.string() + suffix; }

std::string first_line(const fs::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

/// What came of one request.
struct Outcome {
  CURLcode code = CURLE_OK;
  long status = 0;
  std::array<char, CURL_ERROR_SIZE> message{};
};

Outcome request(const std::string& url, Transfer& transfer, const std::string& etag) {
  const auto curl = std::unique_ptr<CURL, decltype(&curl_easy_cleanup)>(curl_easy_init(), curl_easy_cleanup);
  if (!curl) throw std::runtime_error("libcurl cannot be started; check its installation");
  CURL* handle = curl.get();
  Outcome outcome;
  std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)> headers(nullptr, curl_slist_free_all);
  if (transfer.resumed_from > 0) {
    headers.reset(curl_slist_append(nullptr, ("If-Range: " + etag).c_str()));
    curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers.get());
    curl_easy_setopt(handle, CURLOPT_RESUME_FROM_LARGE, static_cast<curl_off_t>(transfer.resumed_from));
  }
  curl_easy_setopt(handle, CURLOPT_URL, url.c_str());
  curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(handle, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(handle, CURLOPT_FOLLOWLOCATION, 1L);
  curl_easy_setopt(handle, CURLOPT_MAXREDIRS, most_redirections);
  curl_easy_setopt(handle, CURLOPT_FAILONERROR, 1L);
  curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(handle, CURLOPT_CONNECTTIMEOUT, connect_seconds);
  curl_easy_setopt(handle, CURLOPT_LOW_SPEED_LIMIT, 1L);
  curl_easy_setopt(handle, CURLOPT_LOW_SPEED_TIME, silent_seconds);
  curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, outcome.message.data());
  curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, write_bytes);
  curl_easy_setopt(handle, CURLOPT_WRITEDATA, &transfer);
  curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, read_header);
  curl_easy_setopt(handle, CURLOPT_HEADERDATA, &transfer);
  curl_easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);
  curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, report_progress);
  curl_easy_setopt(handle, CURLOPT_XFERINFODATA, &transfer);
  outcome.code = curl_easy_perform(handle);
  curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &outcome.status);
  return outcome;
}

[[noreturn]] void throw_write_error(const fs::path& file, int error) {
  throw std::runtime_error(fmt::format("cannot write {} ({}); free the disk or fix the folder, and fetch again",
                                       file.string(), std::strerror(error)));
}

// One attempt, which appends to the part when `resume`. Returns false when the server offers no such rest.
bool attempt(const Download& download, Transfer& transfer, bool resume, const FetchProgress& progress) {
  const fs::path etag_file = with(transfer.part, ".etag");
  std::error_code error;
  const std::string etag = first_line(etag_file);
  transfer.resumed_from = resume && !etag.empty() ? fs::file_size(transfer.part, error) : 0;
  if (error) transfer.resumed_from = 0;
  if (transfer.resumed_from == 0) fs::remove(etag_file, error);
  transfer.progress = &progress;
  transfer.out = std::fopen(transfer.part.c_str(), transfer.resumed_from > 0 ? "ab" : "wb");
  if (transfer.out == nullptr) throw_write_error(transfer.part, errno);
  const Outcome outcome = request(download.url, transfer, etag);
  const bool flushed = std::fflush(transfer.out) == 0 && fsync(fileno(transfer.out)) == 0;
  if (!flushed && transfer.write_error == 0) transfer.write_error = errno;
  std::fclose(transfer.out);
  if (transfer.write_error != 0) throw_write_error(transfer.part, transfer.write_error);
  constexpr long range_not_satisfiable = 416;
  if (transfer.resumed_from > 0 && (outcome.code == CURLE_RANGE_ERROR || outcome.status == range_not_satisfiable))
    return false;
  if (outcome.code != CURLE_OK) {
    throw std::runtime_error(fmt::format(
        "{} cannot be fetched ({}); check the network or name a mirror with --mirror, "
        "and fetch again: what came is kept",
        download.url, outcome.message[0] != '\0' ? outcome.message.data() : curl_easy_strerror(outcome.code)));
  }
  return true;
}

}  // namespace

Fetched fetch_file(const Download& download, const fs::path& folder, const FetchProgress& progress) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw_write_error(folder, error.value());
  const fs::path file = folder / download.file;
  if (fs::exists(file, error)) {
    std::string found = digest::sha256_of_file(file);
    if (!download.sha256.empty() && found != download.sha256) {
      throw std::runtime_error(fmt::format("{} exists and has sha256 {} where {} belongs; remove it and fetch again",
                                           file.string(), found, download.sha256));
    }
    return {file, std::move(found), fs::file_size(file), 0, true};
  }
  Transfer transfer;
  transfer.part = with(file, ".part");
  const bool complete = !download.sha256.empty() && fs::exists(transfer.part, error) &&
                        digest::sha256_of_file(transfer.part) == download.sha256;
  if (!complete && !attempt(download, transfer, true, progress)) attempt(download, transfer, false, progress);
  std::string found = digest::sha256_of_file(transfer.part);
  if (!download.sha256.empty() && found != download.sha256) {
    fs::remove(transfer.part, error);
    fs::remove(with(transfer.part, ".etag"), error);
    throw std::runtime_error(
        fmt::format("{} gave a file with sha256 {} where {} is right; it was removed: fetch again, "
                    "or from a mirror with --mirror",
                    download.url, found, download.sha256));
  }
  fs::rename(transfer.part, file);
  fs::remove(with(transfer.part, ".etag"), error);
  return {file, std::move(found), fs::file_size(file), transfer.resumed_from, false};
}

}  // namespace attest::data
