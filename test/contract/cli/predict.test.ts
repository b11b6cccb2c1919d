/** `plumbfox predict` as people run it: a table, one JSON document, a drawing, and one line with exit code 2 for what cannot be predicted. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pageFromHar } from '../../../src/core/har/page-from-har.ts';
import { ERROR_BASIS } from '../../../src/core/predict/model-error.ts';
import { predictTypical } from '../../../src/core/predict/predict.ts';
import { resolveProfiles } from '../../../src/core/profiles/resolve-profiles.ts';
import type { Report } from '../../../src/core/report/report.ts';
import { images } from '../../../src/lab/pages/pages.ts';
import { recipeGraph } from '../../../src/lab/pages/recipe-graph.ts';
import { wiki } from '../../../src/lab/pages/wiki.ts';
import { sampleReport } from '../../golden/sample-report.ts';
import { buildOnce } from '../../support/build-once.ts';
import { type Ended, startCommand } from '../../support/command-run.ts';
import { xmlFault } from '../../support/well-formed.ts';
import { type EntryOptions, entry, harOf as har } from '../../unit/core/har/har-of.ts';

const folder = mkdtempSync(join(tmpdir(), 'plumbfox-predict-'));
const at = (name: string) => join(folder, name);

const OPENED = { dns: 10, connect: 100, wait: 120 };
const pictures = (count: number, scheme: string, more: EntryOptions = {}) =>
  Array.from({ length: count }, (_, index) =>
    entry(`${scheme}://shop.test/pictures/${index}.png`, {
      at: 250,
      wait: 110,
      receive: 40,
      body: 9000,
      ...(index < 6 ? OPENED : {}),
      ...more,
    }),
  );
const PLAIN = har([entry('http://shop.test/', { ...OPENED, body: 20_000 }), ...pictures(40, 'http')]);
const SECURE = har([entry('https://shop.test/', { ...OPENED, version: 'h2' }), ...pictures(40, 'https', { version: 'h2' })]);
/** 90 kB in 720 ms are 1 Mbit/s, kept up for longer than four round trips. */
const LONG = har([
  entry('http://shop.test/', OPENED),
  entry('http://shop.test/film.png', { at: 250, wait: 100, receive: 720, body: 90_000 }),
]);
/** Nothing took long enough to show a rate. */
const BRIEF = har([entry('http://shop.test/', { connect: 100, receive: 0, body: 10 })]);

const OLD = sampleReport();
const GRAPHS: Report = {
  ...OLD,
  pages: OLD.pages.map((page) => ({ ...page, graph: recipeGraph(page.name === 'wiki' ? wiki : images) })),
};

const text = (json: object) => JSON.stringify(json);
const files: Readonly<Record<string, string | Uint8Array>> = {
  'plain.har': text(PLAIN),
  'secure.har': text(SECURE),
  'long.har': text(LONG),
  'brief.har': text(BRIEF),
  'marked.har': `\uFEFF${text(PLAIN)}`,
  'plain.har.gz': gzipSync(text(PLAIN)),
  'report.json': text(GRAPHS),
  'half-known.json': text({ ...GRAPHS, pages: [GRAPHS.pages[0], OLD.pages[1]] }),
  'old.json': text(OLD),
  'no-links.json': text({ ...GRAPHS, links: [{ name: 'slow', kind: 'real', basis: 'estimated' }] }),
  'no-entries.har': text(har([])),
  'no-pages.har': text({ log: { version: '1.2' } }),
  'damaged.json': text({ ...GRAPHS, pages: [{ name: 'wiki', graph: { requests: 'many' } }] }),
  'circle.json': text({
    ...GRAPHS,
    pages: [
      {
        name: 'wiki',
        graph: {
          requests: [
            { id: 'a', bytes: 1, after: { id: 'b' } },
            { id: 'b', bytes: 1, after: { id: 'a' } },
          ],
        },
      },
    ],
  }),
  'foreign.json': '{"name": "plumbfox", "version": "0.1.0"}',
  'printed.json': '{"profiles": [], "recommendation": {}}',
  'recipe.json': text(images),
  'list.json': '[]',
  'null.json': 'null',
  'empty.har': '',
  'blank.har': ' \n',
  'half.har': text(PLAIN).slice(0, 3000),
  'words.har': 'HAR',
  'wide.har': Buffer.from(`\uFEFF${text(PLAIN)}`, 'utf16le'),
  'half.har.gz': gzipSync(text(PLAIN)).subarray(0, 100),
  'text.gz': gzipSync('no JSON'),
  'there.svg': '<svg/>',
};

