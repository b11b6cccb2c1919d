/** `lab run --pages` from its arguments to what `lab show` tells, without a browser. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { exitCodeFor } from '../../../../src/cli/errors.ts';
import { type LabRunArguments, parseLabArguments } from '../../../../src/cli/lab/arguments.ts';
import { checkSamePages, labPlan } from '../../../../src/cli/lab/plan.ts';
import { declared, labJson, labResults, labText } from '../../../../src/cli/lab/results.ts';
import { keepRunAside, labRun } from '../../../../src/cli/lab/run.ts';
import { PAGES } from '../../../../src/lab/pages/pages.ts';
import { appendStudyLine, readStudyLog, type StudyLine } from '../../../../src/lab/study-run/study-log.ts';
import { planFingerprint } from '../../../../src/lab/study-run/study-plan.ts';
import { madeLoad } from '../../lab/studies/made-load.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumbfox-other-pages-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const file = (name: string, content: unknown): string => {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};
const recipe = (name: string, more: object = {}) => ({ name, title: 'A page', documentBytes: 2000, resources: [], ...more });
const asked = (...args: readonly string[]): LabRunArguments => {
  const parsed = parseLabArguments(['run', ...args]);
  if (parsed.command !== 'run') throw new Error('no run');
  return parsed;
};
const refused = (says: RegExp) => expect.objectContaining({ kind: 'bad-input', message: expect.stringMatching(says) });

describe('the arguments', () => {
  test.each<[readonly string[], RegExp]>([
    [['list', 'x'], /^lab list: "x" is one argument too many$/],
    [['check', 'x'], /^lab check: "x" is one argument too many$/],
    [['run', 'warm-up', 'x'], /^lab run: "x" is one argument too many$/],
    [['--lanes', '3'], /^lab needs a command: run, list, check, show\./],
    [['run', 'warm-up', '--only', 'page='], /^--only: page= needs a value$/],
    [['run', 'warm-up', '--only', 'wiki'], /^--only takes page=..., link=..., profile=..., not "wiki"$/],
    [['run', 'warm-up', '--repeats', '-1'], /^--repeats needs a value; write one that begins with a dash as --repeats=VALUE/],
    [['run', 'warm-up', '--repeats=-1'], /^--repeats must be a whole number, not "-1"$/],
    [['run', 'warm-up', '--pages', ' ,'], /^--pages needs a value$/],
    [['run', 'warm-up', '--resume', '--cut'], /^--resume continues a run with its own settings: it takes no --cut$/],
  ])('%j are refused', (args, says) => {
    expect(() => parseLabArguments(args)).toThrow(refused(says));
  });

  test('--pages takes several, each once', () => {
    expect(asked('warm-up', '--pages', 'wiki,a.json', '--pages', 'wiki').pages).toEqual(['wiki', 'a.json']);
    expect(asked('warm-up').pages).toBeUndefined();
  });
});

describe('the plan', () => {
  test('has the pages of the files in place of the study', () => {
    const { study, plan, otherPages } = labPlan(
      asked('modern-defaults', '--pages', file('mine.json', recipe('mine')), '--only', 'page=h2-mine'),
    );
    expect(study.pages.map(({ name }) => name)).toEqual(['h1-mine', 'h2-mine', 'h3-mine']);
    expect(plan.pages.map(({ name }) => name)).toEqual(['h2-mine']);
    expect(otherPages).toEqual([{ recipe: recipe('mine'), file: 'mine.json' }]);
    expect(labPlan(asked('modern-defaults')).otherPages).toBeUndefined();
  });

  test.each<[string, unknown, RegExp]>([
    ['an empty file', '', /^--pages: .*page\.json: is empty$/],
    ['a HAR', { log: {} }, /page\.json: is a HAR, not yet a page recipe; plumbfox import-har .*page\.json --out recipe\.json writes one$/],
    [
      'a 13th server',
      recipe('a', { resources: [{ name: 'b', kind: 'image', bytes: 1, origin: 12, from: 'body' }] }),
      /"a" cannot be served \(resources\.0\.origin\): the lab has 12 servers, numbered 0 to 11$/,
    ],
    ['a page of the study', recipe('h1-docs'), /^--pages: page\.json is named "h1-docs" like a page of modern-defaults/],
  ])('is refused for %s', (_what, content, says) => {
    expect(() => labPlan(asked('modern-defaults', '--pages', file('page.json', content)))).toThrow(refused(says));
  });

  test('names the pages there are, where --only names another', () => {
    const args = asked('modern-defaults', '--pages', file('mine.json', recipe('mine')), '--only', 'page=h1-docs');
    expect(() => labPlan(args)).toThrow(refused(/^--only: the study has no page "h1-docs"\. It has h1-mine, h2-mine, h3-mine$/));
  });
});

/** A run of `study` on a page of one's own, one load of each profile on each page and link: profiles later in the plan are quicker. */
function begun(study: string, ...args: readonly string[]): StudyLine {
  const options = asked(study, '--pages', file('mine.json', recipe('mine')), '--seed', '1', ...args);
  const { plan, otherPages } = labPlan(options);
  const line: StudyLine = {
    ...{ format: 1, id: study, seed: 1, repeats: 1, fingerprint: planFingerprint(plan), otherPages: [...(otherPages ?? [])] },
    ...{
      pages: plan.pages.map(({ name }) => name),
      links: plan.links.map(({ name }) => name),
      profiles: plan.profiles.map(({ id }) => id),
    },
  };
  const path = join(folder, 'loads.jsonl');
  appendStudyLine(path, { study: line });
  const versions = {
    plumbfox: '0',
    firefox: { version: '1', buildId: '2' },
    applier: 'driver' as const,
    os: 'o',
    node: 'n',
    congestionControl: 'c',
  };
  appendStudyLine(path, { session: { number: 0, startedAt: '2026-01-01T00:00:00.000Z', ...versions, servers: {} } });
  for (const planned of plan.blocks.flatMap(({ loads }) => loads)) {
    const loadTimeMs = 1000 - 10 * plan.profiles.findIndex(({ id }) => id === planned.profileId);
    appendStudyLine(path, { load: madeLoad({ ...planned, loadTimeMs }), session: 0, attempt: 0 });
  }
  return line;
}

