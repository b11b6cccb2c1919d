import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ownPages, parseTuneArguments, parseUrlList, readUrlFile, tunePages } from '../../../../src/cli/tune/arguments.ts';
import { PlumbfoxError } from '../../../../src/core/errors.ts';
import { DEFAULT_LINKS } from '../../../../src/lab/link/links.ts';
import { parseLinks } from '../../../../src/lab/link/parse-link.ts';
import type { PageRecipe } from '../../../../src/lab/pages/page-recipe.ts';
import { PAGES } from '../../../../src/lab/pages/pages.ts';
import { networkIdleMs } from '../../../../src/lab/run/network-idle.ts';

const ids = (...args: string[]) => parseTuneArguments(args).profiles.map(({ id }) => id);

describe('the arguments of tune', () => {
  test('nothing: 2 pages, 2 links, 4 candidates with baseline and control, until the question is answered', () => {
    const all = parseTuneArguments([]);
    expect(all).toMatchObject({
      pages: [{ name: 'wiki' }, { name: 'images' }],
      blocks: undefined,
      json: false,
      install: 'ask',
      relay: false,
      help: false,
      timeoutS: 75,
    });
    expect(all.links.map(({ name }) => name)).toEqual(['far-2m', 'dsl-10m']);
    expect(all.profiles.map(({ id }) => id)).toEqual([
      'firefox-default',
      'c1-d2',
      'c4-d6',
      'c8-d1',
      'c10-d1+network.http.pacing.requests.enabled=false',
      'control',
    ]);
    expect([all.out, all.urlFile]).toEqual([undefined, undefined]);
    expect(all.seed).toBeGreaterThanOrEqual(1);
    expect(all.seed).toBeLessThan(1_000_000);
  });

  test('every option', () => {
    expect(
      parseTuneArguments(
        '--pages hold --links rtt=20,down=4000 --profiles c2-d1 --blocks 7 --seed 0 --out x --json --timeout 5 --relay --no-install -h'.split(
          ' ',
        ),
      ),
    ).toMatchObject({
      pages: [{ name: 'hold' }],
      links: [{ rttMs: 20, downKbps: 4000, upKbps: 4000, queue: 100 }],
      blocks: 7,
      seed: 0,
      out: 'x',
      json: true,
      timeoutS: 5,
      relay: true,
      install: 'no',
      help: true,
    });
    expect(parseTuneArguments(['--real-network', '--urls', 'f']).urlFile).toBe('f');
  });

  test('the baseline is always measured, the control where a profile needs the gateway, each once', () => {
    expect(ids('--profiles', 'c8-d1')).toEqual(['firefox-default', 'c8-d1']);
    expect(ids('--profiles', 'c8-d1,firefox-default,c8-d1')).toEqual(['firefox-default', 'c8-d1']);
    expect(ids('--profiles', 'c4-d6')).toEqual(['firefox-default', 'c4-d6', 'control']);
    expect(ids('--profiles', 'control,c8-d1')).toEqual(['firefox-default', 'c8-d1', 'control']);
    expect(ids('--profiles', 'again=c8-d1', '--profiles', 'c8-d1')).toEqual(['firefox-default', 'again', 'c8-d1']);
  });

  test('a search has six minutes, every knob, and no profile but the baseline', () => {
    const all = parseTuneArguments(['--search']);
    expect(all.search).toEqual({ minutes: 6, knobs: undefined });
    expect(all.profiles.map(({ id }) => id)).toEqual(['firefox-default']);
    expect(parseTuneArguments([]).search).toBeUndefined();
    const pacing = 'network.http.pacing.requests.enabled';
    expect(
      parseTuneArguments(['--search', '--minutes', '3', '--knobs', `${pacing},network.http.pacing.requests.hz=160|320`]).search,
    ).toEqual({
      minutes: 3,
      knobs: [
        { preference: pacing, values: [false] },
        { preference: 'network.http.pacing.requests.hz', values: [160, 320] },
      ],
    });
  });

  test('more combinations than are simulated are refused', () => {
    const names = [
      'max-persistent-connections-per-server',
      'pacing.requests.hz',
      'pacing.requests.burst',
      'pacing.requests.min-parallelism',
    ];
    const knobs = [...names, 'connection-retry-timeout'].flatMap((name) => ['--knobs', `network.http.${name}=30|31|32|33|34|35|36|37`]);
    // 9^5.
    expect(() => parseTuneArguments(['--search', ...knobs])).toThrow('--knobs: these are 59049 combinations; at most 10000 are simulated');
  });

  const switches = [
    ...['tailing.enabled', 'rendering-critical-requests-prioritization'].map((name) => `network.http.${name}`),
    'network.http.http3.enable',
  ];
  test('preferences that are not simulated are crossed with nothing, and so many values of them are taken', () => {
    // 9 x 9 x 9 x 9 combinations are 6561; with three switches crossed they would be 52,488.
    const names = [
      'max-persistent-connections-per-server',
      'pacing.requests.hz',
      'pacing.requests.burst',
      'pacing.requests.min-parallelism',
    ];
    const knobs = [...names.map((name) => `network.http.${name}=30|31|32|33|34|35|36|37`), ...switches];
    expect(parseTuneArguments(['--search', ...knobs.flatMap((knob) => ['--knobs', knob])]).search?.knobs).toHaveLength(7);
    const windows = ['max_data', 'max_stream_data', 'recvBufferSize'].map(
      (name) => `network.http.http3.${name}=2000000|2000001|2000002|2000003|2000004|2000005|2000006|2000007`,
    );
    expect(() => parseTuneArguments(['--search', ...windows.flatMap((knob) => ['--knobs', knob])])).toThrow(
      '--knobs: at most 21 values of preferences that are not simulated can be measured; these are 24, of network.http.http3.max_data',
    );
  });

  test.each([
    [undefined, 'embedded'],
    ['http/1.1', 'embedded'],
    ['https', 'https'],
    ['HTTP/2', 'http2'],
    ['http/3', 'http3'],
  ])('--protocol %s is served by %s', (protocol, servedBy) => {
    expect(parseTuneArguments(protocol === undefined ? [] : ['--protocol', protocol]).servedBy).toBe(servedBy);
  });

  test('links may be given again, and count once', () => {
    expect(parseTuneArguments(['--links', 'far-2m', '--links', 'rtt=20,down=4000;far-2m']).links.map(({ rttMs }) => rttMs)).toEqual([
      300, 20,
    ]);
  });

  test('pages may be given again too, and count once', () => {
    expect(parseTuneArguments(['--pages', 'hold', '--pages', 'wiki,hold']).pages.map(({ name }) => name)).toEqual(['hold', 'wiki']);
  });

  test('a list of a thousand profiles is read', () => {
    const names = Array.from({ length: 1000 }, (_, index) => `n${index}=c2-d1`).join(',');
    expect(ids('--profiles', names)).toHaveLength(1001);
  });

  test.each([
    [['--blocks', '0'], '--blocks must lie between 1 and 1000'],
    [['--blocks', '1001'], '--blocks must lie between 1 and 1000'],
    [['--blocks', '2.5'], '--blocks must be a whole number, not "2.5"'],
    [['--blocks', ''], '--blocks must be a whole number, not ""'],
    [['--seed', '4294967296'], '--seed must lie between 0 and 4294967295'],
    [['--timeout', '601'], '--timeout must lie between 1 and 600'],
    [['--pages', ' , '], '--pages needs a value'],
    [['--urls', ''], '--urls goes with --real-network'],
    [['--real-network', '--urls', ''], '--real-network needs --urls FILE, a file with one address per line'],
    [
      ['--real-network', '--urls', 'f', '--relay'],
      '--pages, --links and --relay are for the emulated network; with --real-network the file of --urls names the pages',
    ],
    [['--out', ' '], '--out needs the name of a folder'],
    [['--minutes', '5'], '--minutes goes with --search'],
    [['--knobs', 'network.http.tailing.enabled'], '--knobs goes with --search'],
    [['--search', '--minutes', '0'], '--minutes must lie between 1 and 600'],
    [['--search', '--minutes', 'six'], '--minutes must be a whole number, not "six"'],
    [['--search', '--profiles', 'c8-d1'], '--search chooses the profiles itself: leave out --profiles, or name preferences with --knobs'],
    [['--search', '--blocks', '5'], '--search plans its blocks itself: leave out --blocks, or give it --minutes'],
    [
      ['--search', '--real-network', '--urls', 'f'],
      '--search simulates the pages first, so it needs pages and links of the lab: leave out --real-network',
    ],
    [
      ['--search', '--knobs', 'network.http.tailing.enabled,network.http.tailing.enabled=false'],
      '--knobs: network.http.tailing.enabled is named twice; give its values together, as A|B',
    ],
    [['--search', '--knobs', ','], '--knobs needs a value'],
    [
      ['--search', '--knobs', 'protocol', '--protocol', 'http/3'],
      '--knobs protocol needs servers that speak several protocols: add --protocol negotiated',
    ],
    [['--visit', 'second'], '--visit goes with --protocol negotiated: no other server of the lab is remembered'],
    [['--visit', 'third', '--protocol', 'negotiated'], '--visit must be first or second, not "third"'],
    [['--protocol', 'spdy'], '--protocol must be one of http/1.1, https, http/2, http/3, negotiated, not "spdy"'],
    [
      ['--real-network', '--urls', 'f', '--protocol', 'http/2'],
      '--protocol is for the pages of the lab; on the real network each server has its own',
    ],
    [['--nonsense'], "Unknown option '--nonsense'. See plumbfox tune --help"],
    [['--blocks', '--json'], '--blocks needs a value; write one that begins with a dash as --blocks=VALUE. See plumbfox tune --help'],
  ])('refused: %j', (args, message) => {
    expect(() => parseTuneArguments(args)).toThrow(new PlumbfoxError('bad-input', message));
  });

  test('a preference that Firefox reads only as it starts is refused', () => {
    const profile = 'early=firefox-default+network.dns.max_high_priority_threads=60';
    expect(() => parseTuneArguments(['--profiles', profile])).toThrow('reads it only as it starts');
  });
});

