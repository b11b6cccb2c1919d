/**
 * A recorded page load (HAR) as a page recipe of the lab: sizes, servers, kinds, and what asks for what, by the same rules as page graphs
 * (docs/page-graphs.md). Nothing of the record's addresses, titles or contents is kept. A recipe cannot hold all that a page does: what had
 * to be changed is listed.
 */

import { isDeepStrictEqual } from 'node:util';
import { PlumbfoxError } from '../../core/errors.ts';
import { inferPage } from '../../core/graph/infer-page.ts';
import type { Inference } from '../../core/graph/inference.ts';
import type { PageRequest } from '../../core/graph/page-graph.ts';
import { placeLoad } from '../../core/graph/place-requests.ts';
import { loadFromHar } from '../../core/har/page-from-har.ts';
import { counted } from '../../core/text/figures.ts';
import { responseHeadBytes } from './http-heads.ts';
import { type Asked, type InitiatorChange, requestsWithInitiators } from './import-initiators.ts';
import { type Content, documentContent, resourceContent } from './page-content.ts';
import {
  bodyBytes,
  MAX_ORIGINS,
  MAX_SERVER_MS,
  originCount,
  type PageRecipe,
  PLAIN_SERVER,
  parseRecipe,
  type RecipeResource,
  type RecipeServer,
  type ResourceKind,
  requestCount,
  serversOf,
} from './page-recipe.ts';
import { asSent, laneAddress } from './recipe-graph.ts';
import { asServed, commonServer } from './served-by.ts';

interface ImportHarOptions {
  /** Name of the recipe: letters, digits, dots, dashes and underscores. */
  readonly name: string;
  /** Which page of a HAR with several to take; absent: the first that has requests. */
  readonly pageId?: string | undefined;
}

export interface ImportedPage {
  readonly recipe: PageRecipe;
  /** What is not as it was recorded, a sentence each. */
  readonly changes: readonly string[];
  /** What the record left open. */
  readonly inferred: readonly Inference[];
}

/** @throws PlumbfoxError `bad-input`, one line: no HAR, no such page, nothing that was answered, or more than a recipe can hold. */
export function importHar(har: unknown, { name, pageId }: ImportHarOptions): ImportedPage {
  const { document, asked, redirects, inferred, spokenBy } = askedOnPage(har, pageId);
  const moved = movedToDocument(asked, document);
  const originOf = (request: PageRequest): string => (moved.has(request.id) ? document : request).origin ?? '';
  const servers = numberServers([document, ...asked.map(({ request }) => request)].map(originOf), originOf(document));
  const names = namesOf(asked);
  const spoken = serversSpeaking(servers.numberOf, spokenBy);
  const wanted: PageRecipe = {
    name,
    title: 'Imported page',
    documentBytes: document.bytes,
    ...(document.serverMs !== undefined && { documentServerMs: serverMs(document.serverMs) }),
    resources: asked.map(({ request, kind, from }) => ({
      name: nameOf(names, request.id),
      kind,
      bytes: request.bytes,
      origin: servers.numberOf.get(originOf(request)) ?? 0,
      from: fromOf(from, names),
      ...(request.serverMs !== undefined && { serverMs: serverMs(request.serverMs) }),
    })),
    ...spoken,
  };
  const title = `${wanted.title}: ${counted(requestCount(wanted), 'request')}, ${counted(originCount(wanted), 'server')}`;
  const body = bodiesOf({ ...wanted, title });
  const recipe = parseRecipe(asSent(body));
  const facts = {
    asked,
    redirects: redirects.size,
    moved: moved.size,
    folded: servers.folded,
    respoken: asked.filter(({ request }, at) => !isDeepStrictEqual(spokenBy(request.origin), serversOf(recipe)[at + 1])).length,
    spoken: serversOf(recipe),
    grownBytes: bodyBytes(recipe) - bodyBytes(body),
  };
  return { recipe, changes: importChanges(facts), inferred };
}

interface AskedOnPage {
  readonly document: PageRequest;
  readonly asked: readonly Asked[];
  readonly redirects: ReadonlySet<string>;
  readonly inferred: readonly Inference[];
  readonly spokenBy: (origin: string | undefined) => RecipeServer;
}

