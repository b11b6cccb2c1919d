/** Where requests of a recorded page go on a generated one, and what is said of it. */
import { describe, expect, it } from 'vitest';
import type { ContentClass, PageRequest } from '../../../../src/core/graph/page-graph.ts';
import { importChanges, numberServers } from '../../../../src/lab/pages/import-har.ts';
import { type Asked, type InitiatorChange, requestsWithInitiators } from '../../../../src/lab/pages/import-initiators.ts';

type Said = Partial<Omit<PageRequest, 'id' | 'class' | 'after'>>;

/** `after`: ids of what it waits for. */
function request(id: string, kind: ContentClass | undefined, after: string | readonly string[] = [], more: Said = {}): PageRequest {
  const needed = typeof after === 'string' ? { id: after } : after.map((each) => ({ id: each }));
  return { id, bytes: 100, ...(kind !== undefined && { class: kind }), after: needed, ...more };
}

const DOCUMENT: PageRequest = { id: 'doc', bytes: 100, class: 'document' };

function placed(requests: readonly PageRequest[], redirects: readonly string[] = []) {
  const asked = requestsWithInitiators({ requests: [DOCUMENT, ...requests], documentId: 'doc', redirects: new Set(redirects) });
  return asked.map(({ request: { id }, ...others }) => ({ id, ...others }));
}
const last = (requests: readonly PageRequest[], redirects: readonly string[] = []) => placed(requests, redirects).at(-1);

describe('what the document names', () => {
  it.each<readonly [PageRequest, object]>([
    [request('a', 'stylesheet', 'doc'), { kind: 'stylesheet', from: 'head' }],
    [request('a', 'stylesheet', 'doc', { blocking: true }), { kind: 'stylesheet', from: 'head' }],
    [request('a', 'stylesheet', 'doc', { blocking: false }), { kind: 'stylesheet', from: 'body' }],
    [request('a', 'script', 'doc'), { kind: 'script', from: 'body' }],
    [request('a', 'script', 'doc', { blocking: true }), { kind: 'script', from: 'head' }],
    [request('a', 'script', 'doc', { blocking: false }), { kind: 'script', from: 'body' }],
    [request('a', 'font', 'doc'), { kind: 'font', from: 'head' }],
    [request('a', 'image', 'doc'), { kind: 'image', from: 'body' }],
    [request('a', 'document', 'doc'), { kind: 'image', from: 'body', change: 'frame-as-picture' }],
    [request('a', 'media', 'doc'), { kind: 'image', from: 'body', change: 'media-as-picture' }],
    [request('a', 'other', 'doc'), { kind: 'image', from: 'body', change: 'media-as-picture' }],
    [request('a', undefined, 'doc'), { kind: 'image', from: 'body', change: 'media-as-picture' }],
    [request('a', 'fetch', 'doc'), { kind: 'image', from: 'body', change: 'data-as-picture' }],
    // Of nothing, or of what is not on the page.
    [
      { id: 'a', bytes: 100, class: 'image' },
      { kind: 'image', from: 'body' },
    ],
    [request('a', 'image', 'gone'), { kind: 'image', from: 'body' }],
  ])('%j', (one, expected) => {
    expect(placed([one])).toStrictEqual([{ id: 'a', ...expected }]);
  });
});

