/** Responses of a server, seeded: sound ones, and each with one thing wrong. What Firefox makes of the wrong ones is Firefox's business. */
import { type Random, seededRandom } from '../../../../src/core/random.ts';

export interface Stream {
  /** What was done to it; `undefined`: nothing. */
  readonly wrong: string | undefined;
  readonly bytes: string;
  /** What a sound one says. */
  readonly body: string;
}

const pick = <T>(draw: Random, from: readonly T[]): T => from[draw.integer(from.length)] as T;
const text = (draw: Random, length: number) => Array.from({ length }, () => String.fromCharCode(97 + draw.integer(26))).join('');

interface Parts {
  status: string;
  fields: string[];
  framed: string;
  /** Ends of lines of the head. */
  end: string;
  after: string;
}

/** One thing wrong with the framing of any response. */
const MUTATIONS: Readonly<Record<string, (parts: Parts, draw: Random) => void>> = {
  'another protocol': (parts, draw) => {
    parts.status = parts.status.replace('HTTP', pick(draw, ['RTSP', 'ICE', 'http', 'HTTPS', 'SIP', '']));
  },
  'another version': (parts, draw) => {
    parts.status = parts.status.replace('1.1', pick(draw, ['1.0', '1.2', '0.9', '2.0', '1.', '11', '1.1.1', '01.1']));
  },
  'another status': (parts, draw) => {
    parts.status = `HTTP/1.1 ${pick(draw, ['99', '042', '1000', '100', '101', '199', '600', '2e2', '-200', '', 'OK'])} OK`;
  },
  'a space too many': (parts) => {
    parts.status = parts.status.replace(' ', '  ');
  },
  'a zero byte in the reason': (parts) => {
    parts.status += '\0x';
  },
  'line feeds alone': (parts) => {
    parts.end = '\n';
  },
  'carriage returns alone': (parts) => {
    parts.end = '\r';
  },
  'a second coding': (parts, draw) => {
    parts.fields.push(
      `Transfer-Encoding: ${pick(draw, ['identity', 'gzip', 'chunked', 'chunked, identity', 'identity, chunked', 'xchunked', '"chunked"'])}`,
    );
    parts.fields.push('Content-Length: 3');
  },
  'chunked that is not last': (parts) => {
    parts.fields = parts.fields.filter((field) => !/^(?:content-length|transfer)/i.test(field));
    parts.fields.push('Transfer-Encoding: chunked, identity');
    parts.framed = '5\r\nhello\r\n0\r\n\r\n';
  },
  'a second length': (parts, draw) => {
    parts.fields.push(
      `Content-Length: ${pick(draw, ['0', '1', '+3', '-1', '3, 3', '0x3', '3 3', '', '\xd9\xa3', '99999999999999999999'])}`,
    );
    parts.fields.push('Content-Length: 3');
  },
  'no length': (parts) => {
    parts.fields = parts.fields.filter((field) => !/^(?:content-length|transfer)/i.test(field));
  },
  'a folded field': (parts) => {
    parts.fields.push('X-A: one\r\n two');
  },
  'a space before a colon': (parts) => {
    parts.fields.push('X-A : one');
  },
  'a field without a name or a colon': (parts, draw) => {
    parts.fields.push(pick(draw, [': one', 'X-A', 'X A: one', 'X\0: one', '\tX-A: one']));
  },
  'a control byte in a field': (parts, draw) => {
    parts.fields.push(`X-A: a${pick(draw, ['\0', '\r', '\x01', '\x7f'])}b`);
  },
  'a wrong chunk': (parts, draw) => {
    parts.fields = [...parts.fields.filter((field) => !/^(?:content-length|transfer)/i.test(field)), 'Transfer-Encoding: chunked'];
    parts.framed = pick(draw, [
      '5\nhello\n0\n\n',
      '5\r\nhello\n0\r\n\r\n',
      '5\r\nhello0\r\n\r\n',
      '5 \r\nhello\r\n0\r\n\r\n',
      '0x5\r\nhello\r\n0\r\n\r\n',
      '-5\r\nhello\r\n0\r\n\r\n',
      '5\r\nhello\r\n0\r\n\n',
      '5\r\nhello\r\nzz\r\n\r\n',
      '4\r\nhello\r\n0\r\n\r\n',
      '100000005\r\nhello\r\n0\r\n\r\n',
      '5\r\nhello\r\n0\r\nX-A : b\r\n\r\n',
      `5;${'x'.repeat(300)}\r\nhello\r\n0\r\n\r\n`,
    ]);
  },
  'a surplus answer': (parts) => {
    parts.after = 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nEVIL';
  },
  'surplus bytes': (parts, draw) => {
    parts.after = pick(draw, ['\r\n', '\0', 'x', 'HTTP/1.1 ', ' ']);
  },
  'something before': (parts, draw) => {
    parts.status = pick(draw, ['\r\n', '\n', ' ', '\0', 'junk', '\xef\xbb\xbf', 'HTTP/1.1 100 Continue\r\n\r\n']) + parts.status;
  },
};

/** `count` of them; every third is sound. */
export function responseStreams(count: number, seed: number): readonly Stream[] {
  const draw = seededRandom(seed);
  const kinds = Object.keys(MUTATIONS);
  return Array.from({ length: count }, (_, nth) => {
    const body = text(draw, 1 + draw.integer(60));
    const isChunked = draw.integer(2) === 0;
    const at = 1 + draw.integer(body.length);
    const pieces = [body.slice(0, at), body.slice(at)].filter((piece) => piece !== '');
    const chunks = pieces.map((piece) => `${piece.length.toString(16)}${pick(draw, ['', ';a', ';a="b c"'])}\r\n${piece}\r\n`).join('');
    const parts: Parts = {
      status: `HTTP/1.1 ${pick(draw, ['200 OK', '404 Not Found', '200', '500 D\u00e9j\u00e0 vu', '203 '])}`,
      fields: [
        `Content-Type: ${pick(draw, ['text/plain', 'image/png', 'text/html; charset=utf-8'])}`,
        ...Array.from({ length: draw.integer(4) }, (_f, n) => `X-${n}: ${text(draw, draw.integer(9))}`),
        isChunked ? 'Transfer-Encoding: chunked' : `${pick(draw, ['Content-Length', 'content-length'])}: ${body.length}`,
      ],
      framed: isChunked ? `${chunks}0\r\n${pick(draw, ['', 'X-Sum: 1\r\n'])}\r\n` : body,
      end: '\r\n',
      after: '',
    };
    const wrong = nth % 3 === 0 ? undefined : kinds[nth % kinds.length];
    if (wrong !== undefined) MUTATIONS[wrong]?.(parts, draw);
    const head = [parts.status, ...parts.fields, '', ''].join(parts.end);
    return { wrong, bytes: head + parts.framed + parts.after, body };
  });
}
