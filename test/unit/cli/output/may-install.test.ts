/** Installing packages is asked for once, and only yes is yes. */
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { installAnswer, mayInstall } from '../../../../src/cli/may-install.ts';

const PACKAGES = ['firefox-esr', 'socat'];

function ask({ said, isTTY = true, signal = new AbortController().signal }: { said?: string; isTTY?: boolean; signal?: AbortSignal }) {
  const input = Object.assign(new PassThrough(), { isTTY });
  const output = Object.assign(new PassThrough(), { isTTY });
  const asking = { args: ['tune', '--out', 'my pages'], signal };
  const may = mayInstall('ask', asking, { input, output });
  if (typeof may === 'boolean') throw new Error('It does not ask');
  if (said !== undefined) input.end(said);
  return { answer: may(PACKAGES), shown: () => String(output.read() ?? '') };
}

describe('at a terminal', () => {
  it.each(['y\n', 'Yes\n', ' y \n'])('%j lets them be installed, and names them all', async (said) => {
    const { answer, shown } = ask({ said });
    expect(await answer).toBe(undefined);
    expect(shown()).toBe('Plumbfox needs firefox-esr, socat, for this whole machine. Install with apt-get? [y/N] ');
  });

  it.each(['n\n', '\n', '', 'yess\n', 'no\ny\n', 'y'])('%j does not', async (said) => {
    expect(await ask({ said }).answer).toBe('Missing, and not to be installed');
  });

  it('ends with the command', async () => {
    const interrupted = new AbortController();
    const { answer } = ask({ signal: interrupted.signal });
    interrupted.abort();
    await expect(answer).rejects.toThrow();
  });
});

it('without a terminal it says what to type, and asks nothing', async () => {
  const { answer, shown } = ask({ said: 'y\n', isTTY: false });
  expect(await answer).toMatch(/no terminal to ask at .*\(yes: .*tune --out 'my pages' --yes\)$/);
  expect(shown()).toBe('');
});

describe('the options', () => {
  it.each([
    [{}, 'ask'],
    [{ yes: true }, 'yes'],
    [{ 'no-install': true }, 'no'],
  ] as const)('%j: %s', (values, answer) => expect(installAnswer(values)).toBe(answer));
  it('are either or', () => expect(() => installAnswer({ yes: true, 'no-install': true })).toThrow(/choose one/));
});
