#include <cstdint>
#include <cstring>

#include <zlib.h>

#include "simulations/arrays/npy.hpp"
#include "simulations/arrays/npz.hpp"
#include "simulations/arrays/safetensors.hpp"
#include "simulations/data/images/cifar10.hpp"
#include "simulations/data/images/idx.hpp"
#include "simulations/data/images/image_file.hpp"
#include "simulations/data/series/csv_series.hpp"
#include "simulations/data/series/ts_file.hpp"
#include "simulations/data/text/labelled_pairs.hpp"
#include "simulations/data/text/labelled_texts.hpp"
#include "simulations/data/text/listops.hpp"
#include "tests/fuzz/resealed.hpp"
#include "tests/fuzz/target.hpp"
#include "tests/simulations/data/images/jpeg_bytes.hpp"

namespace attest::fuzz {
namespace {

using namespace arrays;
using namespace data;

std::string bytes_of(std::initializer_list<int> values) {
  std::string bytes;
  for (const int value : values) bytes += static_cast<char>(value);
  return bytes;
}

NamedArrays some_arrays() {
  Array array;
  array.type = ElementType::float64;
  array.shape = {1, 2, 3};
  array.bytes.assign(6 * sizeof(double), '\x3f');
  return {{"q", array}, {"grad.v", array}};
}

/// A PNG of one grey pixel, with its checksums.
std::string small_png() {
  const auto big_endian = [](std::uint32_t value) {
    std::string bytes;
    for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift & 0xFF);
    return bytes;
  };
  const auto chunk = [&](const std::string& type, const std::string& data) {
    const std::string body = type + data;
    const auto sum = crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size()));
    return big_endian(static_cast<std::uint32_t>(data.size())) + body + big_endian(static_cast<std::uint32_t>(sum));
  };
  const std::string row = bytes_of({0, 127});
  std::string packed(64, '\0');
  uLongf size = packed.size();
  compress(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(row.data()), row.size());
  packed.resize(size);
  return "\x89PNG\r\n\x1a\n" + chunk("IHDR", big_endian(1) + big_endian(1) + bytes_of({8, 0, 0, 0, 0})) +
         chunk("IDAT", packed) + chunk("IEND", "");
}

/// Of 8 x 8 pixels, and of 16,383 x 3,000 by its header.
std::string jpeg_that_promises_much() {
  std::string bytes = grey_jpeg(127);
  constexpr std::size_t before_sides = 5;  // the marker, its length and the precision
  return bytes.replace(bytes.find("\xFF\xC0") + before_sides, 4, "\x3F\xFF\x0B\xB8");
}

}  // namespace

std::vector<Target> data_targets() {
  const NamedArrays arrays = some_arrays();
  return {
      {"npy", {npy_bytes(arrays.begin()->second)}, [](std::string_view b) { parse_npy(b, "fuzzed.npy"); }},
      {"npz",
       {npz_bytes(arrays), npy_bytes(arrays.begin()->second)},
       [](std::string_view b) { parse_npz(b, "fuzzed.npz"); },
       zip_of_one_array},
      {"safetensors",
       {safetensors_bytes(arrays, {{"key", "value"}})},
       [](std::string_view b) {
         parse_safetensors(b, "fuzzed.safetensors");
         safetensors_metadata(b, "fuzzed.safetensors");
       }},
      {"idx",
       {bytes_of({0, 0, 8, 3, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 2, 1, 2, 3, 4, 5, 6, 7, 8})},
       [](std::string_view b) { parse_idx_images(b, "fuzzed.idx"); }},
      {"cifar10",
       {std::string(1, '\x03') + std::string(3072, 'x')},
       [](std::string_view b) { parse_cifar10(b, "fuzzed.bin"); }},
      {"png", {small_png()}, [](std::string_view b) { decode_png(b, "fuzzed.png"); }, with_png_checksums},
      {"jpeg", {grey_jpeg(127), jpeg_that_promises_much()}, [](std::string_view b) { decode_jpeg(b, "fuzzed.jpg"); }},
      {"ts",
       {"@problemName Two\n@timeStamps false\n@missing true\n@univariate false\n@dimensions 2\n@equalLength false\n"
        "@classLabel true a b\n@data\n1,2,3:4,5,6:a\n1,?:2,3:b\n",
        "@problemName T\n@timeStamps false\n@univariate true\n@equalLength true\n@seriesLength 3\n@targetlabel true\n"
        "@data\n1,2,3:0.5\n4,5,6:-1e3\n"},
       [](std::string_view b) { parse_ts(b, "fuzzed.ts"); }},
      {"series-csv",
       {"series,time,label,x,y\n1,0,a,1,2\n1,1,a,?,3\n2,0,b,4,5\n", "label,part,0,1,2\na,train,1,2,3\nb,test,4,5,\n",
        "target,x_1,y_1,x_2,y_2\n0.5,1,2,3,4\n"},
       [](std::string_view b) { parse_series_csv(b, "fuzzed.csv"); }},
      {"paper-pairs",
       {"1.0\t7\t8\tsome text\tother text\n0\t1\t2\ta\tb\n"},
       [](std::string_view b) { parse_paper_pairs(b, "fuzzed.tsv"); }},
      {"sst2", {"sentence\tlabel\na fine film\t1\ndull\t0\n"}, [](std::string_view b) { parse_sst2(b, "fuzzed.tsv"); }},
      {"imdb",
       {"label,text,is_valid\npositive,\"good, \"\"very\"\" good\",False\nnegative,bad,True\n"},
       [](std::string_view b) { parse_imdb_csv(b, "fuzzed.csv"); }},
      {"listops",
       {"Source\tTarget\n[MAX 1 2 [MIN 3 4 ] ]\t3\n", "Source\tTarget\n( ( [SM 1 ) 2 ) ]\t3\n"},
       [](std::string_view b) { parse_listops(b, "fuzzed.tsv"); }},
  };
}

}  // namespace attest::fuzz