/** Requests and servers are named by their numbers: no address gets in. */
function askedOnPage(har: unknown, pageId: string | undefined): AskedOnPage {
  const load = loadFromHar(har, pageId);
  const documentId = String(placeLoad(load).document + 1);
  const redirects = new Set<string>();
  const { page, inferred } = inferPage(load, {
    id: ({ outcome }, number) => {
      if (outcome === 'redirected') redirects.add(String(number));
      return String(number);
    },
    origin: (_, number) => String(number),
  });
  const document = page.requests.find(({ id }) => id === documentId);
  if (document === undefined) throw new PlumbfoxError('internal', 'The document of the record is not among its requests');
  const spokenBy = (origin = ''): RecipeServer => {
    const { protocol, tls } = { ...PLAIN_SERVER, ...page.origins?.[origin] };
    return { protocol, tls };
  };
  return { document, asked: requestsWithInitiators({ requests: page.requests, documentId, redirects }), redirects, inferred, spokenBy };
}

/** Those that keep their own number say what it speaks: the first of each. Nothing where all are the lab's own. */
function serversSpeaking(numberOf: ReadonlyMap<string, number>, spokenBy: AskedOnPage['spokenBy']): Pick<PageRecipe, 'servers'> {
  const own = new Map([...numberOf].toReversed().map(([origin, number]) => [number, spokenBy(origin)]));
  const servers = [...own].sort(([a], [b]) => a - b).map(([, server]) => server);
  return servers.every((server) => isDeepStrictEqual(server, PLAIN_SERVER)) ? {} : { servers };
}

/** Ids of what a recipe can have on the document's server only (see `RecipeResource`) and the record has elsewhere. */
function movedToDocument(asked: readonly Asked[], document: PageRequest): ReadonlySet<string> {
  const asking = new Set(asked.flatMap(({ from }) => (typeof from === 'object' && 'stylesheet' in from ? [from.stylesheet] : [])));
  const bound = asked.filter(({ request, kind }) => kind === 'font' || kind === 'fetch' || asking.has(request.id));
  return new Set(bound.filter(({ request }) => request.origin !== document.origin).map(({ request }) => request.id));
}

const NAMES: Readonly<Record<ResourceKind, readonly [stem: string, ending: string]>> = {
  stylesheet: ['style', 'css'],
  script: ['script', 'js'],
  image: ['picture', 'png'],
  font: ['font', 'woff2'],
  fetch: ['data', 'json'],
};

/** `style-1.css`, each kind counted for itself; by id. */
function namesOf(asked: readonly Asked[]): ReadonlyMap<string, string> {
  const counts = new Map<ResourceKind, number>();
  return new Map(
    asked.map(({ request, kind }) => {
      const number = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, number);
      const [stem, ending] = NAMES[kind];
      return [request.id, `${stem}-${number}.${ending}`];
    }),
  );
}

function nameOf(names: ReadonlyMap<string, string>, id: string): string {
  const name = names.get(id);
  if (name === undefined) throw new PlumbfoxError('internal', `Request ${id} is asked for by what is not on the page`);
  return name;
}

function fromOf(from: Asked['from'], names: ReadonlyMap<string, string>): RecipeResource['from'] {
  if (typeof from === 'string') return from;
  return 'stylesheet' in from ? { stylesheet: nameOf(names, from.stylesheet) } : { script: nameOf(names, from.script) };
}

/** Rounded to tenths, which is finer than records are, and cut to what a recipe can hold. */
const serverMs = (recorded: number): number => Math.min(MAX_SERVER_MS, Math.round(10 * recorded) / 10);

/** From whole responses to bodies: the lab's servers send their own heads, and responses are to be as long as those recorded. */
function bodiesOf(whole: PageRecipe): PageRecipe {
  // A shorter body may have a digit less in its length, and then the head is shorter too.
  return lessHeads(whole, lessHeads(whole, whole));
}

/** @param sized has the bodies whose heads are to be taken off. */
function lessHeads(whole: PageRecipe, sized: PageRecipe): PageRecipe {
  const address = laneAddress(sized);
  const body = (bytes: number, content: Content) => Math.max(0, bytes - responseHeadBytes(content));
  const resources = whole.resources.map((resource, at) => ({
    ...resource,
    bytes: body(resource.bytes, resourceContent(sized.resources[at] ?? resource, sized, address)),
  }));
  return { ...whole, documentBytes: body(whole.documentBytes, documentContent(sized, address)), resources };
}

/** The servers of a recorded page as those of a recipe: numbered, the document's first, as many as the lab has addresses. */
interface NumberedServers {
  readonly numberOf: ReadonlyMap<string, number>;
  /** Servers of the record that share the number of another. */
  readonly folded: number;
}