describe('what asks', () => {
  const SHEET = request('css', 'stylesheet', 'doc');
  const SCRIPT = request('js', 'script', 'doc');
  const bySheet = { id: 'x', from: { stylesheet: 'css' } };
  const byScript = { id: 'x', from: { script: 'js' } };

  it('is a style sheet for pictures alone', () => {
    for (const [kind, change] of [
      ['image', undefined],
      ['document', 'frame-as-picture'],
      ['media', 'media-as-picture'],
    ] as const) {
      const said = change === undefined ? {} : { change };
      expect(last([SHEET, request('x', kind, 'css')])).toStrictEqual({ ...bySheet, kind: 'image', ...said });
    }
    for (const [kind, from] of [
      ['font', 'head'],
      ['stylesheet', 'head'],
      ['script', 'body'],
    ] as const) {
      expect(last([SHEET, request('x', kind, 'css')])).toStrictEqual({ id: 'x', kind, from, change: 'named-by-document' });
    }
    expect(last([SHEET, request('x', 'fetch', 'css')])).toStrictEqual({
      ...{ id: 'x', kind: 'image', from: 'body', change: 'data-as-picture' },
    });
  });

  it('is a script for pictures and data', () => {
    for (const kind of ['image', 'fetch'] as const) {
      expect(last([SCRIPT, request('x', kind, 'js')])).toStrictEqual({ ...byScript, kind });
    }
    for (const [kind, from] of [
      ['font', 'head'],
      ['stylesheet', 'head'],
      ['script', 'body'],
    ] as const) {
      expect(last([SCRIPT, request('x', kind, 'js')])).toStrictEqual({ id: 'x', kind, from, change: 'named-by-document' });
    }
  });

  it('is the style sheet where a picture waits for both, in either order, and the script for data', () => {
    for (const after of [
      ['js', 'css'],
      ['css', 'js'],
    ]) {
      expect(last([SHEET, SCRIPT, request('x', 'image', after)])).toStrictEqual({ ...bySheet, kind: 'image' });
      expect(last([SHEET, SCRIPT, request('x', 'fetch', after)])).toStrictEqual({ ...byScript, kind: 'fetch' });
    }
  });

  it('is the nearest that can, and that another was between is said', () => {
    const data = request('json', 'fetch', 'js');
    expect(last([SCRIPT, data, request('x', 'image', 'json')])).toStrictEqual({ ...byScript, kind: 'image', change: 'initiator-not-kept' });
    expect(last([SCRIPT, data, request('x', 'media', 'json')])).toStrictEqual({ ...byScript, kind: 'image', change: 'initiator-not-kept' });
    expect(last([SCRIPT, data, request('x', 'fetch', ['doc', 'json'])])).toStrictEqual({
      ...{ ...byScript, kind: 'fetch', change: 'initiator-not-kept' },
    });
    // A frame asks for nothing here.
    expect(last([request('frame', 'document', 'doc'), request('x', 'image', 'frame')])).toStrictEqual({
      ...{ id: 'x', kind: 'image', from: 'body', change: 'named-by-document' },
    });
  });

  it('is for data that no script asked for the last script before it', () => {
    const later = [request('js2', 'script', 'doc'), request('pic', 'image', 'doc'), request('x', 'fetch', 'doc')];
    expect(last([SCRIPT, ...later])).toStrictEqual({ id: 'x', kind: 'fetch', from: { script: 'js2' }, change: 'data-from-a-script' });
    expect(placed([request('x', 'fetch', 'doc'), SCRIPT])[0]).toStrictEqual({
      ...{ id: 'x', kind: 'image', from: 'body', change: 'data-as-picture' },
    });
  });
});

describe('redirects', () => {
  it('are no requests of the page, and what they led to is asked for by who asked for them', () => {
    // Named for what they led to, but no script and no style sheet.
    const sheet = request('css', 'stylesheet', 'doc');
    const hops = [request('hop', 'script', 'css'), request('hop2', 'stylesheet', 'hop')];
    expect(placed([sheet, ...hops, request('x', 'image', 'hop2')], ['hop', 'hop2'])).toStrictEqual([
      { id: 'css', kind: 'stylesheet', from: 'head' },
      { id: 'x', kind: 'image', from: { stylesheet: 'css' } },
    ]);
  });

  it('of the document are followed to it, and nothing of that is a change', () => {
    const requests = [request('hop', 'document'), { ...DOCUMENT, after: { id: 'hop' } }, request('x', 'image', ['hop'])];
    const asked = requestsWithInitiators({ requests, documentId: 'doc', redirects: new Set(['hop']) });
    expect(asked).toStrictEqual([{ request: requests[2], kind: 'image', from: 'body' }]);
  });
});

