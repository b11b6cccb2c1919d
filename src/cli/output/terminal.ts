/** The terminal: its width, the progress bar, Ctrl-C, and the question whether packages may be installed. */

import { createInterface } from 'node:readline/promises';
import type { WriteStream } from 'node:tty';
import { PlumbfoxError } from '../../core/errors.ts';
import { printableJson } from '../../core/text/text-table.ts';
import type { MayInstall } from '../../lab/ensure-programs.ts';
import { EXIT_CODES, oneLine } from '../errors.ts';
import { rootlessCommand } from './own-command.ts';

/** Columns of the terminal; where there is none, wide enough for every column of a table. */
export const terminalWidth = (): number => process.stdout.columns || 140;

/** Prints a text that was requested of a command. @returns the exit code. */
export function print(text: string): number {
  process.stdout.write(text);
  return EXIT_CODES.done;
}

/** Prints what a person should know besides the result, a line each, on stderr. */
export const printNotices = (lines: readonly string[]): void => {
  for (const line of lines) process.stderr.write(`${oneLine(line)}\n`);
};

/** A document as `--json` prints it. */
export const jsonText = (document: unknown): string => `${printableJson(JSON.stringify(document, null, 2))}\n`;

/** Whether stdout takes colours, see https://no-color.org/. */
export const hasColour = (): boolean => process.stdout.isTTY === true && !process.env.NO_COLOR;

/** A progress bar on stderr, so that stdout holds results only. Without a terminal, a line every tenth of the way. */
export interface ProgressBar {
  /** A separate line, above the bar. */
  log(line: string): void;
  /** @param progress - `leftMs`: time left, where the rest is known not to take as long as what is done. */
  show(progress: { done: number; total: number; label: string; leftMs?: number }): void;
  clear(): void;
}

const BAR_CELLS = 24;

/** @param options.plain - Never moves the cursor: for terminals that cannot (`TERM=dumb`). */
export function progressBar(stream: WriteStream, now: () => number, options: { readonly plain?: boolean } = {}): ProgressBar {
  const inPlace = stream.isTTY && options.plain !== true;
  const startedMs = now();
  let lastTenth = -1;
  const clear = () => {
    if (inPlace) stream.write('\r\x1b[2K');
  };
  return {
    clear,
    log: (line) => {
      clear();
      stream.write(`${line}\n`);
    },
    show: ({ done, total, label, leftMs }) => {
      const share = total === 0 ? 1 : done / total;
      const text = `${bar(share)} ${done}/${total}  ${leftMs === undefined ? remaining(share, now() - startedMs) : clockOf(leftMs)}  ${label}`;
      if (inPlace) {
        stream.write(`\r\x1b[2K${text.slice(0, (stream.columns || 80) - 1)}`);
        return;
      }
      const tenth = Math.floor(share * 10);
      if (tenth === lastTenth) return;
      lastTenth = tenth;
      stream.write(`${text}\n`);
    },
  };
}

function bar(share: number): string {
  const full = Math.round(share * BAR_CELLS);
  return `[${'#'.repeat(full)}${'.'.repeat(BAR_CELLS - full)}]`;
}

function remaining(share: number, elapsedMs: number): string {
  if (share <= 0) return 'time left unknown';
  return clockOf((elapsedMs * (1 - share)) / share);
}