beforeAll(() => {
  buildOnce();
  for (const [name, content] of Object.entries(files)) writeFileSync(at(name), content);
  mkdirSync(at('folder'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function predictCommand(...args: readonly string[]): Promise<Ended> {
  const run = startCommand(['predict', ...args]);
  try {
    return await run.ended;
  } finally {
    await run.dispose();
  }
}

async function documentOf(...args: readonly string[]) {
  const ended = await predictCommand(...args, '--json');
  expect([ended.stderr, ended.code]).toEqual(['', 0]);
  return JSON.parse(ended.stdout);
}

const LINK = ['--link', 'rtt=300,down=2000,up=384'];

const BAD_INPUT: Readonly<Record<string, { readonly args: readonly string[]; readonly says: RegExp }>> = {
  'no file': { args: [], says: /Name one file: .*plumbfox\.mjs predict FILE\.har, REPORT\.json or RECIPE\.json/ },
  'two files': { args: [at('plain.har'), at('secure.har')], says: /Name one file/ },
  'an unknown option': { args: [at('plain.har'), '--fast'], says: /Unknown option '--fast'.*See plumbfox predict --help/ },
  'an unknown profile': { args: [at('plain.har'), '--profiles', 'c4-d66'], says: /There is no profile "c4-d66"/ },
  'an unknown link': {
    args: [at('plain.har'), '--link', 'far'],
    says: /There is no link "far"\. Did you mean far-2m\? Links: far-2m, dsl-10m/,
  },
  'a loss in percent': { args: [at('plain.har'), '--link', 'rtt=1,down=9,loss=5'], says: /loss must lie between 0 and 0\.5/ },
  'a file that is not there': { args: [at('none.har')], says: /none\.har cannot be read: there is no such file or folder \(ENOENT\)/ },
  'a folder': { args: [at('folder')], says: /folder is a folder: name the report\.json or report\.json\.gz in it/ },
  'an empty file': { args: [at('empty.har')], says: /empty\.har is empty/ },
  'a blank file': { args: [at('blank.har')], says: /blank\.har is empty/ },
  'half a HAR': { args: [at('half.har')], says: /half\.har is not valid JSON/ },
  'no JSON': { args: [at('words.har')], says: /words\.har is not valid JSON/ },
  'UTF-16': { args: [at('wide.har')], says: /wide\.har is UTF-16 text: save it as UTF-8/ },
  'half a gzip file': { args: [at('half.har.gz')], says: /half\.har\.gz is a damaged gzip file/ },
  'a gzip file of something else': { args: [at('text.gz')], says: /text\.gz is not valid JSON/ },
  'a foreign file': { args: [at('foreign.json')], says: /foreign\.json is neither a HAR nor a report of Plumbfox/ },
  'what tune --json printed': { args: [at('printed.json')], says: /printed\.json is neither.*the report is the file report\.json/ },
  'a list': { args: [at('list.json')], says: /list\.json is neither/ },
  null: { args: [at('null.json')], says: /null\.json is neither/ },
  'a HAR of no entries': { args: [at('no-entries.har'), ...LINK], says: /no-entries\.har: / },
  'a HAR without entries': { args: [at('no-pages.har'), ...LINK], says: /no-pages\.har: / },
  'a report without graphs': {
    args: [at('old.json')],
    says: /old\.json: No page of this report can be predicted\. Measure again with npm run tune, or use a HAR/,
  },
  'a damaged graph': { args: [at('damaged.json')], says: /damaged\.json: The report is damaged at pages\.0\.graph\.requests/ },
  'a graph that waits for itself': {
    args: [at('circle.json')],
    says: /circle\.json: page wiki: Request "a" waits, by way of others, for itself/,
  },
  'a page that is not there': { args: [at('report.json'), '--page', 'hold'], says: /there is no page "hold"\. Pages: wiki, images/ },
  'a drawing of several': {
    args: [at('report.json'), '--svg', at('x.svg')],
    says: /--svg draws one page over one link: choose a page with --page \(wiki, images\) and give one --link/,
  },
  'a drawing over several links': {
    args: [at('plain.har'), ...LINK, '--link', 'far-2m', '--svg', at('x.svg')],
    says: /--svg draws one page over one link: give one --link\n/,
  },
  'a drawing of no such profile': {
    args: [at('plain.har'), ...LINK, '--svg', at('x.svg'), '--svg-profile', 'c9-d9'],
    says: /--svg-profile: c9-d9 is not among the profiles\. Profiles: firefox-default, /,
  },
  'a drawing over a file': { args: [at('plain.har'), ...LINK, '--svg', at('there.svg')], says: /--svg: .*there\.svg is there already/ },
  'a drawing that cannot be written': {
    args: [at('plain.har'), ...LINK, '--svg', at('none/out.svg')],
    says: /--svg: .*out\.svg cannot be written: there is no such file or folder \(ENOENT\)/,
  },
  'a name of several lines': { args: [`${at('none')}\n\u001b[31mb`], says: /none .\[31mb cannot be read/ },
};

test.concurrent.each(Object.entries(BAD_INPUT))('exit code 2: %s', async (_name, { args, says }) => {
  const before = readdirSync(folder);
  const ended = await predictCommand(...args);
  expect(ended.stderr).toMatch(says);
  expect(ended.stderr).toMatch(/^plumbfox: [^\n]*\n$/);
  expect([ended.stdout, ended.code]).toEqual(['', 2]);
  expect(readdirSync(folder)).toEqual(before);
});

describe('a HAR', () => {
  test('is predicted as the library does it', async () => {
    const found = await documentOf(at('plain.har'), ...LINK);
    const { page, inferred } = pageFromHar(PLAIN);
    const link = { rttMs: 300, downKbps: 2000, upKbps: 384 };
    const profiles = resolveProfiles(['firefox-default', 'connections-sweep', 'fennec-18']);
    const expected = predictTypical({ page, link, profiles }).predictions;
    expect(Object.keys(found).sort()).toEqual([
      'duplicates',
      'inferred',
      'link',
      'model',
      'notes',
      'page',
      'profiles',
      'reach',
      'recommendation',
      'recorded',
      'scenarios',
      'source',
    ]);
    expect(found.source).toEqual({ kind: 'har', file: at('plain.har') });
    expect(found.link).toMatchObject({
      ...link,
      lossDown: 0,
      lossUp: 0,
      queuePackets: 100,
      jitterMs: 0,
      initialWindow: 10,
      basis: 'given',
    });
    expect(found.page).toEqual({ requests: 41, origins: 1, bytes: 41 * 100 + 20_000 + 40 * 9000 });
    expect(Object.fromEntries(found.profiles.map((each: { id: string; loadTimeMs: number }) => [each.id, each.loadTimeMs]))).toEqual(
      Object.fromEntries(expected.map(({ profileId, loadTimeMs }) => [profileId, loadTimeMs])),
    );
    const times = found.profiles.map(({ loadTimeMs }: { loadTimeMs: number }) => loadTimeMs);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(found.inferred).toEqual(inferred.map((each) => ({ page: 'plain.har', ...each })));
    expect(found.recommendation.sentence).toContain('This is a prediction, not a measurement.');
    expect(found.recommendation.sentence).toMatch(/ To measure: npm run tune -- --real-network --urls FILE/);
    expect(found.model.basis).toContain(ERROR_BASIS);
  });

  test('is predicted over the link it was recorded over', async () => {
    const { link, inferred } = await documentOf(at('long.har'));
    expect(link).toMatchObject({ name: "the HAR's link", basis: 'estimated', rttMs: 100 });
    expect(link.downKbps).toBeGreaterThan(950);
    expect(link.downKbps).toBeLessThan(1050);
    expect(inferred.filter(({ page }: { page: unknown }) => page === null).length).toBeGreaterThan(0);
  });

  test.each(['brief.har', 'no-links.json'])('%s, which shows no link, is predicted over those of tune', async (name) => {
    const { scenarios, notes } = await documentOf(at(name), '--profiles', 'c8-d1');
    const links = scenarios.map(({ link }: { link: { name: string; basis: string } }) => `${link.name} ${link.basis}`);
    expect([...new Set(links)]).toEqual(['far-2m default', 'dsl-10m default']);
    expect(notes).toContain(
      'The file does not show its link: predicted over far-2m and dsl-10m, which tune measures. Name yours with --link.',
    );
  });

  test('of a page recipe is predicted', async () => {
    const { source, page, recommendation } = await documentOf(at('recipe.json'), '--link', 'dsl-10m');
    expect([source.kind, page.requests]).toEqual(['recipe', 11]);
    expect(recommendation.measure).toContain(`--pages ${at('recipe.json')}`);
  });

  test.each(['marked.har', 'plain.har.gz'])('may come as %s', async (name) => {
    const [one, other] = await Promise.all([documentOf(at('plain.har'), ...LINK), documentOf(at(name), ...LINK)]);
    expect(other.profiles).toEqual(one.profiles);
  });

  test('with loss is the load in the middle of many, the same every time and another with another seed', async () => {
    const lossy = [at('plain.har'), '--link', 'rtt=300,down=2000,up=384,loss=0.02', '--profiles', 'c4-d6'];
    const [one, again, other] = await Promise.all([documentOf(...lossy), documentOf(...lossy), documentOf(...lossy, '--seed', '7')]);
    expect(one.scenarios[0].runs).toBeGreaterThan(10);
    expect(again).toEqual(one);
    expect(other.profiles).not.toEqual(one.profiles);
  });

  test('of HTTP/2 says that nothing has an effect', async () => {
    const ended = await predictCommand(at('secure.har'), ...LINK);
    expect([ended.stderr, ended.code]).toEqual(['', 0]);
    expect(ended.stdout.replace(/\s+/g, ' ')).toContain('Connection settings have no effect here: every server uses HTTP/2 or HTTP/3');
    expect(ended.stdout).toContain('Keep firefox-default');
    // Profiles that differ in depth only are not shown.
    expect(ended.stdout).not.toContain('c4-d6');
  });

  test('of 50 MB with 1,050 entries on 57 hosts is predicted', async () => {
    const body = 'x'.repeat(48_000);
    const entries = Array.from({ length: 1050 }, (_, index) => {
      const made = entry(`http://host-${index % 57}.test/${index}.png`, { at: index === 0 ? 0 : 200 + index, connect: 50, body: 2000 });
      const response = made.response as Record<string, object>;
      return { ...made, response: { ...response, content: { ...response.content, text: body } } };
    });
    writeFileSync(at('large.har'), text(har(entries)));
    const found = await documentOf(at('large.har'), ...LINK, '--profiles', 'c4-d6', '--svg', at('large.svg'));
    expect(found.page).toMatchObject({ requests: 1050, origins: 57 });
    const svg = readFileSync(at('large.svg'), 'utf8');
    expect(svg.length).toBeLessThan(600_000);
    expect(xmlFault(svg)).toBeUndefined();
  });
});

describe('a report', () => {
  test('is predicted on each of its pages over each of its links', async () => {
    const found = await documentOf(at('report.json'));
    expect(found.source.kind).toBe('report');
    expect(found.link).toBeNull();
    expect(found.scenarios.map(({ page, link }: { page: { name: string }; link: { name: string } }) => [page.name, link.name])).toEqual([
      ['wiki', 'slow'],
      ['wiki', 'dsl'],
      ['images', 'slow'],
      ['images', 'dsl'],
    ]);
    const slow = { rttMs: 300, downKbps: 2000, upKbps: 384, queuePackets: 100 };
    expect(found.scenarios[0].link).toMatchObject({ ...slow, basis: 'configured' });
    const profiles = resolveProfiles(['c4-d6']);
    const [prediction] = predictTypical({ page: recipeGraph(wiki), link: { ...slow, segmentBytes: 1448 }, profiles }).predictions;
    expect(found.scenarios[0].profiles.find(({ id }: { id: string }) => id === 'c4-d6').loadTimeMs).toBe(prediction?.loadTimeMs);
    expect(found.notes).toContainEqual(expect.stringContaining('the relay, which has no packets'));
    expect(found.recommendation.measure).toContain('npm run tune -- --pages wiki,images --links ');
  });

  test('is predicted on one page over another link', async () => {
    const found = await documentOf(at('report.json'), '--page', 'images', '--link', 'dsl-10m', '--profiles', 'c8-d1');
    expect(found).toMatchObject({ link: { name: 'dsl-10m', basis: 'given' }, page: { requests: 11 }, notes: [] });
    expect(found.profiles.map(({ id }: { id: string }) => id).sort()).toEqual(['c8-d1', 'firefox-default']);
  });

  test('says which of its pages it does not hold', async () => {
    const ended = await predictCommand(at('half-known.json'));
    expect([ended.stderr, ended.code]).toEqual(['', 0]);
    expect(ended.stdout).toContain('Excluded, because the report does not hold their requests: images.');
  });
});

describe('--svg', () => {
  const one = [at('report.json'), '--page', 'wiki', '--link', 'far-2m'];

  test('draws the default and what is recommended', async () => {
    const found = await documentOf(...one, '--svg', at('both.svg'));
    const svg = readFileSync(at('both.svg'), 'utf8');
    expect(xmlFault(svg)).toBeUndefined();
    expect(found.recommendation.profileId).not.toBe('firefox-default');
    for (const id of ['firefox-default', found.recommendation.profileId]) expect(svg).toContain(`>${id}: load time `);
  });

  test('draws the profiles that are named, in their order', async () => {
    await documentOf(...one, '--svg', at('named.svg'), '--svg-profile', 'c8-d1,c1-d1');
    const headings = readFileSync(at('named.svg'), 'utf8').match(/>[\w-]+(?=: load time )/g);
    expect(headings).toEqual(['>c8-d1', '>c1-d1']);
  });

  test('leaves no file behind where something is wrong', () => {
    expect(existsSync(at('x.svg'))).toBe(false);
  });
});

test('help is on stdout, with exit code 0', async () => {
  const ended = await predictCommand('--help');
  expect([ended.stderr, ended.code]).toEqual(['', 0]);
  expect(ended.stdout).toMatch(/plumbfox predict FILE\.har/);
});
