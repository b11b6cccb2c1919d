/** What a study's report says of its links follows from the log, not from what the study declares by now. */
import { expect, test } from 'vitest';
import type { CongestionControlName } from '../../../../src/core/report/report.ts';
import { modernDefaults } from '../../../../src/lab/studies/modern-defaults.ts';
import type { LinkLine, SessionLine, StudyLine } from '../../../../src/lab/study-run/study-log.ts';
import { planFingerprint, studyPlan } from '../../../../src/lab/study-run/study-plan.ts';
import { studyReport } from '../../../../src/lab/study-run/study-report.ts';

const CUT = modernDefaults.cut;
const PLAN = studyPlan(modernDefaults, { cut: CUT, seed: 1 });

const session = (congestionControl: string): SessionLine => ({
  ...{ number: 0, startedAt: '2026-11-22T12:00:00.000Z', plumbfox: '0.1.0', firefox: { version: '153.0', buildId: '1' } },
  ...{ applier: 'experiment-api', os: 'Linux', node: '20', congestionControl, servers: {} },
});
const study = (fingerprint: string): StudyLine => ({
  ...{ format: 1, id: modernDefaults.id, seed: 1, repeats: 1, pages: [], links: [], profiles: [], fingerprint },
});
const check = (congestionControl?: CongestionControlName): LinkLine[] =>
  PLAN.links.map(({ name }) => ({
    ...{ name, lane: 0, at: 0, measured: { rttMs: 1, downKbps: 1 }, ok: true },
    ...(congestionControl !== undefined && { congestionControl }),
  }));

const senders = ({ usual, fingerprint, logged }: { usual: string; fingerprint: string; logged?: CongestionControlName }) => {
  const record = { study: study(fingerprint), sessions: [session(usual)], links: check(logged), interference: [], loads: [] };
  const { links, provenance } = studyReport({ study: modernDefaults, plan: PLAN, record, seed: 1 });
  return [...new Set([...links.map(({ asked }) => asked?.congestionControl), provenance.congestionControl])];
};

test('the study declares Reno by now', () => {
  expect(new Set(PLAN.links.map(({ congestionControl }) => congestionControl))).toEqual(new Set(['reno']));
});

test.each([
  ['a log of the study as it is: what it declares', { usual: 'cubic', fingerprint: planFingerprint(PLAN) }, 'reno'],
  ['a log from before links named any: what the session sent with', { usual: 'cubic', fingerprint: 'older' }, 'cubic'],
  ['the same of a session with Reno', { usual: 'reno', fingerprint: 'older' }, 'reno'],
  ['a log that names it for every link', { usual: 'reno', fingerprint: 'older', logged: 'cubic' as const }, 'cubic'],
])('%s', (_what, log, sender) => {
  expect(senders(log)).toEqual([sender]);
});