const DEFAULTS = DEFAULT_LINKS.flatMap(parseLinks);

let folder = '';
const file = (name: string, content: unknown): string => {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};
const recipe = (name: string, more: object = {}) => ({ name, title: 'A page', documentBytes: 2000, resources: [], ...more });

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumbfox-pages-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('the pages of tune', () => {
  test('are those of the lab and those of files, in their order; only the latter are told to the servers', () => {
    const pages = tunePages(['wiki', file('mine.json', recipe('mine')), 'app'], DEFAULTS);
    expect(pages.map(({ name }) => name)).toEqual(['wiki', 'mine', 'app']);
    expect(ownPages(pages)).toEqual([recipe('mine')]);
  });

  test.each<[string, () => string[], RegExp]>([
    ['an unknown name', () => ['wikki'], /^There is no page "wikki"\. Did you mean wiki\? Pages: wiki, /],
    [
      'a file that is not there',
      () => [join(folder, 'none.json')],
      /^--pages: .*none\.json: cannot be read: there is no such file or folder \(ENOENT\)$/,
    ],
    ['no JSON', () => [file('text.json', 'hello')], /^--pages: .*text\.json: is not JSON; plumbfox import-har/],
    ['a HAR', () => [file('har.json', { log: {} })], /^--pages: .*har\.json: is a HAR, not yet a page recipe; plumbfox import-har/],
    ['no recipe', () => [file('list.json', [])], /^--pages: .*list\.json: is not a page recipe; plumbfox import-har/],
    ['an empty file', () => [file('empty.json', '')], /^--pages: .*empty\.json: is empty$/],
    [
      'a recipe with a fault',
      () => [file('odd.json', recipe('odd', { documentBytes: -1 }))],
      /The page recipe "odd" cannot be served \(documentBytes\)/,
    ],
    [
      'the name of a page of the lab',
      () => [file('w.json', recipe('wiki'))],
      /w\.json is named "wiki" like the page of the lab: change its "name"/,
    ],
    ['one name twice', () => [file('a.json', recipe('x')), file('b.json', recipe('x'))], /b\.json is named "x" like the page of .*a\.json/],
  ])('%s is refused', (_what, texts, says) => {
    expect(() => tunePages(texts(), DEFAULTS)).toThrow(
      expect.objectContaining({ kind: 'bad-input', message: expect.stringMatching(says) }),
    );
  });
});

