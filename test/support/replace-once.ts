/**
 * One replacement of a file in a process of its own, so that it can be killed in the middle: FILE, the new content (`-`: remove it), the
 * content that is there (`-`: none), and a path that it asks for before it tells how it went, so that a trace of it shows where to end. Begins when a byte comes on its input; ends with 0, or with 3 and one line that says why not.
 */
import { accessSync, readSync } from 'node:fs';
import { hashOf } from '../../src/helper/files/checked-file.ts';
import { replaceFile } from '../../src/helper/files/replace-file.ts';

const [path = '', content = '-', former = '-', mark = ''] = process.argv.slice(2);
const bytes = (text: string) => (text === '-' ? undefined : Buffer.from(text));
const expected = bytes(former);

function end(code: number, line: string): void {
  try {
    accessSync(mark);
  } catch {}
  process.stdout.write(`${line}\n`);
  process.exitCode = code;
}

process.stdout.write('ready\n');
readSync(0, Buffer.alloc(1));
replaceFile({ path, content: bytes(content), expected: expected && hashOf(expected), uid: process.getuid?.() ?? 0 }).then(
  (hash) => end(0, hash),
  (error: Error) => end(3, error.message),
);
