/** A port at which nothing answers: its queue of unaccepted connections is full, so that the kernel drops every SYN (listen(2)). */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';

export interface FullBacklog {
  readonly port: number;
  close(): Promise<void>;
}

/** Accepts nothing, because its thread sleeps from the moment that it listens. */
const LISTENER = `
const { parentPort, workerData } = require('node:worker_threads');
const server = require('node:net').createServer();
server.listen({ ...workerData, backlog: 1 }, () => {
  parentPort.postMessage(server.address().port);
  setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));
});`;

/** On loopback a connection is there at once or, with a full queue, after the first repetition of its SYN, 1 s later. */
const DROPPED_MS = 250;

/** @param options.port - Absent: any. */
export async function fullBacklog(options: { readonly host: string; readonly port?: number }): Promise<FullBacklog> {
  const worker = new Worker(LISTENER, { eval: true, workerData: { host: options.host, port: options.port ?? 0 } });
  const [port] = (await once(worker, 'message')) as [number];
  const fillers: Socket[] = [];
  for (;;) {
    const socket = connect({ host: options.host, port });
    socket.on('error', () => {});
    const connected = await Promise.race([
      once(socket, 'connect').then(() => true),
      new Promise<boolean>((resolve) => setTimeout(() => resolve(false), DROPPED_MS)),
    ]);
    if (!connected) {
      socket.destroy();
      break;
    }
    fillers.push(socket);
  }
  return {
    port,
    close: async () => {
      for (const socket of fillers) socket.destroy();
      await worker.terminate();
    },
  };
}