/** A page whose script asks for two answers, one of which the server thinks about for so long. */
const asking = (serverMs: number): PageRecipe => ({
  ...recipe('asking'),
  resources: [
    { name: 'a.js', kind: 'script', bytes: 1000, origin: 0, from: 'head' },
    { name: 'quick.json', kind: 'fetch', bytes: 10_000, origin: 0, from: { script: 'a.js' } },
    { name: 'slow.json', kind: 'fetch', bytes: 5_000, origin: 0, from: { script: 'a.js' }, serverMs },
  ],
});

describe('the recorder waits for silence', () => {
  test('a moment where no script asks for data', () => {
    expect(networkIdleMs([recipe('mine') as PageRecipe], DEFAULTS)).toBe(150);
  });

  test('for 2 s where answers are quicker, as with the pages of the lab over the default links', () => {
    expect(networkIdleMs(PAGES, DEFAULTS)).toBe(2000);
    expect(networkIdleMs([asking(800)], parseLinks('rtt=100,down=1000'))).toBe(2000);
  });

  test('for longer than the slowest answer: 2,500 ms, 4 round trips of the slower link, 15,000 bytes at 1,000 kbit/s', () => {
    // One round trip more than three, since 10,000 bytes may not fit into the first window: 2500 + 4 × 100 + 120.
    expect(networkIdleMs([recipe('mine') as PageRecipe, asking(2500)], parseLinks('rtt=20,down=4000;rtt=100,down=1000'))).toBe(3020);
    // 0 + 4 × 700 + 12.
    expect(networkIdleMs([asking(0)], parseLinks('rtt=700,down=10000'))).toBe(2812);
  });

  test('no longer than it can: data that comes later is refused, with the link it is too late over', () => {
    const texts = [file('asking.json', asking(24_000))];
    // 24,000 + 4 × 300 + 60, and 24,000 + 4 × 50 + 12.
    expect(() => tunePages(texts, DEFAULTS)).toThrow(
      expect.objectContaining({
        kind: 'bad-input',
        message: expect.stringMatching(
          /^--pages: data that a script of asking asks for may take 26 s over far-2m, and at most 25 s can be awaited of the 60 s that are/,
        ),
      }),
    );
    expect(tunePages(texts, parseLinks('dsl-10m'))).toHaveLength(1);
  });
});

