/** The command that may decide what a report leaves open. */
import { describe, expect, it } from 'vitest';
import { parseTuneArguments } from '../../../../src/cli/tune/arguments.ts';
import type { Recommendation } from '../../../../src/core/compare/comparison.ts';
import { longerRun } from '../../../../src/core/report/longer-run.ts';
import type { Report } from '../../../../src/core/report/report.ts';
import { parseReport } from '../../../../src/protocol/parse-report.ts';
import { sampleReport } from '../../../golden/sample-report.ts';

const open = (loadsNeeded: number | undefined): Recommendation => ({
  ...{ profileId: null, state: 'need-more-loads', sentence: '' },
  settingsAlone: { profileId: null, state: 'need-more-loads', sentence: '', ...(loadsNeeded !== undefined && { loadsNeeded }) },
});

/** Three blocks of four scenarios, 60 s a block. */
function leaving(recommendation: Recommendation, command: string[] | undefined = ['--pages', 'wiki']): Report {
  const sample = sampleReport();
  const [load] = sample.loads;
  const [scenario] = sample.comparison.scenarios;
  if (load === undefined || scenario === undefined) throw new Error('the sample has loads');
  return {
    ...sample,
    provenance: { ...sample.provenance, ...(command && { command }) },
    loads: [0, 1, 2].map((block) => ({ ...load, block, startedAt: 1000 + 90_000 * block })),
    comparison: { ...sample.comparison, scenarios: Array.from({ length: 4 }, () => scenario), recommendation },
  };
}

describe('a run that is longer', () => {
  it('has the blocks that were made and those that are missing, and takes as long a block', () => {
    // 40 loads of 4 scenarios are ten blocks more; three blocks took 180 s.
    expect(longerRun(leaving(open(40)))).toEqual({ arguments: 'tune --pages wiki --blocks 13', takes: 'about 13 min' });
  });

  it('is none where nothing is open, nobody knows how much it takes, it takes too much, or another program made the report', () => {
    expect(
      longerRun(leaving({ ...open(40), settingsAlone: { profileId: 'c8-d1', state: 'recommended', sentence: '' }, state: 'none' })),
    ).toBeUndefined();
    expect(longerRun(leaving(open(undefined)))).toBeUndefined();
    expect(longerRun(leaving(open(1001)))).toBeUndefined();
    expect(longerRun(leaving(open(800)))).toBeUndefined();
    expect(longerRun({ ...leaving(open(40)), provenance: sampleReport().provenance })).toBeUndefined();
  });

  it('is a command that tune takes: what it measured, links apart, and no folder that exists', () => {
    const asked = [
      '--pages',
      'wiki',
      '--links',
      'far-2m;rtt=30,down=8000',
      '--profiles',
      'c8-d1',
      '--blocks',
      '3',
      '--seed',
      '4',
      '--out',
      'o',
    ];
    const { command, ...first } = parseTuneArguments(asked);
    expect(command).toEqual(['--pages', 'wiki', '--links', 'far-2m', '--links', 'rtt=30,down=8000', '--profiles', 'c8-d1']);
    const [, ...words] = longerRun(leaving(open(40), [...(command ?? [])]))?.arguments.split(' ') ?? [];
    const again = parseTuneArguments(words);
    expect(again).toMatchObject({ pages: first.pages, links: first.links, profiles: first.profiles, blocks: 13, out: undefined });
  });

  it('is not offered in words that a shell would change, nor read from a report that holds such', () => {
    expect(parseTuneArguments(['--profiles', 'c8-d1', '--real-network', '--urls', 'my pages.txt']).command).toBeUndefined();
    expect(() => parseReport(JSON.parse(JSON.stringify(leaving(open(40), ['--pages', 'wiki; rm -rf /']))))).toThrow();
  });
});
