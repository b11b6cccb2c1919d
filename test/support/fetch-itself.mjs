// @ts-check
// A server and its client in one process, to be put into a network namespace where nobody else sends: prints its process id, then, for each
// line it gets, fetches 20,000 bytes over a new connection and prints `fetched`. Ends with its stdin.
import { createServer, get } from 'node:http';
import { createInterface } from 'node:readline';

const server = createServer((_, response) => response.setHeader('connection', 'close').end('x'.repeat(20_000)));

server.listen(8000, '127.0.0.1', () => {
  process.stdout.write(`${process.pid}\n`);
  createInterface({ input: process.stdin })
    .on('line', () => {
      get('http://127.0.0.1:8000/fetched-now', { agent: false }, (response) => {
        response.resume().once('close', () => process.stdout.write('fetched\n'));
      });
    })
    .on('close', () => process.exit(0));
});
