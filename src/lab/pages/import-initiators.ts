/**
 * Where on a generated page each request of a recorded one goes, and what asks for it there. A recipe knows less than a page does: its
 * style sheets ask for pictures, its scripts for pictures and data, everything else is named by the document.
 */
import type { Discovery, PageRequest } from '../../core/graph/page-graph.ts';
import type { RecipeResource, ResourceKind } from './page-recipe.ts';

export interface Asked {
  readonly request: PageRequest;
  readonly kind: ResourceKind;
  /** The initiator by its id in the graph. */
  readonly from: 'head' | 'body' | { readonly stylesheet: string } | { readonly script: string };
  /** What could not be kept as it was recorded. */
  readonly change?: InitiatorChange;
}

/** A closed set, so that `importChanges` has a sentence for each. */
export type InitiatorChange =
  | 'frame-as-picture'
  | 'media-as-picture'
  | 'named-by-document'
  | 'data-from-a-script'
  | 'data-as-picture'
  | 'initiator-not-kept';

interface RecordedPage {
  /** In the order of the page, the document and its redirects included. */
  readonly requests: readonly PageRequest[];
  readonly documentId: string;
  /** Ids of requests that were answered with a redirect. */
  readonly redirects: ReadonlySet<string>;
}

/** Every request but the document and the redirects, in the order of the page. */
export function requestsWithInitiators(facts: RecordedPage): readonly Asked[] {
  const { requests, documentId, redirects } = facts;
  const byId = new Map(requests.map((request) => [request.id, request]));
  const asked: Asked[] = [];
  let lastScript: string | undefined;
  for (const request of requests) {
    if (request.id === documentId || redirects.has(request.id)) continue;
    const placed = place(request, { initiator: initiatorOf(request, byId, facts), lastScript });
    asked.push(placed);
    if (placed.kind === 'script') lastScript = request.id;
  }
  return asked;
}

/** The nearest script or style sheet that can ask for it here; `undefined`: the document. */
interface Initiator {
  readonly by: PageRequest | undefined;
  /** The record has another between the two, which asks for nothing on a generated page. */
  readonly skipped: boolean;
}

/** Every dependency is on an earlier request, so this ends. */
function initiatorOf(request: PageRequest, byId: ReadonlyMap<string, PageRequest>, { documentId, redirects }: RecordedPage): Initiator {
  let at = request;
  let skipped = false;
  for (;;) {
    const before = dependencies(at).flatMap(({ id }) => byId.get(id) ?? []);
    const able = before.filter((each) => !redirects.has(each.id) && canAsk(each, request));
    // A picture that waits for a style sheet and a script is the style sheet's: the script only holds up the layout.
    const by = able.find((each) => each.class === 'stylesheet') ?? able[0];
    if (by !== undefined) return { by, skipped };
    const next = before.find(({ id }) => id !== documentId);
    if (next === undefined) return { by: undefined, skipped };
    skipped ||= !redirects.has(next.id);
    at = next;
  }
}

const dependencies = ({ after = [] }: PageRequest): readonly Discovery[] => ('id' in after ? [after] : after);

/** What a generated style sheet or script can ask for. */
function canAsk(initiator: PageRequest, request: PageRequest): boolean {
  const kind = kindOf(request);
  return initiator.class === 'stylesheet' ? kind === 'image' : initiator.class === 'script' && (kind === 'image' || kind === 'fetch');
}

/** Frames, media and whatever else there is are pictures: of no kind of its own, and nothing waits for it. */
function kindOf({ class: kind = 'other' }: PageRequest): ResourceKind {
  switch (kind) {
    case 'stylesheet':
    case 'script':
    case 'font':
    case 'fetch':
    case 'image':
      return kind;
    case 'document':
    case 'media':
    case 'other':
      return 'image';
  }
}

interface Place {
  readonly initiator: Initiator;
  /** The last before it on the page. */
  readonly lastScript: string | undefined;
}

function place(request: PageRequest, { initiator: { by, skipped }, lastScript }: Place): Asked {
  const kind = kindOf(request);
  if (by !== undefined) {
    const from = by.class === 'stylesheet' ? { stylesheet: by.id } : { script: by.id };
    return { request, kind, from, ...changed(skipped ? 'initiator-not-kept' : pictureOf(request)) };
  }
  if (kind === 'fetch') {
    // A document cannot fetch by itself.
    return lastScript === undefined
      ? { request, kind: 'image', from: 'body', change: 'data-as-picture' }
      : { request, kind, from: { script: lastScript }, change: 'data-from-a-script' };
  }
  return { request, kind, from: placeInDocument(request, kind), ...changed(skipped ? 'named-by-document' : pictureOf(request)) };
}

const changed = (change: InitiatorChange | undefined): { readonly change?: InitiatorChange } => (change === undefined ? {} : { change });

function pictureOf({ class: kind = 'other' }: PageRequest): InitiatorChange | undefined {
  if (kind === 'document') return 'frame-as-picture';
  return kind === 'media' || kind === 'other' ? 'media-as-picture' : undefined;
}

/** Style sheets block unless the record knows better, scripts only if it says so (as `PageRequest.blocking` has it). */
function placeInDocument({ blocking }: PageRequest, kind: Exclude<ResourceKind, 'fetch'>): Extract<RecipeResource['from'], string> {
  switch (kind) {
    case 'stylesheet':
      return blocking === false ? 'body' : 'head';
    case 'script':
      return blocking === true ? 'head' : 'body';
    case 'font':
      return 'head';
    case 'image':
      return 'body';
  }
}
