/**
 * The words of a preference file, as Firefox's own lexer finds them (modules/libpref/parser/src/lib.rs, ESR 140), mistakes included. A file is
 * given as a "binary" string, one character per byte, so that every byte survives and an offset is an offset in the file.
 */

export type PreferenceToken =
  | { readonly kind: 'punctuation'; readonly text: '(' | ')' | ',' | ';' | '+' | '-' }
  | { readonly kind: 'keyword'; readonly text: string }
  /** Its bytes after the escapes. */
  | { readonly kind: 'string'; readonly value: string }
  /** Without sign, below 2^32. */
  | { readonly kind: 'integer'; readonly value: number }
  /** What Firefox would print, and the line it would name. */
  | { readonly kind: 'error'; readonly message: string; readonly line: number }
  | { readonly kind: 'end' };

/** A comment that ends with its line, without the end of the line. */
export interface LineComment {
  readonly start: number;
  readonly end: number;
}

/** The byte order mark of UTF-8, as bytes. */
export const BYTE_ORDER_MARK = '\xef\xbb\xbf';
/** Firefox takes it for the end of the file, wherever it is. */
const NUL = '\0';
const UINT32_END = 4_294_967_296;

// By their codes: a profile used for years can hold 20 MB of preferences, each byte of which passes here.
const isLetter = (code: number): boolean => (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95;
const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const LF = 10;
const CR = 13;
const BACKSLASH = 92;

export class PreferenceLexer {
  /** Position of what is read next. */
  position: number;
  /** Where the token that `next` gave began. */
  tokenStart = 0;
  /** The line as Firefox counts it, from 1. */
  line = 1;
  readonly lineComments: LineComment[] = [];
  readonly #bytes: string;

  constructor(bytes: string) {
    this.#bytes = bytes;
    this.position = bytes.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
  }

  next(): PreferenceToken {
    for (;;) {
      this.tokenStart = this.position;
      const c = this.#take();
      if (c === NUL) return { kind: 'end' };
      if (c === '(' || c === ')' || c === ',' || c === ';' || c === '+' || c === '-') return { kind: 'punctuation', text: c };
      if (c === '\n') this.line++;
      else if (c === '\r') this.#carriageReturn();
      else if (c === '"' || c === "'") return this.#string(c);
      else if (c === '#') this.#lineComment();
      else if (c === '/') {
        const mistake = this.#slash();
        if (mistake !== undefined) return mistake;
      } else if (isLetter(c.charCodeAt(0))) return this.#keyword();
      else if (isDigit(c.charCodeAt(0))) return this.#integer();
      else if (!'\t\v\f '.includes(c)) return this.#error('unexpected character');
    }
  }

  #take(): string {
    const c = this.#peek();
    if (c !== NUL) this.position++;
    return c;
  }

  #peek(): string {
    return this.#bytes[this.position] ?? NUL;
  }

  /** NaN at the end of the bytes. */
  #code(): number {
    return this.#bytes.charCodeAt(this.position);
  }

  #match(c: string): boolean {
    if (this.#peek() !== c) return false;
    this.position++;
    return true;
  }

  #error(message: string, line = this.line): PreferenceToken {
    return { kind: 'error', message, line };
  }

  /** CR, or CR LF, is one end of a line. */
  #carriageReturn(): void {
    this.#match('\n');
    this.line++;
  }

  #lineComment(): void {
    for (let code = this.#code(); code > 0 && code !== LF && code !== CR; code = this.#code()) this.position++;
    this.lineComments.push({ start: this.tokenStart, end: this.position });
  }

  #slash(): PreferenceToken | undefined {
    if (this.#match('/')) this.#lineComment();
    else if (this.#match('*')) {
      if (!this.#blockComment()) return this.#error('unterminated /* comment');
    } else {
      if (!['\n', '\r'].includes(this.#peek())) this.#take();
      return this.#error("expected '/' or '*' after '/'");
    }
    return undefined;
  }

  /** Whether it ends. */
  #blockComment(): boolean {
    for (;;) {
      const c = this.#take();
      if (c === NUL) return false;
      if (c === '*' && this.#match('/')) return true;
      if (c === '\n') this.line++;
      else if (c === '\r') this.#carriageReturn();
    }
  }

  #keyword(): PreferenceToken {
    while (isLetter(this.#code())) this.position++;
    return { kind: 'keyword', text: this.#bytes.slice(this.tokenStart, this.position) };
  }

  #integer(): PreferenceToken {
    while (isDigit(this.#code())) this.position++;
    if (isLetter(this.#code())) return this.#error('unexpected character in integer literal');
    const value = Number(this.#bytes.slice(this.tokenStart, this.position));
    return value < UINT32_END ? { kind: 'integer', value } : this.#error('integer literal overflowed');
  }

  /** Reads to the closing quote, over lines if need be; of several mistakes in it the first counts. */
  #string(quote: string): PreferenceToken {
    const end = quote.charCodeAt(0);
    let value = '';
    let mistake: PreferenceToken | undefined;
    for (;;) {
      const start = this.position;
      for (let code = this.#code(); code > 0 && code !== end && code !== BACKSLASH && code !== LF && code !== CR; code = this.#code()) {
        this.position++;
      }
      if (this.position > start) value += this.#bytes.slice(start, this.position);
      const c = this.#take();
      if (c === quote) return mistake ?? { kind: 'string', value };
      if (c === NUL) return mistake ?? this.#error('unterminated string literal');
      if (c === '\\') {
        const escaped = this.#escape();
        if ('bytes' in escaped) value += escaped.bytes;
        else mistake ??= this.#error(escaped.mistake);
        continue;
      }
      value += c;
      if (c === '\n') this.line++;
      else if (c === '\r') {
        this.line++;
        if (this.#match('\n')) value += '\n';
      }
    }
  }

  #escape(): { readonly bytes: string } | { readonly mistake: string } {
    const c = this.#peek();
    if (c === '\n' || c === '\r') return { mistake: "unexpected escape sequence character after '\\'" };
    this.#take();
    if (c === '"' || c === "'" || c === '\\') return { bytes: c };
    if (c === 'n') return { bytes: '\n' };
    if (c === 'r') return { bytes: '\r' };
    if (c === 'x') return this.#hexEscape();
    if (c === 'u') return this.#unicodeEscape();
    return { mistake: "unexpected escape sequence character after '\\'" };
  }

  #hexEscape(): { readonly bytes: string } | { readonly mistake: string } {
    const value = this.#hexDigits(2);
    if (value === undefined) return { mistake: 'malformed \\x escape sequence' };
    return value === 0 ? { mistake: '\\x00 is not allowed' } : { bytes: String.fromCharCode(value) };
  }

  #unicodeEscape(): { readonly bytes: string } | { readonly mistake: string } {
    const value = this.#hexDigits(4);
    if (value === undefined) return { mistake: 'malformed \\u escape sequence' };
    if (value === 0) return { mistake: '\\u0000 is not allowed' };
    if (isLowSurrogate(value)) return { mistake: 'expected high surrogate before low surrogate' };
    if (!isHighSurrogate(value)) return { bytes: utf8(value) };
    const low = this.#match('\\') && this.#match('u') ? this.#hexDigits(4) : undefined;
    if (low === undefined) return { mistake: 'expected low surrogate after high surrogate' };
    if (!isLowSurrogate(low)) return { mistake: 'invalid low surrogate after high surrogate' };
    return { bytes: utf8(0x10000 + (value - 0xd800) * 0x400 + (low - 0xdc00)) };
  }

  /** `undefined`: the next that is none of them is left to be read again. */
  #hexDigits(count: number): number | undefined {
    const start = this.position;
    while (this.position < start + count) {
      if (!/^[0-9A-Fa-f]$/.test(this.#peek())) return undefined;
      this.position++;
    }
    return Number.parseInt(this.#bytes.slice(start, this.position), 16);
  }
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00;
const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit < 0xe000;

/** The bytes of a code point, one character each. */
function utf8(point: number): string {
  if (point < 0x80) return String.fromCharCode(point);
  const rest = (shift: number) => 0x80 | ((point >> shift) & 0x3f);
  if (point < 0x800) return String.fromCharCode(0xc0 | (point >> 6), rest(0));
  if (point < 0x10000) return String.fromCharCode(0xe0 | (point >> 12), rest(6), rest(0));
  return String.fromCharCode(0xf0 | (point >> 18), rest(12), rest(6), rest(0));
}
