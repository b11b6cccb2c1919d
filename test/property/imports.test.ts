/**
 * Whatever a file holds that somebody else has made: an answer or the one documented refusal, in one line, and nothing else changes.
 * PLUMBFOX_FULL=1: 100,000 files.
 */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { harContents, reportContents } from '../../src/cli/predict/contents.ts';
import { recipeContents } from '../../src/cli/predict/source.ts';
import { parseUrlList } from '../../src/cli/tune/arguments.ts';
import { PlumbfoxError } from '../../src/core/errors.ts';
import { fieldReport } from '../../src/core/field/field-report.ts';
import { reportHtml } from '../../src/core/report/html/report-html.ts';
import { mergeReports } from '../../src/core/report/merge/merge-reports.ts';
import { reportTable } from '../../src/core/report/report-table.ts';
import { parseTrace } from '../../src/lab/link/link-trace.ts';
import { importHar } from '../../src/lab/pages/import-har.ts';
import { parseReport } from '../../src/protocol/parse-report.ts';
import { readPageLoad } from '../../src/protocol/stored-records.ts';
import { parseTrialDefinition } from '../../src/protocol/trial-state.ts';
import { countBar } from '../support/bar-count.ts';
import { recordedLoad } from '../support/recorded-load.ts';
import { entry, harOf } from '../unit/core/har/har-of.ts';

const CASES = process.env.PLUMBFOX_FULL === '1' ? 100_000 : 2_400;
const DEPTH = 10_000;

const fixture = (name: string): unknown => JSON.parse(readFileSync(new URL(`../fixtures/${name}`, import.meta.url), 'utf8'));
const HAR = harOf([
  entry('http://a.test/', { body: 9000, connect: 40 }),
  entry('http://a.test/s.css', { at: 120, referer: 'http://a.test/' }),
  entry('https://b.test/s.js', { at: 130, connect: 60, ssl: 30, version: 'h2' }),
]);

/** As the popup exports it, with what is on its page. */
const LOADS = Array.from({ length: 4 }, (_, minute) => recordedLoad({ minute, rttMs: 20, page: 'p' }));
const REPORT = fieldReport({
  ...{ loads: LOADS, figures: [], names: [], total: LOADS.length, createdAt: '2026-01-01T00:00:00.000Z' },
  provenance: { plumbfox: '0', firefox: { version: '153.0', buildId: '1' }, os: 'linux' },
});

interface Importer {
  /** Of what kind the file is when it is sound. */
  readonly sound: unknown;
  /** As the command takes it. */
  readonly take: (text: string) => void;
}

/** As every command reads JSON that it is given. */
function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new PlumbfoxError('bad-input', 'is not JSON', { cause: error });
  }
}

const shown = (text: string): void => {
  const report = parseReport(json(text));
  // What may come out of it is looked at too: a page that anybody opens.
  expect(reportHtml(report)).not.toMatch(/<(img|script)|onerror=(?!.*&lt;)[^&"]*alert\(1\)>/i);
  reportTable(report.comparison, { width: 140, colour: false, answer: report.answer?.sentence });
};

const IMPORTERS: Readonly<Record<string, Importer>> = {
  report: { sound: REPORT, take: shown },
  'report of version 2': { sound: fixture('report-v2.json'), take: shown },
  'reports compared': { sound: fixture('report-v2.json'), take: (text) => void mergeReports([parseReport(json(text))]) },
  'report predicted': { sound: REPORT, take: (text) => void reportContents(parseReport(json(text))) },
  HAR: { sound: HAR, take: (text) => void importHar(json(text), { name: 'page' }) },
  'HAR predicted': { sound: HAR, take: (text) => void harContents(json(text), { name: 'a.har', pageIds: undefined }) },
  recipe: { sound: importHar(HAR, { name: 'page' }).recipe, take: (text) => void recipeContents(json(text), 'recipe.json') },
  trial: {
    sound: { candidates: ['c8-d1'], slots: { kind: 'loads', perSlot: 4 }, mostLoadsPerArm: 200 },
    take: (text) => void parseTrialDefinition(json(text)),
  },
  'stored load': {
    sound: recordedLoad({ minute: 1, rttMs: 20, page: 'p' }),
    take: (text) => void readPageLoad(json(text)),
  },
  addresses: { sound: 'https://a.test/\n# b\nhttp://b.test/x', take: (text) => void parseUrlList(text, 'urls.txt') },
  trace: { sound: '1\n2\n5\n5\n9\n', take: (text) => void parseTrace(text, 'down.trace') },
};

const INJECTION = '<img src=x onerror=alert(1)>';
const polluted = '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}';
/** As JSON, so that keys may be those that an object literal would not keep. */
const strange = fc.oneof(
  fc.constantFrom(
    ...['null', 'true', '-1', '0', '1e999', '-0', '5e-324', '1e300', '"NaN"', '"Infinity"', '""', '[]', '{}', '"__proto__"', polluted],
    ...[JSON.stringify(INJECTION), JSON.stringify(`"><script>alert(1)</script>`), JSON.stringify('\u0000\u001b[31m\n'), '"\\ud800"'],
    ...[JSON.stringify('x'.repeat(100_000)), `${'['.repeat(200)}${']'.repeat(200)}`, '9007199254740993', '[null,null]'],
  ),
  fc.json({ maxDepth: 3 }),
);

const change = fc.record({
  path: fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 1, maxLength: 7 }),
  value: strange,
  how: fc.constantFrom('replace', 'replace', 'drop', 'add'),
});
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

