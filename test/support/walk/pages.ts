/** What thirty origins answer: all of it follows from the address, so that whoever knows the address knows the bytes. */
import { createHash } from 'node:crypto';
import { type Random, seededRandom } from '../../../src/core/random.ts';
import { FORMS } from '../../contract/gateway/support/response-forms.ts';

/** One well-behaved, one sloppy and one hostile origin each. */
export const SITES = 10;
export type Manners = 'well' | 'sloppy' | 'hostile';
/** Never listed: what it answers, it answers direct. */
export const CONTROL = 'hostile.control.test';

export const hostOf = (site: number, manners: Manners): string => (manners === 'well' ? `s${site}.test` : `${manners}.s${site}.test`);
export const HOSTS: readonly string[] = Array.from({ length: SITES }, (_, site) =>
  (['well', 'sloppy', 'hostile'] as const).map((manners) => hostOf(site, manners)),
).flat();
export const mannersOf = (host: string): Manners =>
  host.startsWith('sloppy.') ? 'sloppy' : host.startsWith('hostile.') ? 'hostile' : 'well';

/** By site, what its hostile origin does. */
export const HOSTILITIES = [
  ['surplus'],
  ['cut', 'cut-head'],
  Object.keys(FORMS).map((_, nth) => `form-${nth}`),
  ['challenge'],
  ['redirects-1', 'redirects-2', 'redirects-5', 'redirects-40'],
  ['endless'],
  ['longer', 'shorter'],
  ['chunk-extension', 'chunk-trailer', 'chunk-zeros', 'chunk-garbage', 'chunk-huge', 'chunk-unended'],
  ['hints'],
  ['slow-head', 'stuck-head'],
] as const;
const SLOPPINESS = ['close', 'old', 'unsized', 'idle', 'max', 'error', 'odd-type', 'dawdle', 'dribble', 'empty', 'no-answer'] as const;
/** As HTTP has it: whole in any case. */
export const PLAIN_WAYS = ['sized', 'sized', 'sized', 'chunked', 'gzip', 'kept', 'checked', 'moved', 'late'] as const;
/** Of a sloppy or hostile origin's answers so many are as they should be: what misbehaves at once is never led through anything. */
const DECENT = 0.8;

export const allWays = (): readonly string[] => [...new Set([...PLAIN_WAYS, ...SLOPPINESS, ...HOSTILITIES.flat()])];

/** `/KIND/NUMBER?WAY` */
export interface Address {
  readonly kind: string;
  readonly way: string;
}
export function parsePath(path: string): Address {
  const [before = '', way = ''] = path.split('?');
  return { kind: before.split('/')[1] ?? '', way };
}

const randomOf = (text: string): Random => seededRandom(createHash('sha256').update(text).digest().readInt32LE());
const one = <T>(random: Random, among: readonly T[]): T => among[random.integer(among.length)] as T;

function wayOf(host: string, random: Random): string {
  const manners = mannersOf(host);
  if (manners === 'well' || random.next() < DECENT) return one(random, PLAIN_WAYS);
  if (manners === 'sloppy') return one(random, SLOPPINESS);
  const site = Number(/\d+/.exec(host)?.[0] ?? 0);
  return one<string>(random, HOSTILITIES[site] ?? []);
}

/** The address of something of a kind, on a site's own origins mostly. */
function addressFrom(site: number, kind: string, random: Random): string {
  const near = random.next() < 0.85 ? site : random.integer(SITES);
  const host = hostOf(near, one(random, ['well', 'well', 'sloppy', 'hostile'] as const));
  return addressAt(host, kind, random);
}
export const addressAt = (host: string, kind: string, random: Random): string =>
  `//${host}:PORT/${kind}/${random.integer(1_000_000)}?${wayOf(host, random)}`;

const filler = (address: string, bytes: number): string =>
  createHash('shake256', { outputLength: Math.ceil(bytes / 2) })
    .update(address)
    .digest('hex');

