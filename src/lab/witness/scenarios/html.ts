/** Pages of the scenarios, and the pictures that they ask for. */
import type { Reply } from '../counting-server.ts';

/** A page is not asked for its icon, which would be counted. */
const HEAD = '<!doctype html><link rel=icon href="data:,">';

export const page = (body: string, headers: Readonly<Record<string, string>> = {}): Reply => ({
  type: 'text/html',
  body: `${HEAD}${body}`,
  headers,
});

/** A page of which Firefox gets the rest when `middle` has settled: what it does for the beginning has begun by then, on a busy machine too. */
export const pageInTwo = (beginning: string, rest: string, middle: () => Promise<void>): Reply => ({
  write: (response) => {
    // Without a character set, Firefox waits for 1 kB to guess one from.
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
    const stream = response as NodeJS.WritableStream;
    stream.write(`${HEAD}${beginning}`);
    // Where it does not settle, the scenario itself waits in vain, and says so.
    middle().then(
      () => stream.end(rest),
      () => stream.end(),
    );
  },
});

/** `<img>` elements for these addresses. */
export const pictures = (addresses: readonly string[]): string => addresses.map((address) => `<img src="${address}">`).join('');

/** `base/0`, `base/1`, ... */
export const numbered = (base: string, count: number): readonly string[] => Array.from({ length: count }, (_, index) => `${base}/${index}`);

/** What a picture is answered with; that it is none does no harm to what is counted. */
export const picture: Reply = { type: 'image/png', body: 'x' };
export const heldPicture: Reply = { ...picture, hold: true };
