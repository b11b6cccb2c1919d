import { describe, expect, it, test } from 'vitest';
import { checkAnyValid, nextSteps, writtenLines } from '../../../../src/cli/tune/results.ts';
import type { Recommendation } from '../../../../src/core/compare/comparison.ts';
import type { Report } from '../../../../src/core/report/report.ts';
import { sampleReport } from '../../../golden/sample-report.ts';

const both: Recommendation = {
  profileId: 'c4-d6',
  state: 'recommended',
  sentence: '',
  gateway: { connections: 4, depth: 6 },
  settingsAlone: { profileId: 'c8-d1', state: 'recommended', sentence: '' },
};
const neither: Recommendation = {
  profileId: null,
  state: 'need-more-loads',
  sentence: '',
  settingsAlone: { profileId: null, state: 'need-more-loads', sentence: '' },
};
const kept: Recommendation = {
  ...neither,
  state: 'keep-baseline',
  profileId: 'firefox-default',
  settingsAlone: { profileId: 'firefox-default', state: 'keep-baseline', sentence: '' },
};
const at = {
  longer: undefined,
  expression: 'c8-d1',
  html: 'out/report.html',
  plumbfox: 'node /home/ana/plumbfox.mjs',
  platform: 'linux',
} as const;

describe('nextSteps', () => {
  it('applies what settings alone gain, and names the gateway for the rest', () => {
    expect(nextSteps({ ...at, recommendation: both })).toEqual([
      'Next:',
      '  Apply             node /home/ana/plumbfox.mjs apply --profile c8-d1',
      '  Undo              node /home/ana/plumbfox.mjs revert',
      '  With the gateway  node /home/ana/plumbfox.mjs gateway --connections 4 --depth 6 SITE',
      '  Open              xdg-open out/report.html',
    ]);
  });

  it.each([neither, kept])('applies nothing where nothing is proven', (recommendation) => {
    expect(nextSteps({ ...at, recommendation })).toEqual(['Next:', '  Open  xdg-open out/report.html']);
  });

  it('names the run that decides, and how long it takes', () => {
    const longer = { arguments: 'tune --pages wiki --blocks 13', takes: 'about 12 min' };
    expect(nextSteps({ ...at, recommendation: neither, longer })).toContain(
      '  To decide  node /home/ana/plumbfox.mjs tune --pages wiki --blocks 13 (about 12 min)',
    );
  });

  it('quotes a folder with a space, for each system', () => {
    const last = (platform: NodeJS.Platform) => nextSteps({ ...at, html: "my pages/it's.html", platform, recommendation: neither }).at(-1);
    expect(last('linux')).toBe("  Open  xdg-open 'my pages/it'\\''s.html'");
    expect(last('darwin')).toBe("  Open  open 'my pages/it'\\''s.html'");
  });
});

it('tells to apply the expression of a name that only this run knows, and nothing where there is none', () => {
  const recommendation = { ...both, settingsAlone: { ...both.settingsAlone, profileId: 'again' } };
  expect(nextSteps({ ...at, recommendation, expression: 'c8-d1+network.prefetch-next=false' }).join('\n')).toContain(
    'apply --profile c8-d1+network.prefetch-next=false\n',
  );
  expect(nextSteps({ ...at, recommendation, expression: null }).join('\n')).not.toMatch(/apply|revert/);
});

const files = { report: 'o/report.json', html: 'o/report.html', policies: 'o/policies.json', userJs: 'o/user.js' };

test('the files of a run in a column, and what two of them set', () => {
  expect(writtenLines(files, { state: 'free', profileId: 'c8-d1', policyIgnores: [] }).slice(3)).toEqual([
    '  o/policies.json  c8-d1 for administrators',
    '  o/user.js        c8-d1 for one Firefox profile',
  ]);
});

test('what is not written is named, with the reason', () => {
  const neither = { ...files, policies: null, userJs: null };
  expect(writtenLines(neither, { state: 'nothing' }).slice(3)).toEqual([
    'Not written: policies.json and user.js, because nothing is proven faster by settings alone.',
  ]);
  expect(writtenLines(neither, { state: 'priced', profileId: 'fast', prices: ['network.x=false: It tells.'] }).slice(3)).toEqual([
    'Not written: policies.json and user.js, because fast has a price:',
    '  network.x=false: It tells.',
  ]);
  const ignoring = { state: 'free', profileId: 'fast', policyIgnores: ['security.x'] } as const;
  expect(writtenLines({ ...files, policies: null }, ignoring).slice(3)).toEqual([
    '  o/user.js        fast for one Firefox profile',
    "Not written: policies.json, because Firefox's policy engine ignores security.x.",
  ]);
});

describe('checkAnyValid', () => {
  const sample = sampleReport();
  const excluded = sample.loads.map((load) => ({ ...load, validity: { state: 'void', reason: 'a proxy is set' } as const }));
  const search = { steps: [] } as unknown as NonNullable<Report['search']>;

  it('refuses a run and a search of which no load is valid, with the first reason', () => {
    expect(() => checkAnyValid({ loads: excluded }, 'o/report.json')).toThrow(
      'No load was valid: a proxy is set. Details are in o/report.json',
    );
    expect(() => checkAnyValid({ loads: excluded, search }, 'o/report.json')).toThrow('No load was valid: a proxy is set');
    expect(() => checkAnyValid({ loads: [] }, 'o/report.json')).toThrow('none was made');
  });

  it('takes one valid load, and a search that had nothing to measure', () => {
    expect(() => checkAnyValid(sample, 'o/report.json')).not.toThrow();
    expect(() => checkAnyValid({ loads: [], search }, 'o/report.json')).not.toThrow();
  });
});