const NOTE = (id: string) => `Pages instead of those of ${id}: mine (mine.json; A page).`;

describe('what is told of such a run', () => {
  test('are comparison and places where the findings are about pages of the study, and nothing of the original', () => {
    begun('fennec-2008', '--only', 'link=wimax-2008', '--repeats', '1');
    const results = labResults(folder);
    expect([results.counts.valid, results.planned]).toEqual([20, 20]);
    expect(results.findings.answer[0]).toBe(NOTE('fennec-2008'));
    expect(results.findings.answer[1]).toMatch(/^This is a part of the study, 1 of 8 links: 20 loads where the whole has 160\./);
    expect(results.findings.answer[2]).toMatch(
      /^What fennec-2008 asks, and the figures it was prompted by, are about its own pages; nothing is said/,
    );
    expect(results.findings.comparisonWithOriginal).toEqual([]);
    expect(results.findings.tables.map(({ title }) => title)).toEqual([
      'Efficiency and load time against firefox-default, over all pages and links',
      'Places by median efficiency on each page and link',
      'By page and link: median load times, the shortest chosen after the fact',
    ]);
    // 20 profiles: the first of the plan takes 1000 ms, firefox-default is the 19th, the control the last.
    expect(results.findings.tables[2]?.rows).toEqual([['mine', 'wimax-2008', '20', '0.82 s', '0.81 s', 'control', '1.00 s', 'c1-d2']]);
    expect(results.report.provenance.notes).toContain(NOTE('fennec-2008'));
    const text = labText(results, undefined);
    expect(text).not.toMatch(/2008 most efficiently|tiki|Beside the original/);
    expect(text.match(/Pages instead of those/g)).toHaveLength(1);
  });

  test('are the captures that are missing, on the screen as in the file, where the run was stopped', () => {
    const line = begun('fennec-2008', '--only', 'link=wimax-2008', '--repeats', '1');
    const path = join(folder, 'loads.jsonl');
    const [, ...rest] = readFileSync(path, 'utf8').split('\n');
    // After five of its 20 loads, with captures of none.
    writeFileSync(path, `${[JSON.stringify({ study: { ...line, capture: true } }), ...rest.slice(0, 1 + 5)].join('\n')}\n`);
    const text = labText(labResults(folder), undefined);
    expect(text).toContain('\n20 of 20 captures are missing; of their loads: 15 not made, 5 without all of their packets.\n');
  });

  test('are the findings of the study where they hold for any page', () => {
    begun('modern-defaults', '--only', 'page=h1-mine,link=dsl-25m', '--repeats', '1');
    const results = labResults(folder);
    expect(results.findings.answer[0]).toBe(NOTE('modern-defaults'));
    expect(results.findings.answer).toHaveLength(5);
    const document: unknown = JSON.parse(JSON.stringify(labJson(results, undefined)));
    expect(document).toMatchObject({
      study: { id: 'modern-defaults', otherPages: [{ name: 'mine', title: 'A page', file: 'mine.json' }] },
    });
  });
});

