/**
 * A page of the lab: what is on it, how large, on which server, and what must have arrived before it is requested.
 * The shape follows real pages; the content is generated.
 */
import * as v from 'valibot';
import { PlumbfoxError } from '../../core/errors.ts';
import type { Shape } from '../../core/schema.ts';

/** The lab has this many server addresses. */
export const MAX_ORIGINS = 12;
/** Larger than any object of a study; a server holds its bodies in memory. */
const MAX_BODY_BYTES = 200_000_000;
/** A server may hold an answer back for a minute: no load is recorded for longer. */
export const MAX_SERVER_MS = 60_000;
const MAX_RESOURCES = 2000;

/** One part of a path, safe in every place where a document or a style sheet names it. */
const pathPart = v.pipe(v.string(), v.regex(/^[A-Za-z0-9._-]{1,120}$/, 'must be of letters, digits, dots, dashes and underscores'));
const bytes = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(MAX_BODY_BYTES));
const serverMs = v.pipe(v.number(), v.minValue(0), v.maxValue(MAX_SERVER_MS));

const resource = v.strictObject({
  /** File name, unique on the page. */
  name: pathPart,
  kind: v.picklist(['stylesheet', 'script', 'image', 'font', 'fetch']),
  /** Body bytes. */
  bytes,
  /**
   * Index of the server; 0 serves the document. Fonts and fetches must be there too: across servers Firefox asks for them without
   * credentials, on connections of their own that the limit per server does not count together with the others.
   */
  origin: v.pipe(
    v.number(),
    v.integer(),
    v.minValue(0),
    v.maxValue(MAX_ORIGINS - 1, `the lab has ${MAX_ORIGINS} servers, numbered 0 to ${MAX_ORIGINS - 1}`),
  ),
  /** Time the server thinks before it answers. */
  serverMs: v.exactOptional(serverMs),
  /**
   * `head`: named in the document's head (style sheets and scripts there block rendering); `body`: in the body, in order;
   * or the name of the style sheet or the script that asks for it (a script for pictures and fetches). Such a style sheet must be on
   * the document's server: Firefox shows a page nothing of the timing of what other servers' style sheets ask for, and
   * a load without it cannot be measured to its end.
   */
  from: v.union([v.picklist(['head', 'body']), v.strictObject({ stylesheet: pathPart }), v.strictObject({ script: pathPart })]),
});
export type RecipeResource = Shape<typeof resource>;
export type ResourceKind = RecipeResource['kind'];

const server = v.strictObject({ protocol: v.picklist(['http/1.1', 'http/2', 'http/3']), tls: v.picklist(['none', '1.2', '1.3']) });
export type RecipeServer = Shape<typeof server>;
/** What the lab's own server speaks. */
export const PLAIN_SERVER: RecipeServer = { protocol: 'http/1.1', tls: 'none' };

const recipe = v.strictObject({
  name: pathPart,
  title: v.pipe(v.string(), v.regex(/^[^<>&]{1,200}$/, 'must be text without <, > and &')),
  /** Body bytes of the document. */
  documentBytes: bytes,
  documentServerMs: v.exactOptional(serverMs),
  resources: v.pipe(v.array(resource), v.maxLength(MAX_RESOURCES)),
  /** What each server spoke, by its index; absent: all are `PLAIN_SERVER`. Only predictions read it: the lab serves a page over one protocol. */
  servers: v.exactOptional(v.pipe(v.array(server), v.maxLength(MAX_ORIGINS))),
});
export type PageRecipe = Shape<typeof recipe>;

/** Resources alike except for names and sizes. @param name - `*` stands for the number of each, from 0. */
export const several = (
  name: string,
  sizes: readonly number[],
  { kind, origin, from, serverMs }: Omit<RecipeResource, 'name' | 'bytes'>,
): readonly RecipeResource[] =>
  sizes.map((bytes, index) => ({
    ...{ name: name.replace('*', String(index)), kind, bytes, origin, from },
    ...(serverMs !== undefined && { serverMs }),
  }));

