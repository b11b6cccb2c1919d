/**
 * From a recipe to the page of a simulation, exactly: every byte offset is computed from the content that the lab's servers send.
 *
 * What Firefox 153 does with such a page, as far as a graph has to know it: what the document names is requested as soon as the bytes of its
 * tag are there, in the head and in the body alike, because the parser looks ahead while a script blocks it. Style sheets and synchronous
 * scripts of the head are Leaders: images wait while one of them is in progress. Synchronous scripts of the body are Unblocked: they neither
 * wait nor hold others back (bug 1793693). A script runs only after the scripts before it and the style sheets before it are there;
 * pictures of a style sheet are requested when the body is styled, which needs every style sheet and script of the head.
 */
import type { Discovery, PageGraph, PageRequest } from '../../core/graph/page-graph.ts';
import { SERVER_ADDRESSES } from '../link/emulated-link.ts';
import { documentRequestBytes, resourceRequestBytes, responseHeadBytes } from './http-heads.ts';
import { type Content, documentContent, documentTag, type PageAddress, resourceContent, styledBlock } from './page-content.ts';
import { originCount, type PageRecipe, PLAIN_SERVER, type RecipeResource } from './page-recipe.ts';
import { type ServedBy, spokenWith } from './served-by.ts';

/** Characters of the part of an address that makes it fresh, in the corpus: the same for every load, so that offsets are. */
export const TOKEN_LENGTH = 12;
/** Id of the page's document among its requests. */
export const DOCUMENT_ID = 'document';

/**
 * @param page - Its requests keep their names as ids; the document is `document`, the servers are `origin-0` and so on.
 * @param servedBy - Decides protocol and TLS; absent: each server speaks what the recipe says. Sizes are those of HTTP/1.1, whose heads are some tens of bytes longer.
 */
export function recipeGraph(page: PageRecipe, servedBy?: ServedBy): PageGraph {
  const address = laneAddress(page);
  const content = documentContent(page, address);
  const document: PageRequest = {
    id: DOCUMENT_ID,
    bytes: responseBytes(content),
    requestBytes: documentRequestBytes(address),
    origin: originName(0),
    class: 'document',
    blocking: false,
    serverMs: page.documentServerMs ?? 0,
  };
  const offsets = offsetsIn(content, { page, address });
  const requests = page.resources.map(
    (resource): PageRequest => ({
      id: resource.name,
      bytes: responseBytes(resourceContent(resource, page, address)),
      requestBytes: resourceRequestBytes(resource, address),
      origin: originName(resource.origin),
      class: resource.kind,
      blocking: resource.from === 'head' && (resource.kind === 'stylesheet' || resource.kind === 'script'),
      serverMs: resource.serverMs ?? 0,
      after: discovery(resource, { page, offsets }),
    }),
  );
  const spoken = (index: number) => (servedBy === undefined ? (page.servers?.[index] ?? PLAIN_SERVER) : spokenWith(servedBy));
  const origins = Object.fromEntries(Array.from({ length: originCount(page) }, (_, index) => [originName(index), spoken(index)]));
  return { requests: [document, ...requests], origins };
}

const responseBytes = (content: Content): number => responseHeadBytes(content) + content.body.length;

/**
 * The time that Firefox's own work adds, ms: medians over the timelines of the corpus (a machine with two cores), of its calibration half only, as
 * predictions are held against the other; a test measures them again.
 * From the document's first byte until its first resources are requested: the answer is handed to the process of the page, whose parser
 * starts. What is named in later bytes is requested within the millisecond, so this is no delay on each.
 */
export const PARSER_START_MS = 19.2;
/** From the last byte of what a script waits for until it has requested something. */
export const SCRIPT_RUN_MS = 5.6;
/** From the last byte of what the first styling of the body waits for until a picture of a style sheet is requested: about a frame. */
export const STYLING_MS = 16.3;

const originName = (index: number): string => `origin-${index}`;

/** Where the lane over emulated packets serves a page. */
export function laneAddress(page: Pick<PageRecipe, 'name'>): PageAddress {
  return { origins: SERVER_ADDRESSES.map((server) => `http://${server}`), prefix: `/${page.name}/${'0'.repeat(TOKEN_LENGTH)}/` };
}

/** The same page with the sizes that its generated content really has, at addresses as long as a lane's. */
export function asSent(recipe: PageRecipe): PageRecipe {
  const address = laneAddress(recipe);
  return {
    ...recipe,
    documentBytes: documentContent(recipe, address).body.length,
    resources: recipe.resources.map((resource) => ({ ...resource, bytes: resourceContent(resource, recipe, address).body.length })),
  };
}

/** Bytes of the document's response, headers included, up to and including what makes the browser ask for each resource. */
type Offsets = ReadonlyMap<RecipeResource, number>;

function offsetsIn(content: Content, { page, address }: { page: PageRecipe; address: PageAddress }): Offsets {
  const head = responseHeadBytes(content);
  const through = (text: string) => {
    const at = content.body.indexOf(text);
    return at < 0 ? undefined : head + at + Buffer.byteLength(text);
  };
  return new Map(
    page.resources.flatMap((resource, index): [RecipeResource, number][] => {
      const { from } = resource;
      const text = typeof from === 'string' ? documentTag(resource, address) : 'stylesheet' in from ? styledBlock(index) : undefined;
      const offset = text === undefined ? undefined : through(text);
      return offset === undefined ? [] : [[resource, offset]];
    }),
  );
}

function discovery(resource: RecipeResource, { page, offsets }: { page: PageRecipe; offsets: Offsets }): readonly Discovery[] {
  const { from } = resource;
  const offset = offsets.get(resource);
  const named = offset === undefined ? [] : [{ id: DOCUMENT_ID, bytes: offset }];
  if (typeof from === 'string') return [...named, { id: DOCUMENT_ID, bytes: 0, delayMs: PARSER_START_MS }];
  if ('script' in from) return beforeRun(page, from.script).map((id) => ({ id, delayMs: SCRIPT_RUN_MS }));
  return [...named, ...beforeStyle(page, from.stylesheet).map((id) => ({ id, delayMs: STYLING_MS }))];
}

const isStyle = ({ kind }: RecipeResource) => kind === 'stylesheet';
const isScript = ({ kind }: RecipeResource) => kind === 'script';

/** What must be there before the body is styled with this sheet: it, and all of the head. */
function beforeStyle(page: PageRecipe, sheet: string): readonly string[] {
  const head = page.resources.filter((each) => each.from === 'head' && (isStyle(each) || isScript(each))).map(({ name }) => name);
  return [...new Set([sheet, ...head])];
}

/** What must be there before this script runs: it, the scripts before it, and the style sheets (all are named before the body). */
function beforeRun(page: PageRecipe, script: string): readonly string[] {
  const inOrder = [...page.resources.filter(({ from }) => from === 'head'), ...page.resources.filter(({ from }) => from === 'body')];
  const before = inOrder
    .slice(
      0,
      inOrder.findIndex(({ name }) => name === script),
    )
    .filter((each) => isStyle(each) || isScript(each));
  return [script, ...before.map(({ name }) => name)];
}