function clockOf(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} left`;
}

/** Ctrl-C and SIGTERM: the first stops the run in good order, a second ends the process at once. */
export interface Interruption {
  interrupted(): boolean;
  /** @throws PlumbfoxError `interrupted` once it was; `what` says how far things were. */
  check(what: string): void;
  /** What to do first, so that whatever is waited for ends. */
  onInterrupt(action: () => Promise<void>): void;
  close(): void;
}

/** The progress of a long command, and its interruption. */
export interface Progress {
  readonly bar: ProgressBar;
  readonly interruption: Interruption;
}

/** Shows progress and watches for Ctrl-C while the work lasts. */
export async function withProgress<T>(work: (progress: Progress) => Promise<T>): Promise<T> {
  const now = () => performance.now();
  const bar = progressBar(process.stderr, now, { plain: process.env.TERM === 'dumb' });
  const interruption = watchInterrupts(now);
  try {
    return await work({ bar, interruption });
  } finally {
    bar.clear();
    interruption.close();
  }
}

/** npm passes Ctrl-C on to the command, which has had it from the terminal already: signals this close are one. */
const SAME_PRESS_MS = 700;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Watches SIGINT, SIGTERM and SIGHUP: the first stops the run in good order, a second ends the process at once. */
export function watchInterrupts(now: () => number): Interruption {
  let seenAtMs: number | undefined;
  let action: () => Promise<void> = async () => {};
  const stop = () => {
    // Whoever waits for what the action ends learns what went wrong with it.
    action().catch(() => {});
  };
  const onSignal = () => {
    if (seenAtMs !== undefined) {
      if (now() - seenAtMs > SAME_PRESS_MS) process.exit(EXIT_CODES.interrupted);
      return;
    }
    seenAtMs = now();
    process.stderr.write('\nStopping ...\n');
    stop();
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return {
    interrupted: () => seenAtMs !== undefined,
    check: (what) => {
      if (seenAtMs !== undefined) throw new PlumbfoxError('interrupted', what);
    },
    onInterrupt: (next) => {
      action = next;
      if (seenAtMs !== undefined) stop();
    },
    close: () => {
      for (const signal of SIGNALS) process.removeListener(signal, onSignal);
    },
  };
}

/** The answer of `--yes`, `--no-install`, or neither. */
export type InstallAnswer = 'yes' | 'no' | 'ask';

/** @throws PlumbfoxError `bad-input` for both. */
export function installAnswer(values: { readonly yes?: boolean | undefined; readonly 'no-install'?: boolean | undefined }): InstallAnswer {
  const no = values['no-install'] ?? false;
  if (values.yes && no) throw new PlumbfoxError('bad-input', '--yes and --no-install contradict each other; choose one');
  return values.yes ? 'yes' : no ? 'no' : 'ask';
}

/** Where a question is asked; a test passes its own. */
interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean };
}

export interface Asking {
  /** The arguments as they were given, for the command with `--yes`. */
  readonly args: readonly string[];
  /** Called before the question is shown, to remove a progress bar for example. */
  readonly before?: () => void;
  /** Ends the question where the command is interrupted. */
  readonly signal: AbortSignal;
}

/** Whether `ensurePrograms` may install, or how it asks. */
export function mayInstall(
  answer: InstallAnswer,
  asking: Asking,
  terminal: Terminal = { input: process.stdin, output: process.stderr },
): boolean | MayInstall {
  if (answer !== 'ask') return answer === 'yes';
  return async (packages) => {
    if (!canAsk(terminal)) {
      const command = rootlessCommand([...asking.args, '--yes']);
      return `Missing, and there is no terminal to ask whether apt-get may install them (to allow it: ${command})`;
    }
    asking.before?.();
    return (await asked(packages, asking.signal, terminal)) ? undefined : 'Missing, and nothing was installed';
  };
}

/** The options of `ensurePrograms`: whether it may install, asking where nothing was said, and a line when it does. */
export function installOptions(answer: InstallAnswer, { bar, interruption }: Progress) {
  const asking = new AbortController();
  interruption.onInterrupt(async () => asking.abort());
  return {
    install: mayInstall(answer, { args: process.argv.slice(2), before: () => bar.clear(), signal: asking.signal }),
    onInstall: (packages: readonly string[]) => bar.log(`Installing ${packages.join(', ')} ...`),
  };
}

const asked = (packages: readonly string[], signal: AbortSignal, terminal: Terminal): Promise<boolean> =>
  askYes(`Plumbfox needs ${packages.join(', ')}, for this whole machine. Install with apt-get?`, { signal, terminal });

interface AskOptions {
  /** Ends the question where the command is interrupted. */
  readonly signal?: AbortSignal;
  readonly terminal?: Terminal;
}

/** Whether a person can be asked here. */
export const canAsk = ({ input, output }: Terminal = { input: process.stdin, output: process.stderr }): boolean =>
  input.isTTY === true && output.isTTY === true;

/** Asks on stderr. Anything but yes is no, and so is the end of the input. */
export async function askYes(question: string, options: AskOptions = {}): Promise<boolean> {
  const { signal, terminal: { input, output } = { input: process.stdin, output: process.stderr } } = options;
  // Without `terminal` the system handles the keys, and Ctrl-C goes on being a signal.
  const lines = createInterface({ input, output, terminal: false });
  try {
    const ended = new Promise<string>((done) => lines.once('close', () => done('')));
    const answer = await Promise.race([lines.question(`${question} [y/N] `, signal === undefined ? {} : { signal }), ended]);
    return /^y(?:es)?$/i.test(answer.trim());
  } finally {
    lines.close();
  }
}
