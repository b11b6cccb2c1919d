/** Pages of the scenarios, and the pictures that they ask for. */
import type { Reply } from '../counting-server.ts';

/** A page is not asked for its icon, which would be counted. */
const HEAD = '<!doctype html><link rel=icon href="data:,">';

export const page = (body: string, headers: Readonly<Record<string, string>> = {}): Reply => ({
  type: 'text/html',
  body: `${HEAD}${body}`,
  headers,
});

/** `<img>` elements for these addresses. */
export const pictures = (addresses: readonly string[]): string => addresses.map((address) => `<img src="${address}">`).join('');

/** `base/0`, `base/1`, ... */
export const numbered = (base: string, count: number): readonly string[] => Array.from({ length: count }, (_, index) => `${base}/${index}`);

/** What a picture is answered with; that it is none does no harm to what is counted. */
export const picture: Reply = { type: 'image/png', body: 'x' };
export const heldPicture: Reply = { ...picture, hold: true };
