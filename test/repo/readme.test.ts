/** README.md, CONTRIBUTING.md and the command's own help say what the code does. */
import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMPARE_HELP } from '../../src/cli/compare.ts';
import { EXIT_CODES } from '../../src/cli/errors.ts';
import { LAB_OPTIONS, labHelp } from '../../src/cli/lab/arguments.ts';
import { DEFAULT_DEEP_PROFILES, DEFAULT_PREDICT_PROFILES, predictHelp } from '../../src/cli/predict/arguments.ts';
import { parsePredictLinks } from '../../src/cli/predict/link.ts';
import { DEFAULT_PROFILES, DEFAULT_TIMEOUT_S, parseTuneArguments, tuneHelp } from '../../src/cli/tune/arguments.ts';
import { tuneJson } from '../../src/cli/tune/json.ts';
import { predict } from '../../src/core/predict/predict.ts';
import { predictJson } from '../../src/core/predict/predict-json.ts';
import { predictedProfiles } from '../../src/core/predict/predicted-profiles.ts';
import { FIREFOX_DEFAULT, presetNames } from '../../src/core/profiles/presets.ts';
import { PLUMBFOX_VERSION } from '../../src/core/version.ts';
import { DEFAULT_LINKS, LINKS } from '../../src/lab/link/links.ts';
import { DEFAULT_PAGES, PAGES } from '../../src/lab/pages/pages.ts';
import { STUDIES } from '../../src/lab/studies/all-studies.ts';
import { sampleReport } from '../golden/sample-report.ts';
import { filesUnder, jsonOf, ROOT, tableBelow, textOf } from './support/source-tree.ts';

const README = textOf('README.md');
/** What a help says of an option, lines of its own included. */
const meaningIn = (help: string, option: string): string =>
  new RegExp(`^ {2}${option}\\b[^\\n]*(?:\\n {12,}[^\\n]*)*`, 'm').exec(help)?.[0] ?? '';
/** Options that begin a line of a help. */
const listedIn = (help: string): readonly string[] => [...help.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, option = '']) => option);
const meaningOf = (option: string): string => meaningIn(tuneHelp(), option);

