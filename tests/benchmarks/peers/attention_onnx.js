// ONNX Runtime's fused MultiHeadAttention, forward, float, on the requests of bench_attention:
//   run softmax BATCH HEADS TOKENS DIM FULL THREADS SECONDS FORWARD
// node attention_onnx.js FOLDER, where FOLDER/node_modules holds onnxruntime-node and FOLDER/attention-HEADS.onnx the
// model that attention_onnx_model.py writes.
const path = require('path');
const readline = require('readline');
const folder = path.resolve(process.argv[2]);
const runtime = require(path.join(folder, 'node_modules', 'onnxruntime-node'));

let kept = null, session = null, feeds = null;

function normal(count) {
  const entries = new Float32Array(count);
  for (let i = 0; i < count; ++i)
    entries[i] = Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random());
  return entries;
}

async function answer(line) {
  const [, mechanism, batch, heads, tokens, dim, mask, threads, seconds, passes] = line.split(' ');
  if (mechanism !== 'softmax' || mask !== 'FULL' || passes !== 'FORWARD')
    return {error: 'this peer knows softmax FULL FORWARD alone'};
  const key = [batch, heads, tokens, dim, threads].join(' ');
  if (key !== kept) {
    session = await runtime.InferenceSession.create(path.join(folder, `attention-${heads}.onnx`),
        {intraOpNumThreads: Number(threads), interOpNumThreads: 1, graphOptimizationLevel: 'all'});
    feeds = {};
    const shape = [Number(batch), Number(tokens), heads * dim];
    for (const name of ['query', 'key', 'value'])
      feeds[name] = new runtime.Tensor('float32', normal(shape[0] * shape[1] * shape[2]), shape);
    await session.run(feeds);
    kept = key;
  }
  const times = [], computed = [], start = process.hrtime.bigint();
  do {
    const begun = process.hrtime.bigint(), before = process.cpuUsage();
    await session.run(feeds);
    times.push(Number(process.hrtime.bigint() - begun) * 1e-9);
    const used = process.cpuUsage(before);
    computed.push((used.user + used.system) * 1e-6);
  } while (Number(process.hrtime.bigint() - start) * 1e-9 < Number(seconds));
  times.sort((a, b) => a - b);
  computed.sort((a, b) => a - b);
  const version = require(path.join(folder, 'node_modules', 'onnxruntime-node', 'package.json')).version;
  return {seconds: times[Math.floor(times.length / 2)], least_seconds: times[0],
          processor_seconds: computed[Math.floor(computed.length / 2)],
          least_processor_seconds: computed[0], version: 'ONNX Runtime ' + version};
}

let last = Promise.resolve();
readline.createInterface({input: process.stdin}).on('line', (line) => {
  last = last.then(() => answer(line)).catch((failure) => ({error: String(failure.message || failure)}))
             .then((reply) => console.log(JSON.stringify(reply)));
});