/** Where the value goes there is a mark, which is put in place of in the text. */
function changed(sound: unknown, changes: readonly Change[]): string {
  const root: { value: unknown } = { value: structuredClone(sound) };
  for (const [at, { path, how }] of changes.entries()) {
    let holder = root as Record<string, unknown>;
    let key = 'value';
    for (const share of path) {
      const inner = holder[key];
      if (typeof inner !== 'object' || inner === null) break;
      const keys = Object.keys(inner);
      const next = keys[Math.floor(share * keys.length)];
      if (next === undefined) break;
      holder = inner as Record<string, unknown>;
      key = next;
    }
    if (how === 'drop') delete holder[key];
    else if (how === 'add' && !Array.isArray(holder)) holder[`mark-key-${at}`] = `mark-${at}`;
    else holder[key] = `mark-${at}`;
  }
  let text = typeof root.value === 'string' ? root.value : (JSON.stringify(root.value) ?? '');
  for (const [at, { value }] of changes.entries()) {
    text = text.replaceAll(`"mark-${at}"`, () => value).replaceAll(`mark-key-${at}`, '__proto__');
  }
  return text;
}

/** A file that was cut off, or in which a byte is another. */
const spoilt = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  byte: fc.constantFrom('', '"', '{', ']', ',', '\u0000', '￿', '9'),
});

const file = (sound: unknown): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.array(change, { minLength: 1, maxLength: 6 }).map((changes) => changed(sound, changes)) },
    { weight: 1, arbitrary: fc.json() },
    {
      weight: 1,
      arbitrary: spoilt.map(({ at, byte }) => {
        const text = typeof sound === 'string' ? sound : JSON.stringify(sound);
        const cut = Math.floor(at * text.length);
        return byte === '' ? text.slice(0, cut) : `${text.slice(0, cut)}${byte}${text.slice(cut + 1)}`;
      }),
    },
  );

const prototypes = [Object.prototype, Array.prototype, Function.prototype, String.prototype, Number.prototype, Map.prototype];
const shapeOfPrototypes = () =>
  prototypes.map((one) => Reflect.ownKeys(one).map((key) => [String(key), Object.getOwnPropertyDescriptor(one, key)?.value]));

/** @returns whether the file was taken. @throws what is not the documented refusal. */
function taken({ take }: Importer, text: string): boolean {
  try {
    take(text);
    return true;
  } catch (error) {
    if (!(error instanceof PlumbfoxError) || error.kind !== 'bad-input') throw error;
    expect(error.message).not.toContain('\n');
    expect(error.message.length).toBeLessThan(1_000);
    return false;
  }
}

describe('an importer answers any file with what it holds or one refusal, and changes no prototype', () => {
  const names = Object.keys(IMPORTERS);
  const each = Math.ceil(CASES / names.length);

  it.each(Object.entries(IMPORTERS))('%s', { timeout: 1_800_000 }, (_, importer) => {
    const before = shapeOfPrototypes();
    let cases = 0;
    let accepted = 0;
    fc.assert(
      fc.property(file(importer.sound), (text) => {
        accepted += Number(taken(importer, text));
        cases += 1;
      }),
      { numRuns: each },
    );
    expect(shapeOfPrototypes()).toEqual(before);
    // Neither all refused, which would test the refusal alone, nor all taken.
    expect(accepted).toBeGreaterThan(0);
    expect(accepted).toBeLessThan(cases);
    countBar(28, 'fuzzed files that an importer took or refused in one line', cases, each);
  });

  it.each(Object.entries(IMPORTERS))(`%s: ${DEPTH} levels, wherever they are`, (_, importer) => {
    const deepest = [`${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}`, `${'{"a":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)}`];
    const { sound } = importer;
    const keys = typeof sound === 'object' && sound !== null ? Object.keys(sound) : [];
    const texts = deepest.flatMap((deep) => [
      deep,
      ...keys.map((key) => JSON.stringify({ ...(sound as object), [key]: 'deep-mark' }).replace('"deep-mark"', () => deep)),
      ...keys.slice(0, 1).map(() => `${JSON.stringify(sound).slice(0, -1)},"more":${deep}}`),
    ]);
    for (const text of texts) taken(importer, text);
    countBar(28, 'files of 10,000 levels that an importer took or refused in one line', texts.length, texts.length);
  });
});
