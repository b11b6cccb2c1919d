// @ts-check
// Plain TCP, nothing of the lab's: `serve HOST PORT [BYTES]` sends so many, or without end, to whoever connects; `rtt HOST PORT` prints the median time to
// connect; `rate HOST PORT WARMUP_MS COUNT_MS` prints the rate received, in kbit/s; `receive HOST PORT [BYTES]`
// receives so many, or all there is, and prints how many it got.
import { connect, createServer } from 'node:net';

const [mode, host, port, warmUp, count] = process.argv.slice(2);
const address = { host: String(host), port: Number(port) };

if (mode === 'serve') {
  createServer((socket) => {
    socket.on('error', () => {});
    if (warmUp !== undefined) return void socket.end(Buffer.alloc(Number(warmUp)));
    const send = () => {
      // More than any initial window at once: a busy machine may let the process wait between two writes.
      while (!socket.destroyed && socket.write(Buffer.alloc(65_536))) {
        // Until the socket's buffer is full.
      }
    };
    socket.on('drain', send);
    send();
  }).listen(address.port, address.host, () => process.stdout.write('ready\n'));
} else if (mode === 'rtt') {
  const times = [];
  for (let turn = 0; turn < 11; turn++) {
    // The last connection's own packets must have left a slow uplink, or the next one queues behind them.
    await new Promise((resolve) => setTimeout(resolve, 40));
    const startMs = performance.now();
    await new Promise((resolve, reject) => {
      const socket = connect(address, () => {
        times.push(performance.now() - startMs);
        socket.destroy();
        resolve(undefined);
      }).on('error', reject);
    });
  }
  process.stdout.write(`${times.sort((a, b) => a - b)[5]}\n`);
} else if (mode === 'receive') {
  let bytes = 0;
  connect(address)
    .on('data', (chunk) => {
      bytes += chunk.length;
      if (warmUp !== undefined && bytes >= Number(warmUp)) process.stdout.write(`${bytes}\n`, () => process.exit(0));
    })
    .on('end', () => process.stdout.write(`${bytes}\n`));
} else {
  let bytes = 0;
  let firstMs = 0;
  const startMs = performance.now();
  connect(address).on('data', (chunk) => {
    const nowMs = performance.now();
    if (nowMs - startMs < Number(warmUp)) return;
    if (firstMs === 0) firstMs = nowMs;
    else bytes += chunk.length;
    if (nowMs - firstMs < Number(count)) return;
    process.stdout.write(`${(bytes * 8) / (nowMs - firstMs)}\n`, () => process.exit(0));
    firstMs = Number.POSITIVE_INFINITY;
  });
}
