/**
 * Our block in somebody's user.js: it goes to the end, where it wins over every other line, and everything else stays as it is, byte for
 * byte. Files are "binary" strings, one character per byte.
 */
import { PlumbfoxError } from '../errors.ts';
import { type PreferenceFile, parsePreferenceFile } from './preference-statements.ts';
import { USER_JS_BEGIN, USER_JS_END } from './user-js.ts';

/** Where a block lies: from its first line to behind the end of its last. */
export interface BlockPlace {
  readonly start: number;
  readonly end: number;
}

/** A user.js that may be written to. */
export interface CheckedUserJs {
  readonly bytes: string;
  readonly file: PreferenceFile;
  /** `undefined`: there is none. */
  readonly block: BlockPlace | undefined;
}

/**
 * @throws PlumbfoxError `bad-input`, one line, for a file of which Firefox would not read all (what is appended to it might be lost), and for
 *   one that has our marks otherwise than as one whole block.
 */
export function checkUserJs(bytes: string): CheckedUserJs {
  const file = parsePreferenceFile(bytes);
  const [first] = file.errors;
  if (first !== undefined) {
    throw new PlumbfoxError(
      'bad-input',
      `user.js, line ${first.line}: Firefox cannot read it (${first.message}), and may skip what follows; put that line right first`,
    );
  }
  return { bytes, file, block: findBlock(bytes, file) };
}

/**
 * The file with this block at its end, in place of the one that is there.
 * @param block - Lines ended by LF; they get the line ends of the file. The block with a line end before it where the file lacks its last.
 */
export function putBlock(user: CheckedUserJs, block: string): { readonly bytes: string; readonly block: string } {
  const rest = withoutBlock(user);
  const lineEnd = lineEndOf(rest);
  const separator = rest === '' || rest === BYTE_ORDER_MARK || /[\n\r]$/.test(rest) ? '' : lineEnd;
  const put = separator + block.replaceAll('\n', lineEnd);
  return { bytes: rest + put, block: put };
}

/** The file without our block; a line end that `putBlock` added before it stays, if what it gave is not given. */
export function withoutBlock(user: CheckedUserJs, put?: string): string {
  const { bytes, block } = user;
  return block === undefined ? bytes : bytes.slice(0, startWithLineEnd(user, put)) + bytes.slice(block.end);
}

/** The block's bytes, with the line end before it if `put`, what `putBlock` gave, begins with one. `undefined`: there is none. */
export function blockBytes(user: CheckedUserJs, put: string): string | undefined {
  return user.block && user.bytes.slice(startWithLineEnd(user, put), user.block.end);
}

function startWithLineEnd({ bytes, block }: CheckedUserJs, put = ''): number {
  const start = block?.start ?? bytes.length;
  if (!/^[\n\r]/.test(put)) return start;
  return start - (/(\r\n|\n|\r)$/.exec(bytes.slice(0, start))?.[0].length ?? 0);
}

const BYTE_ORDER_MARK = '\xef\xbb\xbf';

const lineEndOf = (bytes: string): string => (/^[^\n\r]*\r\n/.test(bytes) ? '\r\n' : '\n');

function findBlock(bytes: string, file: PreferenceFile): BlockPlace | undefined {
  const marks = file.lineComments.flatMap(({ start, end }) => {
    const text = bytes.slice(start, end).trimEnd();
    return text === USER_JS_BEGIN || text === USER_JS_END ? [{ start, end, begins: text === USER_JS_BEGIN }] : [];
  });
  const [begin, end, ...more] = marks;
  if (begin === undefined) return undefined;
  if (end === undefined || more.length > 0 || !begin.begins || end.begins) {
    throw damaged(bytes, begin.start, more.length > 0 ? 'is there more than once' : 'is there only in part');
  }
  const cut = file.statements.some(
    ({ start, end: close }) => (start < begin.start && close > begin.start) || (start < end.start && close > end.start),
  );
  if (cut) throw damaged(bytes, begin.start, 'begins or ends in the middle of a line of somebody else');
  return { start: begin.start, end: end.end + (/^(\r\n|\n|\r)/.exec(bytes.slice(end.end, end.end + 2))?.[0].length ?? 0) };
}

function damaged(bytes: string, at: number, what: string): PlumbfoxError {
  const line = bytes.slice(0, at).split(/\r\n|\n|\r/).length;
  return new PlumbfoxError(
    'bad-input',
    `user.js, line ${line}: the Plumbfox block ${what}; delete every line from "${USER_JS_BEGIN}" to "${USER_JS_END}" by hand, and do it again`,
  );
}