/** The options as a parser declares them. */
const optionsOf = (path: string): readonly string[] =>
  [...(/const OPTIONS = \{([\s\S]*?)\n\}/.exec(textOf(path))?.[1] ?? '').matchAll(/^ {2}'?([a-z-]+)'?: \{/gm)].map(
    ([, name]) => `--${name}`,
  );

const declared = optionsOf('src/cli/tune/arguments.ts');

describe('options of tune', () => {
  it('are all in the help, which docs/tune.md shows', () => {
    expect(declared.length).toBeGreaterThan(5);
    expect(declared.filter((option) => option !== '--help' && !tuneHelp().includes(option))).toEqual([]);
    expect(listedIn(tuneHelp()).filter((option) => !declared.includes(option))).toEqual([]);
  });

  it('have the defaults that the help states', () => {
    expect(meaningOf('--pages')).toContain(`default: ${DEFAULT_PAGES.join(',')}`);
    expect(meaningOf('--profiles')).toContain(`default: ${DEFAULT_PROFILES.join(',')}`);
    expect(meaningOf('--timeout')).toContain(`default: ${DEFAULT_TIMEOUT_S}`);
    expect(parseTuneArguments([]).links.map(({ name }) => name)).toEqual(DEFAULT_LINKS);
  });

  it('have the bounds that the help states', () => {
    for (const option of ['--blocks', '--seed', '--timeout']) {
      const [, min = '', max = ''] = /(\d+) to (\d+)/.exec(meaningOf(option)) ?? [];
      for (const inside of [min, max]) expect(() => parseTuneArguments([option, inside])).not.toThrow();
      expect(() => parseTuneArguments([option, String(Number(max) + 1)])).toThrow(/must lie between/);
    }
  });

  it('name every page, link and profile', () => {
    for (const name of [...PAGES, ...LINKS].map((each) => each.name)) expect(tuneHelp()).toContain(name);
    for (const name of presetNames()) expect(tuneHelp()).toContain(name);
  });
});

it('options of compare are all in its help, which docs/compare.md shows', () => {
  const parsed = optionsOf('src/cli/compare.ts');
  expect(parsed.length).toBeGreaterThan(3);
  expect(parsed.filter((option) => option !== '--help' && !COMPARE_HELP.includes(option))).toEqual([]);
  expect(listedIn(COMPARE_HELP).filter((option) => !parsed.includes(option))).toEqual([]);
});

describe('docs/predict.md', () => {
  it('shows the help, which has the options of the parser', () => {
    const parsed = optionsOf('src/cli/predict/arguments.ts');
    expect(parsed.length).toBeGreaterThan(5);
    expect(parsed.filter((option) => option !== '--help' && !predictHelp().includes(option))).toEqual([]);
    expect(listedIn(predictHelp()).filter((option) => !parsed.includes(option))).toEqual([]);
  });

  it('states the rule of recommendations in the order of the code, as the help does: which gains are sure, then the cheapest', () => {
    for (const text of [textOf('docs/predict.md'), predictHelp()]) {
      expect(text.replaceAll(/\s+/g, ' ')).toMatch(
        /gain is sure if it is at least 3 % .* a gain even at the low end of its bracket\. Recommended is the cheapest .* of the profiles with a sure gain that are within 3 % of the fastest of these/,
      );
    }
  });

  it('has the default profiles', () => {
    expect(meaningIn(predictHelp(), '--profiles')).toContain(
      `default: ${DEFAULT_PREDICT_PROFILES.join(',')}, and ${DEFAULT_DEEP_PROFILES.join(',')} where`,
    );
  });

  it('has the figures of a link, and their ranges', () => {
    for (const [figures = '', range = ''] of tableBelow('docs/predict.md', 'Links')) {
      const [, least = '', most = ''] = /(\d[\d.]*) to (\d[\d.]*)/.exec(range) ?? [];
      for (const figure of figures.split(', ')) {
        const link = (value: string) => {
          const given = { rtt: '1', down: '9', [figure]: value };
          return Object.entries(given)
            .map(([key, each]) => `${key}=${each}`)
            .join(',');
        };
        if (most === '') continue;
        for (const inside of [least, most]) expect(() => parsePredictLinks(link(inside))).not.toThrow();
        expect(() => parsePredictLinks(link(String(Number(most) * 2)))).toThrow(/must lie between/);
      }
    }
    // `cc` is a word, not a figure.
    const named = tableBelow('docs/predict.md', 'Links')
      .flatMap(([figures = '']) => figures.split(', '))
      .filter((figure) => figure !== 'cc');
    expect(() => parsePredictLinks('rtt=1,down=9,speed=1')).toThrow(`is not one of ${named.join(', ')}`);
  });

  it('names every member of the JSON document', () => {
    const described = declarationsIn('docs/predict.md');
    const page = { requests: [{ id: 'index', bytes: 1000 }] };
    const inferred = [{ field: 'sizes', requests: 1, rule: 'x' }] as const;
    const link = { name: 'l', basis: 'given', link: { rttMs: 1, downKbps: 9 } } as const;
    const scenarios = [{ page: 'p', link: 'l', runs: 1, predictions: predict({ page, link: link.link, profiles: ['firefox-default'] }) }];
    const document = predictJson({
      source: { kind: 'har', file: 'a.har' },
      pages: [{ name: 'p', page, inferred }],
      links: [link],
      scenarios,
      profiles: predictedProfiles(scenarios, { profiles: [FIREFOX_DEFAULT], baseline: FIREFOX_DEFAULT.id }),
      recommendation: { state: 'try', profileId: 'firefox-default', sentence: 'x', measure: 'x' },
      error: undefined,
      regimes: [],
      unmeasured: [],
      recorded: [{ page: 'p', link: 'l', profileId: 'firefox-default', loads: 1, loadTimeMs: 1 }],
      beside: [],
      notes: [],
    });
    expect(missingMembers(JSON.parse(JSON.stringify(document)), described)).toEqual([]);
  });
});

describe('options of lab', () => {
  it('are all in the help, which docs/lab.md shows', () => {
    expect(LAB_OPTIONS.filter((option) => !labHelp().includes(`--${option}`))).toEqual([]);
    const parsed = LAB_OPTIONS.map((option) => `--${option}`);
    expect(listedIn(labHelp()).filter((option) => !parsed.includes(option))).toEqual([]);
  });

  it('are for studies that docs/lab.md names, each with its question', () => {
    const named = tableBelow('docs/lab.md', 'Studies');
    expect(named.map(([id]) => id)).toEqual(STUDIES.map(({ id }) => id));
    expect(named.map(([, question]) => question)).toEqual(STUDIES.map(({ question }) => question));
    expect(named.map(([, , took]) => took)).toEqual(STUDIES.map(({ tookMinutes }) => String(tookMinutes ?? '–')));
  });
});

it('exit codes are those of the code, in docs/tune.md and in the help', () => {
  const table = tableBelow('docs/tune.md', 'Exit codes').filter(([code]) => /^\d+$/.test(code ?? ''));
  expect(table.map(([code]) => Number(code))).toEqual(Object.values(EXIT_CODES));
  const [, codes = ''] = /exit codes: ([\s\S]*)/.exec(tuneHelp()) ?? [];
  expect(codes.match(/\d+/g)?.map(Number)).toEqual(Object.values(EXIT_CODES));
});

it('docs/tune-json.md names every member of the JSON document', () => {
  const files = { report: '', html: '', policies: '', userJs: '', loads: '' };
  const document = JSON.parse(JSON.stringify(tuneJson(sampleReport(), files)));
  const described = declarationsIn('docs/tune-json.md');
  expect(missingMembers(document, described)).toEqual([]);
});

it('the table of permissions in docs/extension.md is the manifest’s', () => {
  const manifest = jsonOf('manifest.json') as { permissions: string[]; optional_permissions: string[]; host_permissions: string[] };
  const named = tableBelow('docs/extension.md', 'Permissions').map(([permission]) => permission);
  expect(manifest.host_permissions).toEqual(['<all_urls>']);
  expect(named).toEqual(['access to all websites', ...manifest.permissions, ...manifest.optional_permissions]);
});

it('scripts that are named exist, and so do the files they run', () => {
  const { scripts } = jsonOf('package.json') as { scripts: Readonly<Record<string, string>> };
  const texts = ['README.md', 'CONTRIBUTING.md', 'docs/tune.md', 'docs/extension.md', '.ci/run'].map(textOf).join('\n');
  const named = [...texts.matchAll(/\bnpm (?:run (?:--silent )?)?([a-z][a-z:-]*)/g)]
    .map(([, name = '']) => name)
    .filter((name) => !['ci', 'install', 'ls', 'pack', 'run'].includes(name));
  expect(new Set(named)).toContain('tune');
  expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  const run = Object.values(scripts).flatMap((script) => script.match(/(?:src|dist)\/\S+\.mjs/g) ?? []);
  expect(run.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

it('.ci/run does what the README says', () => {
  expect(README).toContain('npm ci && npm test');
  expect(textOf('.ci/run')).toMatch(/^npm ci\nnpm test$/m);
});

it.each(filesUnder('', ['.md']))('%s names only files that exist', (path) => {
  const named = [...textOf(path).matchAll(/`((?:src|test|assets|docs)\/[\w./-]*)`/g)].map(([, name = '']) => name);
  expect(named.filter((name) => !existsSync(join(ROOT, name)))).toEqual([]);
  const linked = [...textOf(path).matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, name = '']) => posix.join(posix.dirname(path), name));
  expect(linked.filter((name) => !existsSync(join(ROOT, name)))).toEqual([]);
});

it('the ways through the house go by files that exist', () => {
  const boxes = [...textOf('CONTRIBUTING.md').matchAll(/\["([^"]+)"\]/g)].flatMap(([, text = '']) => text.split('<br/>'));
  const files = boxes.filter((name) => /^[a-z-]+\/[\w/.-]+$/.test(name) && !name.startsWith('docs/'));
  expect(files.length).toBeGreaterThan(20);
  expect(files.filter((name) => !existsSync(join(ROOT, 'src', name)))).toEqual([]);
});

it('there is one version', () => {
  const { version } = jsonOf('package.json') as { version: string };
  expect(PLUMBFOX_VERSION).toBe(version);
  expect(jsonOf('manifest.json')).toMatchObject({ version });
  expect(textOf('CHANGELOG.md')).toContain(version);
});

it('the README is short enough to be read', () => {
  const lines = README.split('\n');
  expect(lines.length).toBeLessThanOrEqual(120);
  // Tables and links cannot be broken.
  expect(lines.filter((line) => line.length > 100 && !/^\||\]\(/.test(line))).toEqual([]);
});

/** The TypeScript that a page shows. */
const declarationsIn = (path: string): string => /```ts\n([\s\S]*?)```/.exec(textOf(path))?.[1] ?? '';

/** Names of object members, at any depth, that a text does not hold as words. Members of maps and arrays of text aside. */
function missingMembers(value: unknown, text: string): readonly string[] {
  if (Array.isArray(value)) return [...new Set(value.flatMap((each) => missingMembers(each, text)))];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    ...(new RegExp(`\\b${name}\\b`).test(text) ? [] : [name]),
    ...missingMembers(inner, text),
  ]);
}
