import { describe, expect, it } from 'vitest';
import type { TrialLog } from '../../../src/core/field/trial-log.ts';
import { trialLogView } from '../../../src/dashboard/trial-log-view.ts';
import { english } from '../../support/english.ts';
import { NOW, plain } from '../controls/sample-state.ts';

const MINUTE = 60_000;
const LOG: TrialLog = {
  id: 't1',
  status: 'running',
  startedAt: NOW - 90 * MINUTE,
  baseline: 'firefox-default',
  arms: [
    {
      profileId: 'firefox-default',
      role: 'baseline',
      turns: 2,
      attempted: 30,
      lost: 1,
      loads: 20,
      usable: 29,
      expected: 28.6,
      notInEffect: 0,
    },
    {
      ...{ profileId: 'c8-d1', role: 'candidate', turns: 1, attempted: 25, lost: 0, loads: 12, notInEffect: 3 },
      dropped: { reason: 'worse', block: 4 },
    },
  ],
  turns: [
    {
      ...{ block: 0, profileId: 'c8-d1', from: NOW - 80 * MINUTE, to: NOW - 70 * MINUTE, loads: 8, isCurrent: false },
      excluded: [
        { why: 'washout', loads: 3 },
        { why: 'wearing-off', loads: 1 },
      ],
    },
    { block: 1, profileId: 'firefox-default', loads: 0, excluded: [], isCurrent: true },
  ],
  pauses: [{ from: NOW - 60 * MINUTE, to: NOW - 50 * MINUTE }],
  loads: 32,
  excluded: [
    { why: 'washout', loads: 3 },
    { why: 'not-recorded', loads: 1 },
  ],
  checks: [
    { kind: 'carry-over', outcome: 'passed', after: 'c8-d1', ratio: 0.98, evidence: 1 },
    { kind: 'lost-loads', outcome: 'too-early', arms: [{ profileId: 'c8-d1', usable: 3, attempted: 3, evidence: 1, lost: 0 }] },
  ],
};
const view = (more: Partial<TrialLog> = {}) => plain(trialLogView({ ...LOG, ...more }, NOW));
const tableOf = (id: string, more: Partial<TrialLog> = {}) => view(more).tables.find((table) => table.id === id);
const rowsOf = (id: string) => tableOf(id)?.groups.map(({ rows }) => rows);

describe('the log of a trial', () => {
  it('says since when, how many loads count, and its pauses', () => {
    const { sentences } = view();
    expect(sentences).toHaveLength(3);
    expect(sentences[1]).toBe(english('log.counts', { loads: '32 loads', excluded: '4 loads' }));
  });

  it('has each check with its result and what it found', () => {
    const [[afterEffects, lost] = []] = rowsOf('log-checks') ?? [];
    expect(afterEffects?.slice(0, 2)).toEqual([english('log.check.carryOver'), english('log.passed')]);
    expect(afterEffects?.[2]).toContain(english('log.carryOver', { profile: '8 connections', change: 0.98 }));
    expect(lost?.slice(0, 2)).toEqual([english('log.check.lostLoads'), english('log.tooEarly')]);
  });

  it('has the assignment, and why settings are out', () => {
    const [[baseline, candidate] = []] = rowsOf('log-arms') ?? [];
    expect(baseline).toEqual([
      `${english('trend.baseline')} (${english('trial.baseline')})`,
      '2',
      '30',
      english('log.expected', { usable: 29, expected: 29 }),
      '1',
      '0',
      '20',
    ]);
    expect(candidate?.[0]).toBe(`8 connections ${english('log.dropped', { block: 5, why: english('log.dropped.worse') })}`);
    expect(candidate?.slice(1)).toEqual(['1', '25', '–', '0', '3', '12']);
  });

  it('has what was on when, and what was excluded', () => {
    const turns = tableOf('log-turns');
    expect(turns?.groups[0]?.rows[0]?.at(-1)).toBe(`${english('history.washout')}: 3, ${english('log.wearingOff')}: 1`);
    expect(turns?.groups[0]?.rows[1]).toEqual([english('trend.baseline'), '2', '–', english('log.now'), '0', '–']);
    expect(rowsOf('log-excluded')).toEqual([
      [
        [english('history.washout'), '3'],
        [english('log.notRecorded'), '1'],
      ],
    ]);
  });

  it('leaves a table without rows away', () => {
    expect(tableOf('log-checks', { checks: [] })).toBeUndefined();
  });

  it('says that there is no trial', () => {
    expect(trialLogView(undefined, NOW)).toEqual({ sentences: [english('log.none')], tables: [] });
  });
});