/** The list over and over, up to this length. */
export const repeated = (list: readonly number[], length: number): readonly number[] =>
  Array.from({ length }, (_, index) => list[index % list.length] ?? 0);

/** Counts the document and its resources. */
export const requestCount = (page: PageRecipe): number => page.resources.length + 1;

/** Counts the servers of a page, the document's included. */
export const originCount = (page: PageRecipe): number => new Set([0, ...page.resources.map(({ origin }) => origin)]).size;

/** Sums the bodies of a page, the document's included. */
export const bodyBytes = (page: PageRecipe): number => page.resources.reduce((sum, { bytes }) => sum + bytes, page.documentBytes);

/** What the server of each request spoke, the document's first. */
export const serversOf = ({ resources, servers }: PageRecipe): readonly RecipeServer[] =>
  [0, ...resources.map(({ origin }) => origin)].map((origin) => servers?.[origin] ?? PLAIN_SERVER);

/** Whether a script asks for data: no load event waits for that, so the network may fall silent for a round trip before the page is done. */
export const asksForData = (page: PageRecipe): boolean => page.resources.some(({ kind }) => kind === 'fetch');

/**
 * A recipe from outside this process: studies send their own to the servers, and HARs are made into them. Also holds what the fields must be
 * to each other; see `RecipeResource`.
 */
export const pageRecipeSchema: v.GenericSchema<unknown, PageRecipe> = v.pipe(
  recipe,
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const complaint = unfit(dataset.value);
    if (complaint !== undefined) addIssue({ message: complaint });
  }),
);

/** @returns what is wrong with the resources of a page, in words; `undefined`: nothing is. */
function unfit({ resources, servers }: PageRecipe): string | undefined {
  const byName = new Map(resources.map((each) => [each.name, each]));
  if (byName.size < resources.length) return 'two resources have the same name';
  for (const each of resources) {
    const complaint = misplaced(each, byName);
    if (complaint !== undefined) return `${each.name} ${complaint}`;
  }
  const known = servers?.length ?? MAX_ORIGINS;
  const unknown = [0, ...resources.map(({ origin }) => origin)].find((origin) => origin >= known);
  if (unknown !== undefined) return `nothing is said of server ${unknown}`;
  return undefined;
}

type ByName = ReadonlyMap<string, RecipeResource>;

function misplaced({ kind, origin, from }: RecipeResource, byName: ByName): string | undefined {
  if ((kind === 'font' || kind === 'fetch') && origin !== 0) return `is a ${kind} and must be on the document's server`;
  if (typeof from === 'string') return kind === 'fetch' ? 'is a fetch and must be asked for by a script' : undefined;
  const [wanted, initiator] = 'stylesheet' in from ? (['stylesheet', from.stylesheet] as const) : (['script', from.script] as const);
  const asking = byName.get(initiator);
  if (asking?.kind !== wanted) return `is asked for by ${initiator}, which is no ${wanted} of the page`;
  if (wanted === 'stylesheet' && asking.origin !== 0) return `is asked for by ${initiator}, which must be on the document's server`;
  if (wanted === 'stylesheet' && kind !== 'image') return 'is asked for by a style sheet, which asks for pictures only';
  if (wanted === 'script' && kind !== 'image' && kind !== 'fetch') return 'is asked for by a script, which asks for pictures and data only';
  return undefined;
}

/** The longest message, in characters. Chosen, not measured. */
const MAX_WORDS = 500;

/** @throws PlumbfoxError `bad-input` naming the recipe and what is wrong with it. */
export function parseRecipe(value: unknown): PageRecipe {
  const result = v.safeParse(pageRecipeSchema, value);
  if (result.success) return result.output;
  const [issue] = result.issues;
  const path = v.getDotPath(issue);
  const name = v.safeParse(v.object({ name: v.string() }), value);
  const which = name.success ? `The page recipe "${name.output.name.slice(0, 120)}"` : 'A page recipe';
  // Both quote the file, which may hold anything.
  const words = `${which} cannot be served${path ? ` (${path})` : ''}: ${issue.message}`.replaceAll(/\s+/g, ' ');
  throw new PlumbfoxError('bad-input', words.slice(0, MAX_WORDS));
}