const urlFolder = mkdtempSync(join(tmpdir(), 'plumbfox-urls-'));
afterAll(() => rmSync(urlFolder, { recursive: true, force: true }));

function urlFile(text: string): string {
  const path = join(urlFolder, 'urls');
  writeFileSync(path, text);
  return path;
}

describe('the file of --urls', () => {
  test('one address per line; comments, blank lines, a byte order mark and ends of line of Windows are passed over; each counts once', () => {
    expect(parseUrlList('\uFEFF# mine\r\nhttps://a.test\r\n\r\n  http://b.test/x?y#z  \nhttps://a.test/\n', 'f')).toEqual([
      'https://a.test/',
      'http://b.test/x?y#z',
    ]);
  });

  test.each([
    ['https://a.test\nnonsense', /^--urls: f, line 2: "nonsense" is not an address/],
    ['example.org', /line 1: "example.org" is not an address such as https:\/\/example.org\//],
    ['\n\nfile:///etc/passwd', /line 3: only http and https addresses/],
    ['about:config', /line 1: only http and https/],
    [`x${'y'.repeat(500)}`, /^.{0,200}$/],
  ])('refused: %j', (text, says) => {
    expect(() => parseUrlList(text, 'f')).toThrow(says);
  });

  test('a file without addresses, with too many, or that is not there', async () => {
    await expect(readUrlFile(urlFile('# none\n'))).rejects.toThrow(/holds no address/);
    await expect(readUrlFile(urlFile(Array.from({ length: 1001 }, (_, n) => `http://h${n}.test/`).join('\n')))).rejects.toThrow(
      /more than 1000/,
    );
    expect(await readUrlFile(urlFile(Array.from({ length: 1000 }, (_, n) => `http://h${n}.test/`).join('\n')))).toHaveLength(1000);
    await expect(readUrlFile(join(urlFolder, 'none'))).rejects.toThrow(/cannot be read: there is no such file or folder \(ENOENT\)/);
  });
});
