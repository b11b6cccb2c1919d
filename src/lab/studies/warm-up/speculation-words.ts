/** What is said of connections ahead of need: two tables and two sentences. */
import type { Verdict, VersusBaseline } from '../../../core/compare/comparison.ts';
import { VERDICT_LABELS } from '../../../core/report/verdict-words.ts';
import { counted, percent, rangeInWords, signedPercent, UNKNOWN } from '../../../core/text/figures.ts';
import { DOORS, doors } from '../../pages/doors.ts';
import type { StudyTable } from '../findings.ts';
import { allOnDemand, type SpeculationCell, type SpeculationVerdicts } from './speculation.ts';
import { spreadOf } from './spread.ts';
import { eachText } from './words.ts';

const VERDICTS: Readonly<Record<Verdict, string>> = { ...VERDICT_LABELS, 'need-more-loads': 'undecided' };

type Column = StudyTable['columns'][number];
const left = (name: string): Column => ({ name, align: 'left' });
const right = (name: string): Column => ({ name, align: 'right' });

/** A row per link and profile; with one or two loads each, every figure instead of their middle. */
export function speculationTable(cells: readonly SpeculationCell[]): StudyTable {
  const few = cells.every(({ loads }) => loads <= 2);
  return {
    title: `Connections ahead of need: first requests to ${DOORS} servers at once (${doors.name}), ms, ${few ? 'every load' : 'median, lowest to highest load'}`,
    columns: [
      left('link'),
      left('profile'),
      ...['loads', `connected to on demand, of ${DOORS} servers`, 'first byte', 'all answered'].map(right),
    ],
    rows: cells.map(({ link, profileId, loads, onDemand, firstByteMs, allMs }) => [
      link.name,
      profileId,
      String(loads),
      few ? onDemand.join(', ') : serversText(onDemand),
      ...[firstByteMs, allMs].map((values) => eachText(values, spreadOf(values))),
    ]),
  };
}

/** Without verdicts only its heading. */
export function verdictTable(verdicts: SpeculationVerdicts | undefined, baseline: string): StudyTable {
  return {
    title: `Connections ahead of need: efficiency of whole loads on new connections against ${baseline}, ${verdicts ? pooled(verdicts) : 'not measured'}`,
    columns: [left('profile'), ...['pairs', 'efficiency', 'interval'].map(right), left('verdict')],
    rows: [...(verdicts?.versus ?? [])].map(([id, { ratio, low, high, pairs, verdict }]) => [
      id,
      String(pairs),
      ratio === undefined ? UNKNOWN : signedPercent(ratio - 1),
      low === undefined || high === undefined ? UNKNOWN : rangeInWords(low, high),
      VERDICTS[verdict],
    ]),
  };
}

/** `pooled over 3 pages x 2 links, 12 pairs, 95 % for both comparisons together`. */
function pooled({ versus, pages, links, method: { alpha, intervals } }: SpeculationVerdicts): string {
  const pairs = [...new Set([...versus.values()].map((each) => each.pairs))].sort((a, b) => a - b);
  const pairsText = pairs.length > 1 ? `${pairs[0]} to ${counted(pairs.at(-1) ?? 0, 'pair')}` : counted(pairs[0] ?? 0, 'pair');
  const together = intervals === 1 ? '' : intervals === 2 ? ' for both comparisons together' : ` for ${intervals} comparisons together`;
  return `pooled over ${counted(pages, 'page')} x ${counted(links, 'link')}, ${pairsText}, ${percent(1 - alpha)}${together}`;
}

/** None of what was not measured under two profiles. */
export function speculationSentences(
  cells: readonly SpeculationCell[],
  { verdicts, baseline }: { readonly verdicts: SpeculationVerdicts | undefined; readonly baseline: string },
): readonly string[] {
  return [...onDemandSentence(cells), ...verdictSentence(verdicts, baseline)];
}

function onDemandSentence(cells: readonly SpeculationCell[]): readonly string[] {
  const ids = [...new Set(cells.map(({ profileId }) => profileId))];
  if (ids.length < 2) return [];
  const loads = cells.reduce((sum, cell) => sum + cell.loads, 0);
  if (allOnDemand(cells)) {
    return [
      `Allowing ${listed(ids.map(limitOf))} connections ahead of need changed nothing that could be seen: all ${DOORS} servers were connected to only on demand in every load (${loads} loads of ${doors.name}). What connections opened ahead would spare is not shown.`,
    ];
  }
  const parts = ids.map((id) => {
    const servers = cells.filter(({ profileId }) => profileId === id).flatMap(({ onDemand }) => onDemand);
    return `with at most ${limitOf(id)} ahead of need ${serversText(servers)}`;
  });
  return [`Of ${DOORS} servers, connected to only on demand in a load (${loads} loads of ${doors.name}): ${parts.join(', ')}.`];
}

/** `11`, `3 to 5`. */
function serversText(servers: readonly number[]): string {
  const [low, high] = [Math.min(...servers), Math.max(...servers)];
  return low === high ? String(low) : `${low} to ${high}`;
}

const limitOf = (id: string): string => id.replace('speculative-', '');

const listed = (words: readonly string[]): string => `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;

function verdictSentence(verdicts: SpeculationVerdicts | undefined, baseline: string): readonly string[] {
  if (verdicts === undefined) return [];
  const parts = [...verdicts.versus].map(([id, versus]) => `at most ${limitOf(id)}: ${versusText(versus)}`);
  return [
    `Efficiency of whole loads on new connections against at most ${limitOf(baseline)} ahead of need, ${pooled(verdicts)}: ${parts.join('; ')}.`,
  ];
}

function versusText({ ratio, low, high, verdict }: VersusBaseline): string {
  if (ratio === undefined) return 'not measured';
  const interval = low === undefined || high === undefined ? 'not bounded yet' : rangeInWords(low, high);
  return `${signedPercent(ratio - 1)} (${interval}), ${VERDICTS[verdict]}`;
}
