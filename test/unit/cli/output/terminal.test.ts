/** What the person at the terminal sees and does. */

import { PassThrough } from 'node:stream';
import type { WriteStream } from 'node:tty';
import { afterEach, describe, expect, it, test, vi } from 'vitest';
import packageJson from '../../../../package.json';
import { EXIT_CODES, exitCodeFor, oneLine } from '../../../../src/cli/errors.ts';
import {
  type Interruption,
  installAnswer,
  jsonText,
  mayInstall,
  progressBar,
  watchInterrupts,
} from '../../../../src/cli/output/terminal.ts';
import { PlumbfoxError, PreferenceRefused } from '../../../../src/core/errors.ts';
import { PLUMBFOX_VERSION } from '../../../../src/core/version.ts';

test.each([
  [new PlumbfoxError('bad-input', ''), 2],
  [new PreferenceRefused('network.http.max-connections', 'locked', ''), 2],
  [new PlumbfoxError('environment', ''), 3],
  [new PlumbfoxError('run-void', ''), 4],
  [new PlumbfoxError('interrupted', ''), 130],
  [new PlumbfoxError('internal', ''), 1],
  [new TypeError(''), 1],
  ['text', 1],
])('exit code of %o', (error, code) => {
  expect(exitCodeFor(error)).toBe(code);
});

test('the version is that of the package', () => {
  expect(PLUMBFOX_VERSION).toBe(packageJson.version);
});

test.each([
  ['a\nb\r\tc', 'a b  c'],
  ['\u001b[31mred\u0007', '\ufffd[31mred\ufffd'],
  ['a\u2028b\u202ec', 'a b\ufffdc'],
  ['  plain – text … ', 'plain – text …'],
  ['x'.repeat(2000), `${'x'.repeat(1000)} ...`],
])('one line of plain text: %j', (text, line) => {
  expect(oneLine(text)).toBe(line);
});

describe('the progress bar', () => {
  function screen(more: Partial<WriteStream>, options = {}) {
    const written: string[] = [];
    let nowMs = 0;
    const stream = { write: (text: string) => written.push(text), ...more } as unknown as WriteStream;
    return { written, at: (ms: number) => (nowMs = ms), bar: progressBar(stream, () => nowMs, options) };
  }

  test('stays in its line on a terminal, and never gets wider than it', () => {
    const { bar, written, at } = screen({ isTTY: true, columns: 40 });
    bar.show({ done: 0, total: 4, label: 'loads' });
    at(30_000);
    // A quarter took 30 s: three more take 90.
    bar.show({ done: 1, total: 4, label: 'a very long name of a profile on a page' });
    expect(written[0]).toBe('\r\u001b[2K[........................] 0/4  time le');
    expect(written[1]).toBe('\r\u001b[2K[######..................] 1/4  1:30 le');
    bar.log('a line');
    expect(written.slice(2)).toEqual(['\r\u001b[2K', 'a line\n']);
    bar.clear();
    expect(written.at(-1)).toBe('\r\u001b[2K');
  });

  test.each([
    ['no terminal', {}, {}],
    ['a terminal that cannot', { isTTY: true }, { plain: true }],
  ])('%s: a line every tenth, no control characters', (_name, stream, options) => {
    const { bar, written } = screen(stream, options);
    for (let done = 0; done <= 100; done++) bar.show({ done, total: 100, label: 'x' });
    bar.clear();
    // 0, 10, ..., 100.
    expect(written).toHaveLength(11);
    expect(written.join('')).toMatch(/^[ -~\n]+$/);
  });

  test('a run of nothing is done', () => {
    const { bar, written } = screen({});
    bar.show({ done: 0, total: 0, label: 'x' });
    expect(written[0]).toMatch(/^\[#{24}\] 0\/0 {2}0:00 left/);
  });
});

describe('Ctrl-C', () => {
  let watched: Interruption | undefined;
  afterEach(() => {
    watched?.close();
    vi.restoreAllMocks();
  });

  test('the first runs the action and is told; one within a moment is the same press; a later one ends the process', () => {
    const told = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never);
    let nowMs = 1000;
    const action = vi.fn(async () => {});
    watched = watchInterrupts(() => nowMs);
    watched.onInterrupt(action);
    expect(watched.interrupted()).toBe(false);
    watched.check('not thrown');
    process.emit('SIGINT');
    nowMs += 5;
    process.emit('SIGINT');
    expect([watched.interrupted(), action.mock.calls.length, told.mock.calls.length, exit.mock.calls.length]).toEqual([true, 1, 1, 0]);
    expect(() => watched?.check('in the middle')).toThrow(new PlumbfoxError('interrupted', 'in the middle'));
    nowMs += 2000;
    process.emit('SIGTERM');
    expect(exit).toHaveBeenCalledWith(EXIT_CODES.interrupted);
  });

  test('an action named after the press runs at once, and its failure is nobody else’s', () => {
    vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    watched = watchInterrupts(() => 0);
    process.emit('SIGHUP');
    const action = vi.fn(async () => {
      throw new Error('broken');
    });
    watched.onInterrupt(action);
    expect(action).toHaveBeenCalledOnce();
  });

  test('nobody listens any more after close', () => {
    const before = process.listenerCount('SIGINT');
    watched = watchInterrupts(() => 0);
    expect(process.listenerCount('SIGINT')).toBe(before + 1);
    watched.close();
    expect(process.listenerCount('SIGINT')).toBe(before);
  });
});

/** Installing packages is asked for once, and only yes is yes. */
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
    expect(await ask({ said }).answer).toBe('Missing, and nothing was installed');
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
  expect(await answer).toMatch(/no terminal to ask .*\(to allow it: .*tune --out 'my pages' --yes\)$/);
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

test('a document in JSON means the same and controls no terminal', () => {
  const document = { title: 'C1 \u009b2J, DEL \u007f, bidi \u202e \u061c, ESC \u001b, line \u2028, é 漢' };
  const text = jsonText(document);
  expect(JSON.parse(text)).toEqual(document);
  expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u);
  expect(text).toContain('é 漢');
});
