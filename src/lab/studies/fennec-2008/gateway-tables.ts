/** The tables of the 2008 study against what this Firefox ships: link by link, and page by page with the intervals. */

import { BASELINE_ID, CONTROL_ID } from '../../../core/profiles/presets.ts';
import { counted, rangeInWords, UNKNOWN } from '../../../core/text/figures.ts';
import type { AgainstShipped } from '../fennec-2008-gateway.ts';
import type { StudyTable } from '../findings.ts';
import type { StudyData } from '../study.ts';
import type { OverPages } from './intervals.ts';
import { efficiencyOf, type RankedStudy, ratioOver, type StudyScenario } from './scenarios.ts';
import { changeOf, figureText } from './words.ts';

interface Facts {
  readonly against: AgainstShipped;
  /** Loads of a profile in a scenario, in words. */
  readonly each: string;
}

export function gatewayTables({ scenarios }: RankedStudy, { links, pages }: StudyData, facts: Facts): readonly StudyTable[] {
  const table = (of: 'link' | 'page', names: readonly string[]): StudyTable => ({
    title: `${titleOf(facts)}, ${of} by ${of}; geometric means (n = ${of === 'link' ? counted(pages.length, 'page') : counted(links.length, 'link')}, ${facts.each})`,
    columns: columnsOf(of, facts),
    rows: [
      ...names.map((name) =>
        row(
          name,
          scenarios.filter((scenario) => scenario[of] === name),
          facts,
        ),
      ),
      row(`all ${counted(scenarios.length, 'scenario')}`, scenarios, facts),
    ],
  });
  const byPage = table(
    'page',
    pages.map(({ name }) => name),
  );
  return [
    table(
      'link',
      links.map(({ name }) => name),
    ),
    { ...byPage, rows: [...byPage.rows, intervalRow(facts)] },
  ];
}

function titleOf({ against: { pick } }: Facts): string {
  return `What this Firefox ships, the same through the gateway (${CONTROL_ID}: 6 connections, depth 1)${pick === undefined ? '' : `, and ${pick.id}`}`;
}

function columnsOf(first: string, { against: { pick } }: Facts): StudyTable['columns'] {
  const figures = [
    BASELINE_ID,
    CONTROL_ID,
    'gateway alone',
    ...(pick === undefined ? [] : [pick.id, `${pick.id} over ${BASELINE_ID}`, `${pick.id} over ${CONTROL_ID}`]),
  ];
  return [{ name: first, align: 'left' }, ...figures.map((name) => ({ name, align: 'right' as const }))];
}

function row(name: string, part: readonly StudyScenario[], { against: { pick } }: Facts): readonly string[] {
  return [
    name,
    figureText(efficiencyOf(part, BASELINE_ID)),
    figureText(efficiencyOf(part, CONTROL_ID)),
    changeOf(ratioOver(part, CONTROL_ID, BASELINE_ID)),
    ...(pick === undefined
      ? []
      : [
          figureText(efficiencyOf(part, pick.id)),
          changeOf(ratioOver(part, pick.id, BASELINE_ID)),
          changeOf(ratioOver(part, pick.id, CONTROL_ID)),
        ]),
  ];
}

function intervalRow({ against: { alone, pick } }: Facts): readonly string[] {
  const range = ({ low, high }: OverPages) => (low === undefined || high === undefined ? UNKNOWN : rangeInWords(low, high));
  return [
    '95 % interval over pages',
    '',
    '',
    range(alone),
    ...(pick === undefined
      ? []
      : ['', ...[pick.overShipped, pick.overControl].map((over) => `${range(over)} (all ${over.comparisons} together)`)]),
  ];
}
