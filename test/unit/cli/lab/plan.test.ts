import { describe, expect, it } from 'vitest';
import { checkSameSettings, resumeCommand, runSettings } from '../../../../src/cli/lab/plan.ts';
import type { StudyLine } from '../../../../src/lab/study-run/study-log.ts';

type Asked = Parameters<typeof resumeCommand>[0]['options'];

const study = { timeoutS: 60 };
const asked: Asked = { study: 'sample', lanes: undefined, timeoutS: undefined, capture: false };
const line: StudyLine = { format: 1, id: 'sample', seed: 1, repeats: 1, pages: [], links: [], profiles: [], fingerprint: 'f' };
const passed = (lanes: number, ok = true) => ({ session: 0, lanes, page: 'wiki', link: 'far', profiles: [], ok });

describe('a run that begins', () => {
  it('takes the time-out of the study, five lanes for each processor, and no packets, unless told otherwise', () => {
    expect(runSettings({ options: asked, study, processors: 2 })).toEqual({ timeoutS: 60, capture: false, lanes: 10 });
    const told = { ...asked, lanes: 3, timeoutS: 9, capture: true };
    expect(runSettings({ options: told, study, processors: 2 })).toEqual({ timeoutS: 9, capture: true, lanes: 3 });
  });
});

describe('a run that is taken up again', () => {
  const begun = { ...line, timeoutS: 20, capture: true };
  const resumed = (options: Partial<Asked>, record: { study: StudyLine; lanes?: number[] }) =>
    runSettings({
      options: { ...asked, ...options },
      study,
      processors: 2,
      record: { study: record.study, interference: (record.lanes ?? []).map((lanes) => passed(lanes)) },
    });

  it('goes on with the time-out and the packets of its beginning; what is asked counts only where its log does not know', () => {
    expect(resumed({}, { study: begun })).toEqual({ timeoutS: 20, capture: true, lanes: 10 });
    expect(resumed({ timeoutS: 9, capture: true }, { study: line })).toEqual({ timeoutS: 9, capture: true, lanes: 10 });
  });

  it.each<[string, Partial<Asked>, StudyLine, RegExp | undefined]>([
    ['nothing is asked', {}, begun, undefined],
    ['the same is asked', { timeoutS: 20, capture: true }, begun, undefined],
    ['an early log does not know', { timeoutS: 30, capture: true }, line, undefined],
    [
      'another time-out is asked',
      { timeoutS: 30 },
      begun,
      /^--timeout: the run in DIR was begun with --timeout 20\. Without --timeout it continues with that; without --resume a new one begins$/,
    ],
    [
      'packets are asked of a run without',
      { capture: true },
      { ...begun, capture: false },
      /^--capture: the run in DIR was begun with no --capture\. Without --capture it continues with that; without --resume a new one begins$/,
    ],
  ])('where %s, is refused only what differs', (_what, options, study, says) => {
    const check = () => checkSameSettings({ ...asked, ...options }, { folder: 'DIR', begun: study });
    if (says === undefined) check();
    else expect(check).toThrow(expect.objectContaining({ kind: 'bad-input', message: expect.stringMatching(says) }));
  });

  it('takes as many lanes as passed last, and says so where they are fewer', () => {
    const { lanes, lanesWhy } = resumed({}, { study: begun, lanes: [8, 2] });
    expect(lanes).toBe(2);
    expect(lanesWhy).toMatch(/^At most 2 lanes, .*--lanes allows more$/);
    expect(resumed({}, { study: begun, lanes: [12] })).toEqual({ timeoutS: 20, capture: true, lanes: 10 });
  });

  it('takes as many lanes as it is told, whatever passed', () => {
    expect(resumed({ lanes: 10 }, { study: begun, lanes: [2] })).toEqual({ timeoutS: 20, capture: true, lanes: 10 });
  });
});

describe('the command that goes on', () => {
  const again = (options: Partial<Asked>, begun: StudyLine | undefined) =>
    resumeCommand({ options: { ...asked, ...options }, folder: 'out', begun });

  it('names what the log does not know', () => {
    expect(again({}, line)).toBe('plumbfox lab run sample --resume --out out');
    expect(again({ lanes: 2, timeoutS: 9, capture: true }, line)).toBe(
      'plumbfox lab run sample --resume --out out --lanes 2 --timeout 9 --capture',
    );
  });

  it('leaves out what the log knows', () => {
    expect(again({ timeoutS: 9, capture: true }, { ...line, timeoutS: 9, capture: true })).toBe(
      'plumbfox lab run sample --resume --out out',
    );
  });
});
