/** What is said of when and with what the published figures were made stands on their pages and in their files. */
import { describe, expect, it } from 'vitest';
import { conditionsOf, conditionsSentences, PUBLISHED } from '../../src/core/audit/published-conditions.ts';
import { STUDIES } from '../../src/lab/studies/all-studies.ts';
import { textOf } from './support/source-tree.ts';

describe('the conditions of what is published', () => {
  it('are those of every study', () => {
    const known = PUBLISHED.flatMap(({ id, kind }) => (kind === 'study' ? [id] : []));
    expect(known.toSorted()).toEqual(STUDIES.map(({ id }) => id));
  });

  it.each(PUBLISHED.filter(({ kind }) => kind === 'study'))('$id', ({ id, day, firefox, sender, loadAverage }) => {
    const page = textOf(`docs/results/${id}/findings.md`);
    expect(page).toContain(`- First load ${day}T`);
    expect(page).toContain(`- Firefox ${firefox} (build `);
    expect(page).toContain(`, TCP ${sender}, `);
    const [, low, high] = /load averages of a minute from (\d+\.\d) to (\d+\.\d)/.exec(page) ?? [];
    // In words, below its answer (repair: node src/tools/recompute-results.mjs).
    expect(page).toContain(`## When and with what it was measured\n\n${conditionsSentences(conditionsOf(id))}\n`);
    expect([loadAverage?.low, loadAverage?.high]).toEqual([low, high].map((each) => (each === undefined ? undefined : Number(each))));
  });

  it.each(PUBLISHED.filter(({ kind }) => kind === 'corpus'))('$id', ({ id, day, firefox, sender }) => {
    const { sessions } = JSON.parse(textOf(`test/${id}/loads.json`)) as {
      sessions: { startedAt: string; firefox: string; congestionControl: string }[];
    };
    expect([
      ...new Set(sessions.map(({ startedAt, ...rest }) => `${startedAt.slice(0, 10)} ${rest.firefox} ${rest.congestionControl}`)),
    ]).toEqual([`${day} ${firefox} ${sender}`]);
  });

  it('are said in sentences', () => {
    const said = PUBLISHED.flatMap((each) => (each.id === 'protocols' ? [conditionsSentences(each)] : []));
    expect(said).toEqual([
      'Made on 23 November 2026 in Firefox ESR 153.7.0; the servers sent with CUBIC. Other programs ran beside it (load average 10.4 to 18.7). Emulated links were less exact before 28 November 2026: of 30 ms asked, handshakes took 26.5 to 30.9 ms while pages loaded.',
    ]);
  });
});