/** Uncompressed, 16 pixels wide: every byte after the head is a valid picture. */
function picture(address: string, bytes: number): Buffer {
  const rows = Math.max(1, Math.ceil(bytes / 48));
  const head = Buffer.alloc(54);
  head.write('BM');
  for (const [at, value] of [
    [2, 54 + rows * 48],
    [10, 54],
    [14, 40],
    [18, 16],
    [22, rows],
  ] as const)
    head.writeUInt32LE(value, at);
  head.writeUInt16LE(1, 26);
  head.writeUInt16LE(24, 28);
  return Buffer.concat([
    head,
    createHash('shake256', { outputLength: rows * 48 })
      .update(address)
      .digest(),
  ]);
}

function page(host: string, address: string, random: Random, port: number): string {
  const site = Number(/\d+/.exec(host)?.[0] ?? random.integer(SITES));
  const at = (kind: string) => addressFrom(site, kind, random).replace('PORT', String(port));
  const some = (least: number, most: number, make: (nth: number) => string) =>
    Array.from({ length: least + random.integer(most - least + 1) }, (_, nth) => make(nth)).join('\n');
  // Most pictures of a page come from one origin, as they do: those are what is pipelined.
  const album = hostOf(site, one(random, ['well', 'sloppy', 'hostile'] as const));
  const image = () => (random.next() < 0.7 ? addressAt(album, 'image', random).replace('PORT', String(port)) : at('image'));
  const isFrame = address.includes('/frame/');
  const links = some(
    4,
    8,
    () =>
      `<a href="${addressFrom(random.next() < 0.5 ? site : random.integer(SITES), 'page', random).replace('PORT', String(port))}">on</a>`,
  );
  return `<!doctype html><meta charset="utf-8"><title>${address}</title>
${some(0, 2, () => `<link rel="stylesheet" href="${at('style')}">`)}
${some(0, 3, () => `<script src="${at('script')}"></script>`)}
${some(2, isFrame ? 4 : 20, () => `<img src="${image()}" alt="">`)}
${isFrame ? '' : some(0, 2, (nth) => `<iframe name="f${nth}" src="${at('frame')}"></iframe>`)}
<form method="post" action="${at('form')}"><input name="a" value="b"></form>
<form method="post" target="f0" action="${at('form')}"><input name="a" value="b"></form>
${links}
<script>${some(0, 2, () => `fetch("${at('data')}").catch(() => 0);`)}${some(0, 1, () => `fetch("${at('data')}", { method: 'POST', body: 'x' }).catch(() => 0);`)}</script>
<!-- ${filler(address, 200)} -->`;
}

const TYPES: Readonly<Record<string, string>> = {
  page: 'text/html',
  frame: 'text/html',
  form: 'text/html',
  image: 'image/bmp',
  script: 'text/javascript',
  style: 'text/css',
  data: 'text/plain',
};
export const typeOf = (path: string): string => TYPES[parsePath(path).kind] ?? 'text/plain';

/** Whole, as a browser is to have it, without any coding. */
export function bodyOf(host: string, path: string): Buffer {
  const [name = '', port = '80'] = host.split(':');
  const address = host + path;
  const { kind, way } = parsePath(path);
  const random = randomOf(address);
  if (way === 'empty') return Buffer.alloc(0);
  // Their forms have room for four characters.
  if (way.startsWith('form-')) return Buffer.from(filler(address, 4).slice(0, 4));
  const bytes = random.next() < 0.1 ? 20_000 + random.integer(130_000) : 300 + random.integer(8_000);
  if (kind === 'image') return picture(address, bytes);
  if (kind === 'page' || kind === 'frame' || kind === 'form') return Buffer.from(page(name, address, random, Number(port)));
  return Buffer.from(`/* ${address} ${filler(address, bytes)} */`);
}

/** Where it leads; `undefined`: nowhere. */
export function movedTo(host: string, path: string): string | undefined {
  const { kind, way } = parsePath(path);
  const [name = '', port = '80'] = host.split(':');
  const random = randomOf(`to ${host}${path}`);
  const left = way === 'moved' ? 1 : Number(/^redirects-(\d+)$/.exec(way)?.[1] ?? 0);
  if (left === 0) return undefined;
  const number = random.integer(1_000_000);
  if (left > 1) return `http://${host}/${kind}/${number}?redirects-${left - 1}`;
  const site = Number(/\d+/.exec(name)?.[0] ?? 0);
  const to = random.next() < 0.3 ? hostOf(random.integer(SITES), 'well') : hostOf(site, 'well');
  return `http://${to}:${port}/${kind}/${number}?sized`;
}
