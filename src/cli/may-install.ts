/** Whether missing programs may be installed: asked once, at a terminal, unless it was said before. */
import { createInterface } from 'node:readline/promises';
import { PlumbfoxError } from '../core/errors.ts';
import type { MayInstall } from '../lab/ensure-programs.ts';
import { rootlessCommand } from './output/own-command.ts';

/** `--yes`, `--no-install`, or neither. */
export type InstallAnswer = 'yes' | 'no' | 'ask';

/** @throws PlumbfoxError `bad-input` for both. */
export function installAnswer(values: { readonly yes?: boolean | undefined; readonly 'no-install'?: boolean | undefined }): InstallAnswer {
  const no = values['no-install'] ?? false;
  if (values.yes && no) throw new PlumbfoxError('bad-input', '--yes lets packages be installed, and --no-install does not; choose one');
  return values.yes ? 'yes' : no ? 'no' : 'ask';
}

/** Where a question is put; given, so that a test can have its own. */
export interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean };
}

export interface Asking {
  /** Of the command, as they were given: it is named with `--yes`. */
  readonly args: readonly string[];
  /** What the question must not stand behind, such as a progress bar. */
  readonly before?: () => void;
  /** Ends the question where the command is interrupted. */
  readonly signal: AbortSignal;
}

/** What `ensurePrograms` is to do, by what was said. */
export function mayInstall(
  answer: InstallAnswer,
  asking: Asking,
  terminal: Terminal = { input: process.stdin, output: process.stderr },
): boolean | MayInstall {
  if (answer !== 'ask') return answer === 'yes';
  return async (packages) => {
    if (!terminal.input.isTTY || !terminal.output.isTTY) {
      const command = rootlessCommand([...asking.args, '--yes']);
      return `Missing, and there is no terminal to ask at whether apt-get may install them (yes: ${command})`;
    }
    asking.before?.();
    return (await asked(packages, asking.signal, terminal)) ? undefined : 'Missing, and not to be installed';
  };
}

/** Anything but yes is no, and so is the end of the input. */
async function asked(packages: readonly string[], signal: AbortSignal, { input, output }: Terminal): Promise<boolean> {
  // Without `terminal` the system handles the keys, and Ctrl-C goes on being a signal.
  const lines = createInterface({ input, output, terminal: false });
  try {
    const ended = new Promise<string>((done) => lines.once('close', () => done('')));
    const question = `Plumbfox needs ${packages.join(', ')}, for this whole machine. Install with apt-get? [y/N] `;
    const said = await Promise.race([lines.question(question, { signal }), ended]);
    return /^y(?:es)?$/i.test(said.trim());
  } finally {
    lines.close();
  }
}
