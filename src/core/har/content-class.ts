/** The content class of a HAR's request. */
import type { ObservedRequest } from '../graph/observed-load.ts';
import { CONTENT_CLASSES, type ContentClass } from '../graph/page-graph.ts';
import { type Fields, fieldsOf, type Headers, textOf } from './fields.ts';

/** A table by name, made of the names that producers use for each class. */
const byName = (names: Readonly<Partial<Record<ContentClass, readonly string[]>>>): ReadonlyMap<string, ContentClass> =>
  new Map(CONTENT_CLASSES.flatMap((each) => (names[each] ?? []).map((name) => [name, each] as const)));

/** `_resourceType` of Chrome (Network.ResourceType of its protocol) and `_request_type` of WebPageTest, in lower case. */
const RESOURCE_TYPES = byName({
  document: ['document'],
  stylesheet: ['stylesheet'],
  script: ['script'],
  font: ['font'],
  fetch: ['xhr', 'fetch', 'eventsource'],
  image: ['image'],
  media: ['media', 'texttrack'],
  other: ['ping', 'preflight', 'manifest', 'signedexchange', 'cspviolationreport'],
});

/** Request destinations (Fetch standard, "destination"), as `Sec-Fetch-Dest` names them. */
const DESTINATIONS = byName({
  document: ['document', 'iframe', 'frame'],
  stylesheet: ['style', 'xslt'],
  script: ['script', 'worker', 'serviceworker', 'sharedworker'],
  font: ['font'],
  image: ['image'],
  media: ['audio', 'video', 'track', 'object', 'embed'],
  fetch: ['empty', 'json'],
});

const MEDIA_TYPES: readonly (readonly [RegExp, ContentClass])[] = [
  [/^text\/css\b/, 'stylesheet'],
  [/^(?:text|application)\/(?:x-)?(?:java|ecma|j)script\b/, 'script'],
  [/^(?:text\/html|application\/xhtml)\b/, 'document'],
  [/^image\//, 'image'],
  [/^(?:font\/|application\/(?:x-)?font|application\/vnd\.ms-fontobject)/, 'font'],
  [/^(?:audio|video)\/|^application\/x-shockwave-flash\b|mpegurl\b/, 'media'],
  [/^(?:application|text)\/(?:[\w.-]+\+)?(?:json|xml)\b/, 'fetch'],
];

const ENDINGS: readonly (readonly [RegExp, ContentClass])[] = [
  [/\.css$/, 'stylesheet'],
  [/\.m?js$/, 'script'],
  [/\.(?:woff2?|ttf|otf|eot)$/, 'font'],
  [/\.(?:png|jpe?g|gif|webp|avif|svg|ico)$/, 'image'],
  [/\.(?:mp4|webm|mp3|ogg|m4a|m3u8|swf)$/, 'media'],
  [/\.json$/, 'fetch'],
  [/\.x?html?$/, 'document'],
];

const find = (table: readonly (readonly [RegExp, ContentClass])[], text: string): ContentClass | undefined =>
  table.find(([pattern]) => pattern.test(text))?.[1];

/** Characters of a path that are searched for its ending. */
const MAX_ENDING = 12;

/** Takes what the producer states first, then the response's media type, then the address' ending. */
export function classOf(
  entry: Fields,
  parts: { readonly url: string; readonly requestHeaders: Headers },
): Pick<ObservedRequest, 'class' | 'classBasis'> {
  const type = textOf(entry._resourceType) ?? textOf(entry._request_type);
  const destination = parts.requestHeaders.byName.get('sec-fetch-dest');
  const stated = RESOURCE_TYPES.get(type?.toLowerCase() ?? '') ?? DESTINATIONS.get(destination?.toLowerCase() ?? '');
  if (stated !== undefined) return { class: stated, classBasis: 'stated' };
  const mediaType = textOf(fieldsOf(fieldsOf(entry.response).content).mimeType) ?? '';
  const byMediaType = find(MEDIA_TYPES, mediaType.toLowerCase());
  if (byMediaType !== undefined) return { class: byMediaType, classBasis: 'media-type' };
  const path = parts.url.split('?', 1)[0] ?? '';
  const byAddress = find(ENDINGS, path.slice(-MAX_ENDING).toLowerCase());
  return byAddress === undefined ? { class: 'other', classBasis: 'unknown' } : { class: byAddress, classBasis: 'address' };
}
