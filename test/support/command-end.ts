/** How the commands of `npm run` that are not part of the product end: with the code of their answer, or one line and 2 for what was asked amiss. */
import { PlumbfoxError } from '../../src/core/errors.ts';

/** `main` answers the exit code. What is no PlumbfoxError is a fault of ours, and is thrown on. */
export async function endWithCodeOf(main: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await main();
  } catch (error) {
    if (!(error instanceof PlumbfoxError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 2;
  }
}
