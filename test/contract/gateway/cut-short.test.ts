/** What is missing of a response when its connection has ended in the middle of it is fetched again where that is sure to fit, and else missing. */
import { describe, expect, it } from 'vitest';
import { gatewayWith, using } from './support/fixture.ts';
import { response, serveRaw } from './support/servers.ts';

describe('a response that a reset connection has cut short in the middle of a pipeline', () => {
  const body = 'a'.repeat(50_000);
  const ETAG = 'ETag: "x"\r\n';
  /** The first connection sends half of its first response once two are asked for, and is reset; later ones send all, with what `later` says. */
  const cutShort = (first: string, later: string) =>
    serveRaw(({ socket, connection, nth, path }) => {
      if (connection > 1) socket.write(path === '/0' ? response(body, later) : response(path));
      else if (nth === 2) {
        socket.write(response(body, first).slice(0, 30_000));
        // By then the half is through; a reset that overtakes it leaves nothing begun. What has come is read between a timer and what is set after it.
        setTimeout(() => setImmediate(() => socket.resetAndDestroy()), 50);
      }
    });

  it.each([
    ['its ETag', ETAG],
    ['its date', 'Date: Wed, 01 Jan 2025 00:02:00 GMT\r\nLast-Modified: Wed, 01 Jan 2025 00:00:00 GMT\r\n'],
  ])('is completed from another one that is the same by %s', async (_, validator) => {
    const origin = await using(cutShort(validator, validator));
    const { client, gateway } = await gatewayWith({ connections: 1, depth: 2 });
    const [one, two] = await Promise.all(['/0', '/1'].map((path) => client.ask(origin.origin + path)));
    expect(one?.body.toString()).toBe(body);
    expect(two?.body.toString()).toBe('/1');
    expect(gateway.counters().origins[0]).toMatchObject({ requests: 2, repeatedRequests: 2 });
  });

  /** As `cutShort`, by an end that the response has announced: its rest is missing all the same. */
  const endedShort = (first: string) =>
    serveRaw(({ socket, connection, nth, path }) => {
      if (connection > 1) socket.write(path === '/0' ? response(body, ETAG) : response(path));
      else if (nth === 2) socket.end(first.slice(0, 30_000));
    });

  it('is completed where its end was announced', async () => {
    const origin = await using(endedShort(response(body, `${ETAG}Connection: close\r\n`)));
    const { client, gateway } = await gatewayWith({ connections: 1, depth: 2 });
    const [one, two] = await Promise.all(['/0', '/1'].map((path) => client.ask(origin.origin + path)));
    expect(one?.body.toString()).toBe(body);
    expect(two?.body.toString()).toBe('/1');
    expect(gateway.counters().fallbacks.map(({ reason }) => reason)).toEqual(['closed-early']);
  });

  it('is cut short for the client too where its end was announced, and nothing tells its length', async () => {
    const chunks = `c350\r\n${body}\r\n0\r\n\r\n`;
    const origin = await using(endedShort(`HTTP/1.1 200 OK\r\n${ETAG}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}`));
    const { client } = await gatewayWith({ connections: 1, depth: 2 });
    const [one, two] = await Promise.allSettled(['/0', '/1'].map((path) => client.ask(origin.origin + path)));
    expect(one?.status).toBe('rejected');
    expect(two?.status).toBe('fulfilled');
  });

  it.each([
    ['nothing tells whether it is the same', '', ''],
    ['it is another', ETAG, 'ETag: "y"\r\n'],
    ['it is the same only in meaning', 'ETag: W/"x"\r\n', 'ETag: W/"x"\r\n'],
    [
      'it came too soon after a change',
      ...(Array(2).fill('Date: Wed, 01 Jan 2025 00:00:30 GMT\r\nLast-Modified: Wed, 01 Jan 2025 00:00:00 GMT\r\n') as [string, string]),
    ],
    ['it is coded in another way', ETAG, `${ETAG}Content-Encoding: br\r\n`],
  ])('is cut short for the client too where %s', async (_, first, later) => {
    const origin = await using(cutShort(first, later));
    const { client } = await gatewayWith({ connections: 1, depth: 2 });
    const [one, two] = await Promise.allSettled(['/0', '/1'].map((path) => client.ask(origin.origin + path)));
    expect(one?.status).toBe('rejected');
    expect(two?.status).toBe('fulfilled');
  });
});
