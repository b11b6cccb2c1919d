/**
 * A server that answers more than it was asked: from the surplus answer on each request has the answer of the one before it, and no answer says
 * whose it is (RFC 9112, 9.3.2). On probation it shows before anything is pipelined; later what may be another's is neither kept nor unnoticed.
 */
import { beforeEach, expect, it } from 'vitest';
import { PROBATION } from '../../../src/core/gateway-policy.ts';
import type { GatewaySeams } from '../../../src/gateway/gateway.ts';
import { gatewayWith, using } from './support/fixture.ts';
import { type RawRequest, response, serveRaw } from './support/servers.ts';
import type { Answer } from './support/through-gateway.ts';

const KEPT = 'Cache-Control: max-age=600\r\nETag: "x"\r\n';
const SIX = [0, 1, 2, 3, 4, 5].map((at) => `/${at}`);

/** Those that came, and the most that waited at once. */
let arrived: string[];
let deepest: number;
let answer: (request: RawRequest) => void;
/** So many are waited for before any is answered; `undefined`: for a moment, whoever comes. */
let together: number | undefined;

beforeEach(() => {
  arrived = [];
  deepest = 0;
  together = undefined;
});

const why = ({ status, headers, body }: Answer) => (status === 502 ? String(headers['plumbfox-gateway']) : body.toString());

async function through(seams: GatewaySeams = {}) {
  const waiting: RawRequest[] = [];
  const server = await using(
    serveRaw((request) => {
      arrived.push(request.path);
      waiting.push(request);
      deepest = Math.max(deepest, waiting.length);
      const answerAll = () => {
        for (const each of waiting.splice(0)) answer(each);
      };
      if (together === undefined) setTimeout(answerAll, 20);
      else if (waiting.length === together) answerAll();
    }),
  );
  const { gateway, client } = await gatewayWith(
    { connections: 1, depth: 6, sites: 'found' },
    { isNear: (address) => address !== '127.0.0.1', ...seams },
  );
  gateway.carry([{ origin: server.origin, address: '127.0.0.1' }]);
  const ask = (path: string) => client.ask(server.origin + path);
  const six = async (atOnce: number) => {
    together = atOnce;
    const answers = await Promise.all(SIX.map(ask));
    together = 1;
    return answers;
  };
  return { gateway, ask, six, origin: server.origin };
}

it('shows it on probation: no answer is another’s, and the rest goes direct', async () => {
  answer = ({ socket, path }) => void socket.write(response(path, KEPT) + response('EVIL', KEPT));
  const { six, gateway } = await through();
  expect((await six(1)).map(why)).toEqual(['/0', ...SIX.slice(1).map(() => 'misbehaved')]);
  expect(arrived).toEqual(['/0']);
  expect(gateway.takeDoubts()).toEqual([]);
});

it('sends it late on probation: the quiet after each answer shows it, and nothing of probation may be kept', async () => {
  answer = ({ socket, path }) => {
    socket.write(response(path, KEPT));
    if (path === '/1') setTimeout(() => socket.write(response('EVIL', KEPT)), PROBATION.quietMs / 2);
  };
  const { six, gateway, origin } = await through();
  const answers = await six(1);
  expect(answers.map(why)).toEqual(['/0', '/1', ...SIX.slice(2).map(() => 'misbehaved')]);
  expect(answers.slice(0, 2).map(({ headers }) => [headers['cache-control'], headers.etag])).toEqual([
    ['no-store', undefined],
    ['no-store', undefined],
  ]);
  // It could have come after the first.
  expect(gateway.takeDoubts()).toEqual([{ origin, answers: 1 }]);
});

it.each([
  ['Connection: close', 'Connection: close\r\n'],
  ['Keep-Alive: max=0', 'Keep-Alive: max=0\r\n'],
])('sends it before a last one with %s: what is left over is looked for before the connection is closed', async (_what, last) => {
  answer = ({ socket, path }) => {
    socket.write((path === '/2' ? response('EVIL', KEPT) : '') + response(path, path === '/4' ? last : KEPT));
  };
  const { six, gateway, origin, ask } = await through({ probation: 0 });
  expect((await six(6)).map(why)).toEqual(['/0', '/1', 'EVIL', '/2', '/3', '/4']);
  expect(why(await ask('/next'))).toBe('misbehaved');
  expect(gateway.takeDoubts()).toEqual([{ origin, answers: 5 }]);
});

it('is not what a 304 with a length is, which is as long as any', async () => {
  answer = ({ socket, path }) =>
    void socket.write(path === '/1' ? 'HTTP/1.1 304 Not Modified\r\nContent-Length: 99\r\n\r\n' : response(path));
  const { six, ask, gateway } = await through({ probation: 0 });
  expect((await six(6)).map(({ status }) => status)).toEqual([200, 304, 200, 200, 200, 200]);
  expect([why(await ask('/next')), gateway.takeDoubts()]).toEqual(['/next', []]);
});

it('leaves one out: when the rest has waited in vain, all that came since are in doubt', async () => {
  answer = ({ socket, path }) => void (path === '/2' || socket.write(response(path, KEPT)));
  const { six, gateway, origin } = await through({ probation: 0, stallMs: 300 });
  expect((await six(6)).map(why)).toEqual(['/0', '/1', '/3', '/4', '/5', 'misbehaved']);
  expect(gateway.takeDoubts()).toEqual([{ origin, answers: 4 }]);
});

it('is asked one at a time until it has answered as often as probation lasts, and then not', async () => {
  answer = ({ socket, path }) => void socket.write(response(path, KEPT));
  const { ask, six } = await through();
  await Promise.all(Array.from({ length: PROBATION.answers }, (_, nth) => ask(`/probation-${nth}`)));
  expect(deepest).toBe(1);
  expect((await six(6)).map(why)).toEqual(SIX);
  expect(deepest).toBe(6);
});

it('does it later: what may be another’s is told once, with how many answers it is', async () => {
  answer = ({ socket, path }) => void socket.write(response(path, KEPT) + (path === '/1' ? response('EVIL', KEPT) : ''));
  const { six, gateway, ask, origin } = await through({ probation: 0 });
  expect((await six(6)).map(why)).toEqual(['/0', '/1', 'EVIL', '/2', '/3', '/4']);
  expect(why(await ask('/next'))).toBe('misbehaved');
  // All but the first, which was alone when it was sent.
  expect(gateway.takeDoubts()).toEqual([{ origin, answers: 5 }]);
  expect(gateway.takeDoubts()).toEqual([]);
});

it('has nothing in doubt that came before the connection had nothing outstanding', async () => {
  answer = ({ socket, path }) => void socket.write(response(path, KEPT) + (path === '/alone' ? response('EVIL', KEPT) : ''));
  const { six, gateway, ask } = await through({ probation: 0 });
  expect((await six(6)).map(why)).toEqual(SIX);
  expect(why(await ask('/alone'))).toBe('/alone');
  expect(why(await ask('/next'))).toBe('misbehaved');
  expect(gateway.takeDoubts()).toEqual([]);
});

it('leaves nothing pipelined in a cache, and a 304 as it says nothing of what was kept', async () => {
  answer = ({ socket, path }) => void socket.write(path === '/5' ? `HTTP/1.1 304 Not Modified\r\n${KEPT}\r\n` : response(path, KEPT));
  const { six } = await through({ probation: 0 });
  const caching = (await six(6)).map(({ headers }) => [headers['cache-control'], headers.etag]);
  expect(caching).toEqual([['max-age=600', '"x"'], ...Array.from({ length: 4 }, () => ['no-store', undefined]), [undefined, undefined]]);
});
