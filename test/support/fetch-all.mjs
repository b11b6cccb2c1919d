// @ts-check
// Fetches addresses one after another as told, and prints one line of JSON for each: status, headers, and the body's SHA-256.
// Arguments: h1 or h2, a file with the authority to trust (or -), addresses of one server; or resume, which tells whether a second TLS
// connection takes up the session of the first.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { connect } from 'node:http2';
import { Agent as TlsAgent, get as tlsGet } from 'node:https';
import { connect as connectTls } from 'node:tls';

const [version, authority, ...addresses] = process.argv.slice(2);
const ca = authority === '-' ? undefined : readFileSync(String(authority));

/** @param {AsyncIterable<Buffer>} body */
async function digest(body) {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of body) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** @param {object} line */
const print = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

async function overHttp1() {
  const plain = new Agent({ keepAlive: true, maxSockets: 1 });
  const secure = new TlsAgent({ keepAlive: true, maxSockets: 1, ca });
  let opened = 0;
  /** @type {WeakSet<object>} */
  const known = new WeakSet();
  for (const address of addresses) {
    /** @type {import('node:http').IncomingMessage} */
    const response = await new Promise((resolve, reject) => {
      const request = address.startsWith('https:') ? tlsGet(address, { agent: secure }, resolve) : get(address, { agent: plain }, resolve);
      request.on('error', reject);
    });
    const { socket } = response;
    if (!known.has(socket)) opened += 1;
    known.add(socket);
    const tls = 'getProtocol' in socket && typeof socket.getProtocol === 'function' ? socket.getProtocol() : undefined;
    print({ status: response.statusCode, headers: response.headers, ...(await digest(response)), opened, tls });
  }
  plain.destroy();
  secure.destroy();
}

async function overHttp2() {
  const session = connect(new URL(String(addresses[0])).origin, ca ? { ca } : {});
  await new Promise((resolve, reject) => session.once('remoteSettings', resolve).once('error', reject));
  for (const address of addresses) {
    const stream = session.request({ ':path': new URL(address).pathname });
    /** @type {import('node:http2').IncomingHttpHeaders} */
    const headers = await new Promise((resolve, reject) => stream.once('response', resolve).once('error', reject));
    print({ status: headers[':status'], headers, ...(await digest(stream)), settings: session.remoteSettings });
  }
  session.destroy();
}

/**
 * One request, and the session that the server offered with it.
 * @param {Buffer | undefined} session
 */
async function visit(session) {
  const { hostname, port, pathname, host } = new URL(String(addresses[0]));
  const socket = connectTls({ host: hostname, port: Number(port), ca, session, ALPNProtocols: ['http/1.1'] });
  /** @type {Buffer | undefined} */
  let offered;
  let reused = false;
  socket.once('secureConnect', () => {
    reused = socket.isSessionReused();
  });
  socket.on('session', (given) => {
    offered = given;
  });
  socket.write(`GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  const { bytes } = await digest(socket);
  return { bytes, offered, reused };
}

async function resume() {
  const first = await visit(undefined);
  const second = await visit(first.offered);
  print({ bytes: [first.bytes, second.bytes], reused: second.reused });
}

await (version === 'h2' ? overHttp2() : version === 'resume' ? resume() : overHttp1());
