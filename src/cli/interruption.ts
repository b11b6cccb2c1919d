/** Ctrl-C and SIGTERM: the first stops the run in good order, a second ends the process at once. */
import { EXIT_CODES } from './exit-code.ts';

export interface Interruption {
  interrupted(): boolean;
  /** What to do first, so that whatever is waited for ends. */
  onInterrupt(action: () => Promise<void>): void;
  close(): void;
}

export function watchInterrupts(): Interruption {
  let seen = false;
  let action: () => Promise<void> = async () => {};
  const onSignal = () => {
    if (seen) process.exit(EXIT_CODES.interrupted);
    seen = true;
    process.stderr.write('\nStopping ...\n');
    void action();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  process.on('SIGHUP', onSignal);
  return {
    interrupted: () => seen,
    onInterrupt: (next) => {
      action = next;
      if (seen) void next();
    },
    close: () => {
      process.removeListener('SIGINT', onSignal);
      process.removeListener('SIGTERM', onSignal);
      process.removeListener('SIGHUP', onSignal);
    },
  };
}
