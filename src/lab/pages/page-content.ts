/** Generated content of a recipe: the document, style sheets and scripts that really block, pictures that really decode. */
import { PlumbfoxError } from '../../core/errors.ts';
import type { PageRecipe, RecipeResource } from './page-recipe.ts';

/** The content that a server sends for one address; the body is as long as the recipe says. */
export interface Content {
  readonly contentType: string;
  readonly body: Buffer;
}

/** A 1x1 PNG; decoders stop at IEND, so padding after it makes a valid picture of any size. */
const TINY_PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

const CONTENT_TYPES = {
  stylesheet: 'text/css',
  script: 'text/javascript',
  image: 'image/png',
  font: 'font/woff2',
  fetch: 'application/json',
} as const;

/** Where the page's resources are requested; `origins[i]` is the server of index i, without a slash at its end. */
export interface PageAddress {
  readonly origins: readonly string[];
  /** Path prefix that makes every URL of one load fresh, `/wiki/k3f9/`. */
  readonly prefix: string;
}

/** Absolute, on the resource's own server. */
export function resourceUrl(resource: RecipeResource, address: PageAddress): string {
  return `${address.origins[resource.origin]}${address.prefix}${resource.name}`;
}

/** How the document names a resource of its head or body. */
export function documentTag(resource: RecipeResource, address: PageAddress): string {
  const url = resourceUrl(resource, address);
  switch (resource.kind) {
    case 'stylesheet':
      return `<link rel="stylesheet" href="${url}">`;
    case 'script':
      return `<script src="${url}"></script>`;
    case 'font':
      return `<link rel="preload" as="font" href="${url}" crossorigin>`;
    case 'image':
      return `<img src="${url}" width="20" height="20" alt="">`;
    case 'fetch':
      throw new PlumbfoxError('internal', `${resource.name}: a document cannot fetch by itself, only a script can`);
  }
}

/** The element that makes the browser ask for a resource of a style sheet; `index` is the resource's place in the recipe. */
export const styledBlock = (index: number): string => `<div class="r${index}">&nbsp;</div>`;

/** Filled up with text to the recipe's bytes; longer only where the tags by themselves are. */
export function documentContent(page: PageRecipe, address: PageAddress): Content {
  const named = (place: 'head' | 'body') =>
    page.resources.filter(({ from }) => from === place).map((resource) => documentTag(resource, address));
  const blocks = page.resources.flatMap(({ from }, index) =>
    typeof from === 'object' && 'stylesheet' in from ? [styledBlock(index)] : [],
  );
  const start = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${page.title}</title><link rel="icon" href="data:,">${named('head').join('')}</head><body><h1>${page.title}</h1>`;
  const end = `${blocks.join('')}${named('body').join('')}</body></html>`;
  const paragraph = padding(page.documentBytes - start.length - end.length - '<p></p>'.length, 'Text of the article. ');
  return { contentType: 'text/html; charset=utf-8', body: Buffer.from(`${start}<p>${paragraph}</p>${end}`) };
}

/** The same bytes for the same address, so that offsets in it can be computed. */
export function resourceContent(resource: RecipeResource, page: PageRecipe, address: PageAddress): Content {
  return { contentType: CONTENT_TYPES[resource.kind], body: body(resource, page, address) };
}

function body(resource: RecipeResource, page: PageRecipe, address: PageAddress): Buffer {
  switch (resource.kind) {
    case 'stylesheet': {
      const rules = page.resources.flatMap((other, index) =>
        typeof other.from === 'object' && 'stylesheet' in other.from && other.from.stylesheet === resource.name
          ? [`.r${index}{background-image:url("${resourceUrl(other, address)}")}`]
          : [],
      );
      const css = `body{font-family:sans-serif}${rules.join('')}`;
      return Buffer.from(`${css}/*${padding(resource.bytes - css.length - 4, 'padding ')}*/`);
    }
    case 'script': {
      const asked = page.resources.flatMap((other) =>
        typeof other.from === 'object' && 'script' in other.from && other.from.script === resource.name
          ? [scriptedRequest(other, address)]
          : [],
      );
      const code = `void 0;${asked.join('')}`;
      return Buffer.from(`${code}/*${padding(resource.bytes - code.length - 4, 'padding ')}*/`);
    }
    case 'fetch':
      return kept('data', resource.bytes, jsonText);
    case 'image':
    case 'font':
      return kept('picture', resource.bytes, picture);
  }
}

/** `"data data data"` of that many bytes, two at the least; filled in place, since text of 50 MB takes seconds to make. */
function jsonText(bytes: number): Buffer {
  const text = Buffer.alloc(Math.max(2, bytes), ' data');
  text.write('"', 0);
  text.write('"', text.length - 1);
  return text;
}

function picture(bytes: number): Buffer {
  const padded = Buffer.alloc(Math.max(bytes, TINY_PNG.length));
  TINY_PNG.copy(padded);
  return padded;
}

/** Bodies that depend on nothing but their size, the longest unused first. Making one of 50 MB may take longer than a round trip. */
const bodies = new Map<string, Buffer>();
/** Room for what the widest study serves (1, 10 and 50 MB) twice over. */
const MAX_KEPT_BYTES = 128_000_000;
let keptBytes = 0;

/** One and the same for every request: nothing writes into it. */
function kept(what: 'data' | 'picture', bytes: number, make: (bytes: number) => Buffer): Buffer {
  const key = `${what} ${bytes}`;
  const known = bodies.get(key);
  const body = known ?? make(bytes);
  bodies.delete(key);
  if (body.length > MAX_KEPT_BYTES) return body;
  bodies.set(key, body);
  if (!known) keptBytes += body.length;
  for (const [old, unused] of bodies) {
    if (keptBytes <= MAX_KEPT_BYTES) break;
    bodies.delete(old);
    keptBytes -= unused.length;
  }
  return body;
}

/** The whole answer is taken: unread bytes the browser stops receiving at some point. */
function scriptedRequest(resource: RecipeResource, address: PageAddress): string {
  const url = resourceUrl(resource, address);
  return resource.kind === 'image' ? `new Image().src="${url}";` : `fetch("${url}").then((answer)=>answer.blob());`;
}

function padding(length: number, text: string): string {
  return text.repeat(Math.ceil(Math.max(0, length) / text.length)).slice(0, Math.max(0, length));
}
