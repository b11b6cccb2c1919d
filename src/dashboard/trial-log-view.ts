/** The log of a trial in words: its checks, its assignment, what was excluded and why, and what was on when. Pure. */
import type { HistoryExclusion } from '../core/field/history.ts';
import type { LogExclusion, LoggedCheck, TrialLog, TrialTurn } from '../core/field/trial-log.ts';
import type { PlainId } from '../core/text/messages.ts';
import { checkSentence } from '../core/trial/format-checks.ts';
import { settingsText } from '../views/profile-text.ts';
import { coreLanguage, format, text } from '../views/text.ts';
import { WHY } from './history-view.ts';

interface TableView {
  readonly id: string;
  readonly heading: string;
  readonly columns: readonly string[];
  /** The first cell of a row heads it. */
  readonly groups: readonly { readonly heading?: string; readonly rows: readonly (readonly string[])[] }[];
}

export interface TrialLogView {
  readonly sentences: readonly string[];
  /** Those without a row are not among them. */
  readonly tables: readonly TableView[];
}

/** A cell without a figure. */
const NONE = '–';
/** The newest; a table of more is slow to lay out, and nobody reads it. Chosen, not measured. */
const MAX_TURNS = 200;

/** @param log - `undefined`: there is no trial. @param now - Wall clock, ms since the epoch. */
export function trialLogView(log: TrialLog | undefined, now: number): TrialLogView {
  if (log === undefined) return { sentences: [text('log.none')], tables: [] };
  const clock = (at: number) => format.clock(at, now);
  return {
    sentences: [
      spanSentence(log, clock),
      ...(log.startedAt === undefined
        ? []
        : [
            text('log.counts', {
              loads: text('count.loads', { count: log.loads }),
              excluded: text('count.loads', { count: log.excluded.reduce((sum, { loads }) => sum + loads, 0) }),
            }),
          ]),
      ...log.pauses.map(({ from, to }) =>
        to === undefined ? text('log.pausedSince', { from: clock(from) }) : text('log.pause', { from: clock(from), to: clock(to) }),
      ),
      ...(log.turns.length > MAX_TURNS ? [text('log.older', { count: log.turns.length - MAX_TURNS })] : []),
    ],
    tables: [checksTable(log), armsTable(log), excludedTable(log), turnsTable(log, clock)].filter(({ groups }) =>
      groups.some(({ rows }) => rows.length > 0),
    ),
  };
}

function spanSentence({ startedAt, endedAt }: TrialLog, clock: (at: number) => string): string {
  if (startedAt === undefined) return text('log.planned');
  return endedAt === undefined
    ? text('log.since', { from: clock(startedAt) })
    : text('log.span', { from: clock(startedAt), to: clock(endedAt) });
}

const CHECKS: Readonly<Record<LoggedCheck['kind'], PlainId>> = {
  'sample-ratio': 'log.check.sampleRatio',
  'lost-loads': 'log.check.lostLoads',
  'not-in-effect': 'log.check.notInEffect',
  'carry-over': 'log.check.carryOver',
};

const OUTCOMES: Readonly<Record<LoggedCheck['outcome'], PlainId>> = {
  passed: 'log.passed',
  'too-early': 'log.tooEarly',
  warning: 'log.warning',
  failed: 'log.failed',
};

function checksTable({ checks }: TrialLog): TableView {
  return {
    id: 'log-checks',
    heading: text('log.checks'),
    columns: [text('log.check'), text('log.result'), text('log.finding')],
    groups: [
      {
        rows: checks.map((check) => [
          text(CHECKS[check.kind]),
          text(OUTCOMES[check.outcome]),
          [checkSentence(check, coreLanguage), ...figureOf(check)].join(' '),
        ]),
      },
    ],
  };
}

/** What a check that has passed has measured; the sentences of the others have it. */
function figureOf(check: LoggedCheck): readonly string[] {
  if (check.outcome !== 'passed') return [];
  if (check.kind !== 'carry-over' || check.after === undefined || check.ratio === undefined) return [];
  return [text('log.carryOver', { change: check.ratio, profile: settingsText(check.after) })];
}

const DROPPED: Readonly<Record<NonNullable<TrialLog['arms'][number]['dropped']>['reason'], PlainId>> = {
  harmful: 'log.dropped.harmful',
  worse: 'log.dropped.worse',
  same: 'log.dropped.same',
  'cannot-win': 'log.dropped.cannotWin',
  behind: 'log.dropped.behind',
  'not-applicable': 'log.dropped.notApplicable',
  'not-needed': 'log.dropped.notNeeded',
};

function armsTable({ arms }: TrialLog): TableView {
  return {
    id: 'log-arms',
    heading: text('log.arms'),
    columns: (['log.settings', 'log.turns', 'log.attempted', 'log.usable', 'log.lost', 'log.mismatched', 'log.count'] as const).map((id) =>
      text(id),
    ),
    groups: [
      {
        rows: arms.map(({ profileId, role, turns, attempted, usable, expected, lost, notInEffect, loads, dropped }) => [
          [
            settingsText(profileId),
            ...(role === 'candidate' ? [] : [`(${text(role === 'baseline' ? 'trial.baseline' : 'trial.control')})`]),
            ...(dropped ? [text('log.dropped', { block: dropped.block + 1, why: text(DROPPED[dropped.reason]) })] : []),
          ].join(' '),
          format.integer(turns),
          format.integer(attempted),
          usable === undefined || expected === undefined ? NONE : text('log.expected', { usable, expected: Math.round(expected) }),
          format.integer(lost),
          format.integer(notInEffect),
          format.integer(loads),
        ]),
      },
    ],
  };
}

const LOGGED: Readonly<Record<Exclude<LogExclusion, HistoryExclusion>, PlainId>> = {
  'wearing-off': 'log.wearingOff',
  'no-efficiency': 'log.noEfficiency',
  'not-recorded': 'log.notRecorded',
};

const whyLabel = (why: LogExclusion): string => text({ ...WHY, ...LOGGED }[why]);

function excludedTable({ excluded }: TrialLog): TableView {
  return {
    id: 'log-excluded',
    heading: text('log.excluded'),
    columns: [text('log.why'), text('sites.loads')],
    groups: [{ rows: excluded.map(({ why, loads }) => [whyLabel(why), format.integer(loads)]) }],
  };
}

function turnsTable({ turns }: TrialLog, clock: (at: number) => string): TableView {
  const shown = turns.slice(-MAX_TURNS);
  return {
    id: 'log-turns',
    heading: text('log.what'),
    columns: (['log.settings', 'log.block', 'log.from', 'log.to', 'log.count', 'log.excluded'] as const).map((id) => text(id)),
    groups: [{ rows: shown.map((turn) => turnRow(turn, clock)) }],
  };
}

const turnRow = (
  { profileId, block, from, to, loads, excluded, isCurrent }: TrialTurn,
  clock: (at: number) => string,
): readonly string[] => [
  settingsText(profileId),
  format.integer(block + 1),
  from === undefined ? NONE : clock(from),
  isCurrent ? text('log.now') : to === undefined ? NONE : clock(to),
  format.integer(loads),
  excluded.length === 0
    ? NONE
    : excluded.map(({ why, loads: count }) => text('log.reason', { loads: count, why: whyLabel(why) })).join(', '),
];
