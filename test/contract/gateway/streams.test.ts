/**
 * Seeded response streams through both gateways, the extension's and the command's, alone and in the middle of a pipeline: nobody gets what is not
 * theirs, what is sound passes, and of what is not every byte comes to Firefox from the server itself, handed back or unread.
 */
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { PROBATION } from '../../../src/core/gateway-policy.ts';
import { gatewayWith, using } from './support/fixture.ts';
import { type RawRequest, response, serveRaw } from './support/servers.ts';
import { responseStreams } from './support/streams.ts';
import { type Answer, basic } from './support/through-gateway.ts';

const STREAMS = 600;
const streams = responseStreams(STREAMS, 27);
/** Its servers stand for others' machines. */
const ELSEWHERE = { isNear: (address: string) => address !== '127.0.0.1' };
const isHandedBack = ({ status, headers }: Answer) => status === 502 && headers['plumbfox-gateway'] !== undefined;

/** Each stream has a server of its own: one that has been found out is asked no more. */
async function servers(handle: (request: RawRequest, bytes: string) => void) {
  return Promise.all(
    streams.map(({ bytes }) => using(serveRaw((request) => handle(request, Buffer.from(bytes, 'latin1').toString('latin1'))))),
  );
}

it(`${STREAMS} streams, alone, as on probation: what is wrong is handed back, what is sound arrives whole`, async () => {
  const origins = await servers(({ socket }, bytes) => void socket.end(Buffer.from(bytes, 'latin1')));
  const { gateway, client } = await gatewayWith({ connections: 4, depth: 6, sites: 'found' }, ELSEWHERE);
  gateway.carry(origins.map(({ origin }) => ({ origin, address: '127.0.0.1' })));
  const got = await Promise.all(origins.map(({ origin }) => client.ask(`${origin}/`)));
  const counts = { carried: 0, handedBack: 0 };
  for (const [at, answer] of got.entries()) {
    const { wrong, body } = streams[at] ?? { wrong: undefined, body: '' };
    if (isHandedBack(answer)) counts.handedBack += 1;
    else {
      counts.carried += 1;
      // A surplus shows after an answer that is whole and its own.
      if (wrong !== undefined) expect([wrong, wrong.startsWith('surplus') || wrong === 'a surplus answer']).toEqual([wrong, true]);
      expect(answer.body.toString('latin1')).toBe(body);
    }
    if (wrong === undefined) expect([at, isHandedBack(answer)]).toEqual([at, false]);
  }
  expect(counts.carried + counts.handedBack).toBe(STREAMS);
});

it(`${STREAMS} streams in the middle of a pipeline: no answer is another request's unless its site is told of`, async () => {
  const origins = await servers(({ socket, path, nth }, bytes) => {
    socket.write(path === '/2' && nth > PROBATION.answers ? Buffer.from(bytes, 'latin1') : response(path));
  });
  const { gateway, client } = await gatewayWith({ connections: 1, depth: 6, sites: 'found' }, { ...ELSEWHERE, stallMs: 2_000 });
  gateway.carry(origins.map(({ origin }) => ({ origin, address: '127.0.0.1' })));
  const one = async (origin: string, at: number) => {
    for (let nth = 0; nth < PROBATION.answers; nth++) await client.ask(`${origin}/probation`);
    const got = await Promise.allSettled([0, 1, 2, 3, 4].map((path) => client.ask(`${origin}/${path}`)));
    const bodies = got.map((each) =>
      each.status === 'rejected' || isHandedBack(each.value) ? undefined : each.value.body.toString('latin1'),
    );
    return bodies.flatMap((body, path) => (body === undefined || body === (path === 2 ? streams[at]?.body : `/${path}`) ? [] : [path]));
  };
  const shifted = await Promise.all(origins.map(({ origin }, at) => one(origin, at)));
  const told = new Set(gateway.takeDoubts().map(({ origin }) => origin));
  for (const [at, paths] of shifted.entries())
    if (paths.length > 0) expect([streams[at]?.wrong, told.has(origins[at]?.origin ?? '')]).toEqual([streams[at]?.wrong, true]);
  // Only a surplus that is itself an answer can pass for another's.
  expect(new Set(shifted.flatMap((paths, at) => (paths.length > 0 ? [streams[at]?.wrong] : [])))).toEqual(new Set(['a surplus answer']));
});

/** Everything that comes on a connection of its own, until it ends. */
const raw = (port: number, text: string) =>
  new Promise<string>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    const pieces: Buffer[] = [];
    socket
      .on('data', (piece) => pieces.push(piece))
      .on('error', reject)
      .on('close', () => resolve(Buffer.concat(pieces).toString('latin1')));
  });

it(`${STREAMS} streams through the command's gateway: what it does not carry comes unread, byte for byte`, async () => {
  const origins = await servers(({ socket }, bytes) => void socket.end(Buffer.from(bytes, 'latin1')));
  const { gateway } = await gatewayWith(
    { connections: 4, depth: 6, sites: origins.map(({ origin }) => origin) },
    { isNear: (address) => address !== '127.0.0.1' },
  );
  const { port, secret } = gateway.route;
  const ask = (origin: string) =>
    raw(port, `GET ${origin}/ HTTP/1.1\r\nHost: x\r\nProxy-Authorization: ${basic(secret)}\r\nConnection: close\r\n\r\n`);
  const got = await Promise.all(origins.map(({ origin }) => ask(origin)));
  let unread = 0;
  for (const [at, answer] of got.entries()) {
    const { wrong, bytes, body } = streams[at] ?? { wrong: '', bytes: '', body: '' };
    if (answer === bytes) unread += 1;
    else expect([wrong, answer.includes(body)]).toEqual([wrong, wrong === undefined || wrong.includes('surplus')]);
  }
  expect(unread).toBeGreaterThan(STREAMS / 3);
});