describe('a run that is taken up again', () => {
  test('is the same run, with every page of the lab comparisonWithOriginal', () => {
    const line = begun('fennec-2008', '--cut', '--pages', PAGES.map(({ name }) => name).join(','));
    expect(line.pages).toHaveLength(1 + PAGES.length);
    expect(planFingerprint(declared(readStudyLog(join(folder, 'loads.jsonl')), folder).plan)).toBe(line.fingerprint);
  });

  test('goes on with what it keeps of its pages, or with the same ones; others are refused', () => {
    begun('fennec-2008', '--cut');
    const line = readStudyLog(join(folder, 'loads.jsonl')).study;
    const check = (pages: readonly string[] | undefined) =>
      checkSamePages(labPlan(asked('fennec-2008', ...(pages ? ['--pages', pages.join(',')] : []))).otherPages, {
        folder: 'DIR',
        begun: line,
      });
    check(undefined);
    check([file('renamed.json', recipe('mine'))]);
    expect(() => check([file('mine.json', recipe('mine', { documentBytes: 2001 }))])).toThrow(
      refused(/^--pages: mine\.json has changed since the run in DIR was begun\. Without --pages it continues with what it began with/),
    );
    expect(() => check(['wiki'])).toThrow(refused(/^--pages: the run in DIR was begun with mine\.json\. /));
    expect(() => checkSamePages([{ recipe: recipe('mine') as never }], { folder: 'DIR', begun: line && withoutPages(line) })).toThrow(
      refused(/^--pages: the run in DIR was begun with the pages of fennec-2008\. /),
    );
  });
});

describe('a run that is taken up again as something else', () => {
  const settled = (study: StudyLine): void => {
    rmSync(join(folder, 'loads.jsonl'));
    appendStudyLine(join(folder, 'loads.jsonl'), { study });
  };

  test.each<[string, (line: StudyLine) => void, readonly string[], RegExp]>([
    ['another study', () => {}, ['warm-up'], / holds a run of fennec-2008, not of warm-up$/],
    ['other pages', () => {}, ['fennec-2008', '--pages', 'wiki'], /^--pages: the run in .* was begun with mine\.json\. /],
    [
      'another time limit',
      (line) => settled({ ...line, timeoutS: 120, capture: false }),
      ['fennec-2008', '--timeout', '5'],
      /^--timeout: the run in .* was begun with --timeout 120\. /,
    ],
    [
      'packets it did not record',
      (line) => settled({ ...line, timeoutS: 120, capture: false }),
      ['fennec-2008', '--capture'],
      /^--capture: the run in .* was begun with no --capture\. /,
    ],
    [
      'a study that has changed',
      (line) => settled({ ...line, fingerprint: '0000000000000000' }),
      ['fennec-2008'],
      /^fennec-2008 has changed since the run in .*: that run cannot be continued\. Start a new one$/,
    ],
  ])('is refused before anything starts: %s', async (_what, change, args, says) => {
    change(begun('fennec-2008', '--cut'));
    const before = readFileSync(join(folder, 'loads.jsonl'), 'utf8');
    const error: unknown = await labRun(asked(...args, '--resume', '--out', folder)).catch((each: unknown) => each);
    expect(error).toEqual(refused(says));
    expect(String((error as Error).message).split('\n')).toHaveLength(1);
    expect(exitCodeFor(error)).toBe(2);
    expect(readFileSync(join(folder, 'loads.jsonl'), 'utf8')).toBe(before);
  });
});

const withoutPages = ({ otherPages: _pages, ...line }: StudyLine): StudyLine => line;

test('a run that begins in a folder that is not empty loses nothing of what is there', async () => {
  for (const name of ['report.json', 'findings.md', 'notes.txt']) file(name, `mine: ${name}`);
  mkdirSync(join(folder, 'pictures'));
  expect(await keepRunAside(folder)).toEqual(['report.json.before-1', 'findings.md.before-1', 'pictures.before-1']);
  expect(readdirSync(folder).sort()).toEqual(['findings.md.before-1', 'notes.txt', 'pictures.before-1', 'report.json.before-1']);
  expect(readFileSync(join(folder, 'report.json.before-1'), 'utf8')).toBe('mine: report.json');
  expect(await keepRunAside(folder)).toEqual([]);
});