describe('what is said of an imported page', () => {
  const NOTHING = { asked: [], redirects: 0, moved: 0, folded: 0, respoken: 0, spoken: [], grownBytes: 0 };
  const asked = (...changes: readonly (InitiatorChange | undefined)[]): readonly Asked[] =>
    changes.map((change) => ({ request: DOCUMENT, kind: 'image', from: 'body', ...(change !== undefined && { change }) }));

  it('is nothing where all is as it was', () => {
    expect(importChanges({ ...NOTHING, asked: asked(undefined, undefined), grownBytes: 999 })).toEqual([]);
    expect(importChanges({ ...NOTHING, grownBytes: -5000 })).toEqual([]);
  });

  it('is what is not, counted', () => {
    expect(importChanges({ ...NOTHING, redirects: 1, folded: 1, moved: 1, grownBytes: 1000 })).toEqual([
      '1 redirect excluded: what they lead to is requested instead.',
      '1 server folded into others, as the lab has 12: those with the fewest requests share one.',
      "1 request moved to the document's server, where fonts, data, and style sheets that ask for pictures must be.",
      '1 kB larger than recorded: names of what is asked for take more room than compressed ones did.',
    ]);
    expect(importChanges({ ...NOTHING, redirects: 2, folded: 3, moved: 4, grownBytes: 5499 }).map((line) => line.slice(0, 19))).toEqual([
      ...['2 redirects exclude', '3 servers folded in', '4 requests moved to', '5 kB larger than re'],
    ]);
  });

  it('is who asks for it otherwise, each kind of change once', () => {
    const all = asked('initiator-not-kept', 'data-as-picture', 'frame-as-picture', undefined, 'media-as-picture', 'frame-as-picture');
    expect(importChanges({ ...NOTHING, asked: [...all, ...asked('named-by-document', 'data-from-a-script')] })).toEqual([
      '2 requests: a frame there, a picture here: nothing in it asks for more.',
      '1 request: media, or of no known kind, there; a picture here.',
      '1 request: asked for by a script, style sheet, frame or answer there; named by the document, and so asked for earlier, here.',
      '1 request: data that no script is known to have asked for; asked for by the last script before it here.',
      '1 request: data before any script there, a picture here.',
      '1 request: what asked for it there asks for nothing here; asked for by the script or style sheet before that.',
    ]);
  });
});

describe('servers', () => {
  const times = (count: number, name: string): readonly string[] => Array.from({ length: count }, () => name);

  it('are in the order of their requests, and of the page among equals', () => {
    const { numberOf } = numberServers(['d', ...times(2, 'a'), 'b', ...times(4, 'c'), 'e', ...times(3, 'f')], 'd');
    expect([...numberOf]).toEqual([
      ...[['d', 0] as const, ['c', 1] as const, ['f', 2] as const, ['a', 3] as const, ['b', 4] as const, ['e', 5] as const],
    ]);
  });

  it('have the number 0 for the document, whether or not it is among them', () => {
    expect([...numberServers(['a'], 'd').numberOf]).toEqual([
      ['d', 0],
      ['a', 1],
    ]);
  });

  it('beyond those that have a number join those with the fewest requests, each counted', () => {
    // s0 has 12 requests, s1 11, and so on to s10 with 2; of the others t has 2, and u and w one each.
    const numbered = Array.from({ length: 11 }, (_, at) => times(12 - at, `s${at}`)).flat();
    const { numberOf, folded } = numberServers(['d', ...numbered, 't', 't', 'u', 'w'], 'd');
    // t joins s10, which has 4 then; u joins s9 with its 3, which has 4 then as well; w the first of those with 4: s8.
    expect(['s8', 's9', 's10', 't', 'u', 'w'].map((name) => numberOf.get(name))).toEqual([9, 10, 11, 11, 10, 9]);
    expect(folded).toBe(3);
  });
});
