import { describe, expect, it } from 'vitest';
import { ACCURACY_HELP, parseAccuracyArguments } from '../../accuracy/harness/accuracy-arguments.ts';

describe('the arguments of accuracy', () => {
  it('have defaults', () => {
    expect(parseAccuracyArguments([])).toEqual({
      json: false,
      write: false,
      lantern: true,
      fit: false,
      help: false,
      corpus: 'test/corpus',
      scenario: undefined,
      profile: undefined,
      model: {},
      worst: 5,
    });
  });

  it('are taken', () => {
    expect(
      parseAccuracyArguments(['--scenario', 'wiki/far-2m', '--profile', 'c4-d6', '--json', '--no-lantern', '--corpus', 'x']),
    ).toMatchObject({
      scenario: 'wiki/far-2m',
      profile: 'c4-d6',
      json: true,
      lantern: false,
      corpus: 'x',
    });
    expect(parseAccuracyArguments(['--write', '--worst', '0'])).toMatchObject({ write: true, worst: 0 });
    const model = ['--model', 'backupAfterMs=12.5', '--model', 'holdsBack=false', '--model', 'dispatch=bundled'];
    expect(parseAccuracyArguments(model).model).toEqual({ backupAfterMs: 12.5, holdsBack: false, dispatch: 'bundled' });
  });

  it.each([
    [['--worst', 'many'], /--worst must be a whole number/],
    [['--worst', '-1'], /worst/],
    [['--worst', '1001'], /from 0 to 1000/],
    [['--profile', 'c4-d6'], /--profile goes with --scenario/],
    [['--write', '--scenario', 'a/b'], /leave --scenario out/],
    [['--model', 'nothing=1'], /--model needs a member .*Members: dispatch, /],
    [['--model', 'backupAfterMs=soon'], /not "backupAfterMs=soon"/],
    [['--model', 'holdsBack'], /a value of its kind/],
    [['--model', 'holdsBack=false', '--write'], /leave --model out/],
    [['--nothing'], /--nothing/],
    [['surplus'], /surplus/],
  ])('refuse %j', (args, message) => {
    expect(() => parseAccuracyArguments(args)).toThrow(message);
  });

  it('are all in the help', () => {
    for (const option of [
      '--scenario',
      '--profile',
      '--worst',
      '--model',
      '--corpus',
      '--no-lantern',
      '--fit',
      '--write',
      '--json',
      '--help',
    ]) {
      expect(ACCURACY_HELP).toContain(`  ${option}`);
    }
  });
});
