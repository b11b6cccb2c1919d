/** Text files of other programs: Firefox's, the system's. */
import { readFileSync, statSync } from 'node:fs';

/** Far larger than any profiles.ini, policies.json, passwd(5) or script that starts a program. */
const MAX_TEXT_BYTES = 4_000_000;

/** The text of a plain file; `undefined`: there is none that can be read, or it is larger than any of its kind. A FIFO or a device is not opened. */
export function plainText(path: string, encoding: 'utf8' | 'latin1' = 'utf8'): string | undefined {
  try {
    const found = statSync(path);
    return found.isFile() && found.size <= MAX_TEXT_BYTES ? readFileSync(path, encoding) : undefined;
  } catch {
    return undefined;
  }
}
