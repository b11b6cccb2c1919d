/** Runs a program to its end. The lab's only way of doing so: no shell, arguments as a list. */
import { spawn } from 'node:child_process';
import { PlumbfoxError } from '../../core/errors.ts';

/** `code`: `null` where a signal ended it, as after `timeoutMs`. */
interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandOptions {
  readonly env?: NodeJS.ProcessEnv;
  /** After this time it is killed with all that it started, and its code is `null`. */
  readonly timeoutMs?: number;
}

const STOPPED_BY: ReadonlySet<string> = new Set(['SIGINT', 'SIGTERM', 'SIGHUP']);

/** @throws PlumbfoxError `environment` when the program cannot be started, `interrupted` when it was stopped by a signal of the person's. */
export function tryCommand(command: readonly string[], options: CommandOptions = {}): Promise<CommandResult> {
  const [program, ...rest] = command as [string, ...string[]];
  return new Promise((resolve, reject) => {
    const child = spawn(program, rest, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: options.env ?? process.env,
      // Its own group, so that what it started can be killed with it.
      detached: options.timeoutMs !== undefined && process.platform !== 'win32',
    });
    let stdout = '';
    let stderr = '';
    const kill = () => {
      try {
        if (child.pid !== undefined) process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL');
      } catch {
        // It has just ended by itself.
      }
    };
    const timer = options.timeoutMs === undefined ? undefined : setTimeout(kill, options.timeoutMs);
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    child.once('error', (error) => {
      clearTimeout(timer);
      reject(new PlumbfoxError('environment', `${program} could not be started: ${error.message}`, { cause: error }));
    });
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      // It had the signal from the terminal, as the command had: its output is incomplete.
      if (signal !== null && STOPPED_BY.has(signal)) reject(new PlumbfoxError('interrupted', `${program} was stopped (${signal})`));
      else resolve({ code, stdout, stderr });
    });
  });
}

/** @returns what it printed. @throws PlumbfoxError `environment` with its last line when it fails. */
export async function runCommand(command: readonly string[], options: CommandOptions = {}): Promise<string> {
  const { code, stdout, stderr } = await tryCommand(command, options);
  if (code !== 0) {
    throw new PlumbfoxError('environment', `${command.join(' ')} failed: ${stderr.trim().split('\n').at(-1) || `exit code ${code}`}`);
  }
  return stdout;
}
