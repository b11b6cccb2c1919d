/**
 * The last owner of what fails in a process of ours when nobody waits for it. Node would print a stack of many lines and end with code 1
 * (https://nodejs.org/api/cli.html#--unhandled-rejectionsmode); a rejection that nobody handles comes here as an exception too.
 */

/** @param tell - Given one line; must end the process, which is in no known state any more. */
export function handleUnhandledErrors(tell: (line: string, error: unknown) => void): void {
  process.on('uncaughtException', (error: unknown) => {
    const text = error instanceof Error ? error.message : String(error);
    tell(`internal error: ${text.split('\n')[0] ?? ''}`, error);
  });
}
