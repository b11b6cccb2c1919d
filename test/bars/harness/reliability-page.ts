/** docs/reliability.md, from the bars and what was found out about them. */
import type { Bar } from '../bar.ts';
import { barResult, type Counted } from './bar-result.ts';
import { MAX_CUT_MINUTES, MAX_MINUTES } from './bars-arguments.ts';
import type { GuardRun, Records } from './records.ts';

/** What is measured wins over what is asked for: the page says nothing of a bar but what its last run counted. */
export function reliabilityPage(bars: readonly Bar[], records: Records): string {
  const parts = [
    HEAD,
    inShort(bars, records),
    METHODS,
    '## The thirty bars',
    'Each row is the last run of the bar\'s tests. "Cut": not all of them were run in full, some only in the short form that `npm test` runs.',
    barTable(bars, records),
    '## Seen failing',
    'For each bar a few lines that keep it were taken out of a copy of the code, and a test of the bar failed. A test that nobody has seen fail shows nothing.',
    guardTable(bars, records),
    '## Not run here',
    'What was not run on this machine is not counted above.',
    notHereList(bars),
    '## Apart',
    'These belong to a bar and take longer than the rest together; each has a command and a page of its own.',
    apartList(bars),
  ];
  return `${parts.join('\n\n')}\n`;
}

const HEAD = `# How Plumbfox is tested

Plumbfox sits on people's browsing, changes their preferences and can put a proxy into their path. This page says what was done to it, what
held, and how often. It is written by \`npm run bars\` from \`docs/reliability.json\`; nothing in it is typed by hand but the descriptions.
Each count is of the commit and the day beside it. What was written since is held by the short forms, which every run of the tests makes.`;

const METHODS = `## How it is done

**Real programs.** Bars that speak of Firefox run Firefox ESR, headless, with a profile, a home folder and an \`/etc/firefox\` of their own. Helper,
gateway and command run as the processes they are. Servers are on this machine; nothing goes to the network.

**Faults are made, not imagined.** Processes are killed with SIGKILL at random moments. strace makes each system call of a write fail in turn, or
kills the process at it. Disks of 120 MB are filled. Database files are overwritten, cut off and unlinked. A racer exchanges files and folders
while they are written. Hosts of native messaging crash, hang and answer garbage. Policies, preference files, messages and reports are fuzzed, with fixed
seeds, so that a failure can be seen again.

**Counts, not impressions.** Each test says how often it tried and how often it held. A bar is held when every try held, each kind of try was counted,
and no test of its files failed. A test that was passed over has counted nothing, so its bar is not held.

**Every guard is missed.** \`npm run bars -- --guards\` takes the guard of each bar out of a copy of the code, builds it, and expects an assertion of the
bar's own test to fail. A build that breaks does not count.

**Commands.** \`npm test\` runs the tests named here in their short form, those in long files in one run of three. \`npm run bars\` runs the full forms in at most ${MAX_MINUTES} minutes, file by file;
interrupted, it goes on where it was. \`npm run bars -- --cut\` runs the short forms alone, all in one go, and \`npm run bars -- 13 17\` only these.`;

function inShort(bars: readonly Bar[], records: Records): string {
  const held = bars.flatMap((bar) => barResult(bar, records.runs) ?? []).filter((result) => result.held);
  const full = held.filter(({ extent }) => extent === 'full').length;
  const tries = held.reduce((sum, { counts }) => sum + counts.reduce((all, { of }) => all + of, 0), 0);
  const seen = bars.filter((bar) => bar.guards.length > 0 && guardsOf(bar, records).every(({ run }) => run?.outcome === 'failed')).length;
  const rest = bars.filter((bar) => !barResult(bar, records.runs)?.held).map(({ number }) => number);
  return [
    `**${held.length} of ${bars.length} bars held**, ${full} in full and ${held.length - full} in the cut alone: ${thousands(tries)} tries, none failed.`,
    `**${seen} of ${bars.length} were seen failing** with each of their guards removed.`,
    cutWords(records),
    rest.length === 0 ? '' : `Not held, or not counted yet: ${rest.join(', ')}.`,
  ]
    .filter((line) => line !== '')
    .join(' ');
}

function cutWords({ cut }: Records): string {
  if (cut === undefined) return '';
  const over = cut.seconds > MAX_CUT_MINUTES * SECONDS_PER_MINUTE ? `, **more than the ${MAX_CUT_MINUTES} minutes they may take**` : '';
  return `The short forms, run in one go as \`npm test\` runs them, held ${cut.held} of the bars and took ${Math.round(cut.seconds)} s${over} (${cut.commit ?? 'no clone'}, ${cut.date}).`;
}

function barTable(bars: readonly Bar[], records: Records): string {
  const rows = bars.map((bar) => {
    const run = barResult(bar, records.runs);
    const what = [String(bar.number), `**${bar.title}.** ${bar.fault}`, bar.holds];
    if (run === undefined) return [...what, 'not run yet', '', '', ''];
    const state = run.held
      ? countsText(run.counts)
      : `**not held**: ${run.why}${run.counts.length > 0 ? `; ${countsText(run.counts)}` : ''}`;
    return [...what, state, run.extent, duration(run.seconds), run.commits.join('; ')];
  });
  return table(['bar', 'fault', 'must hold', 'held of tried', 'extent', 'took', 'commit, date'], rows);
}

const guardsOf = (bar: Bar, { guards }: Records) =>
  bar.guards.map((guard) => ({
    guard,
    run: guards.find((one): one is GuardRun => one.bar === bar.number && one.removed === guard.removed),
  }));

function guardTable(bars: readonly Bar[], records: Records): string {
  const rows = bars.flatMap((bar) => {
    if (bar.guards.length === 0) return [[String(bar.number), 'none named yet', '', '', '']];
    return guardsOf(bar, records).map(({ guard, run }) => [
      String(bar.number),
      `${guard.removed} (${[...new Set(guard.replacements.map(({ file }) => `\`${file}\``))].join(', ')})`,
      run === undefined ? 'not run yet' : { failed: 'failed', survived: '**not noticed**', broken: '**nothing shown**' }[run.outcome],
      run === undefined ? '' : [run.test, run.said].filter((text) => text !== '').join(': '),
      run === undefined ? '' : `${run.commit ?? 'no clone'}, ${run.date}`,
    ]);
  });
  return table(['bar', 'guard removed', 'its test', 'which, and what it said', 'commit, date'], rows);
}

const notHereList = (bars: readonly Bar[]): string => list(bars, ({ notHere }) => notHere);
const apartList = (bars: readonly Bar[]): string => list(bars, ({ apart }) => apart);

function list(bars: readonly Bar[], text: (bar: Bar) => string | undefined): string {
  const lines = bars.flatMap((bar) => {
    const said = text(bar);
    return said === undefined ? [] : [`- Bar ${bar.number}: ${said}`];
  });
  return lines.length > 0 ? lines.join('\n') : 'Nothing.';
}

/** "100,000 of 100,000 frames, 26 of 26 cuts". */
export const countsText = (counts: readonly Counted[]): string =>
  counts.length === 0 ? 'nothing counted' : counts.map(({ what, held, of }) => `${thousands(held)} of ${thousands(of)} ${what}`).join(', ');

const thousands = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',');

const SECONDS_PER_MINUTE = 60;

const duration = (seconds: number): string =>
  seconds < 2 * SECONDS_PER_MINUTE ? `${Math.round(seconds)} s` : `${Math.round(seconds / SECONDS_PER_MINUTE)} min`;

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), `|${' --- |'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

/** As text of one cell, whatever a test has printed. */
const cell = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\n', ' ');