/**
 * Those with the most requests keep their own number; each of the others joins whichever of them, the document's set aside, has the
 * fewest requests by then: many servers of one or two requests stay several servers of a few.
 *
 * @param origins of each request, in the order of the page; the document's need not be the first.
 */
export function numberServers(origins: readonly string[], documentOrigin: string): NumberedServers {
  const counts = new Map<string, number>();
  for (const origin of origins) counts.set(origin, (counts.get(origin) ?? 0) + 1);
  // `sort` keeps the order of the page among equals.
  const others = [...counts].filter(([origin]) => origin !== documentOrigin).sort((a, b) => b[1] - a[1]);
  const numbered = others.slice(0, MAX_ORIGINS - 1);
  const numberOf = new Map([[documentOrigin, 0], ...numbered.map(([origin], at): [string, number] => [origin, at + 1])]);
  const loads = numbered.map(([, count]) => count);
  const folded = others.slice(MAX_ORIGINS - 1);
  for (const [origin, count] of folded) {
    const least = loads.indexOf(Math.min(...loads));
    numberOf.set(origin, least + 1);
    loads[least] = (loads[least] ?? 0) + count;
  }
  return { numberOf, folded: folded.length };
}

interface ImportCounts {
  readonly asked: readonly Asked[];
  readonly redirects: number;
  /** Requests moved to the document's server. */
  readonly moved: number;
  /** Servers that share the number of another. */
  readonly folded: number;
  /** Requests whose server there spoke another protocol than the one here. */
  readonly respoken: number;
  /** What the server of each request speaks here. */
  readonly spoken: readonly RecipeServer[];
  /** How much larger the content is than recorded, as it has to hold the names of what it asks for. */
  readonly grownBytes: number;
}

const INITIATOR_CHANGES: Readonly<Record<InitiatorChange, string>> = {
  'frame-as-picture': 'a frame there, a picture here: nothing in it asks for more',
  'media-as-picture': 'media, or of no known kind, there; a picture here',
  'named-by-document': 'asked for by a script, style sheet, frame or answer there; named by the document, and so asked for earlier, here',
  'data-from-a-script': 'data that no script is known to have asked for; asked for by the last script before it here',
  'data-as-picture': 'data before any script there, a picture here',
  'initiator-not-kept': 'what asked for it there asks for nothing here; asked for by the script or style sheet before that',
};

/** The lab serves a page over one protocol: how many requests that is not true to. */
function protocolChange(spoken: readonly RecipeServer[]): readonly string[] {
  const { server, others } = commonServer(spoken);
  if (others === 0 && isDeepStrictEqual(server, PLAIN_SERVER)) return [];
  const beside = others === 0 ? '' : `, which ${others} of the ${counted(spoken.length, 'request')} did not use`;
  return [`plumbfox predict keeps each server's protocol. tune serves the page over one, by --protocol ${asServed(server)}${beside}.`];
}

/** Below this share the growth would not show in a load time, bytes. Chosen, not measured. */
const MIN_GROWTH_BYTES = 1000;

export function importChanges({ asked, redirects, moved, folded, respoken, spoken, grownBytes }: ImportCounts): readonly string[] {
  return [
    ...(redirects > 0 ? [`${counted(redirects, 'redirect')} excluded: what they lead to is requested instead.`] : []),
    ...(folded > 0
      ? [`${counted(folded, 'server')} folded into others, as the lab has ${MAX_ORIGINS}: those with the fewest requests share one.`]
      : []),
    ...(moved > 0
      ? [`${counted(moved, 'request')} moved to the document's server, where fonts, data, and style sheets that ask for pictures must be.`]
      : []),
    ...(respoken > 0 ? [`${counted(respoken, 'request')} at a server that speaks another protocol than the one there did.`] : []),
    ...protocolChange(spoken),
    ...(Object.keys(INITIATOR_CHANGES) as InitiatorChange[]).flatMap((change) => {
      const count = asked.filter((one) => one.change === change).length;
      return count === 0 ? [] : [`${counted(count, 'request')}: ${INITIATOR_CHANGES[change]}.`];
    }),
    ...(grownBytes >= MIN_GROWTH_BYTES
      ? [`${Math.round(grownBytes / 1000)} kB larger than recorded: names of what is asked for take more room than compressed ones did.`]
      : []),
  ];
}
