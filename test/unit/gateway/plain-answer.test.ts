import type { ServerResponse } from 'node:http';
import { expect, it, vi } from 'vitest';
import { handBack, plainAnswer } from '../../../src/gateway/plain-answer.ts';

function responseTo(method: string, more: { destroyed?: boolean; headersSent?: boolean } = {}) {
  const calls = { writeHead: vi.fn(), end: vi.fn() };
  const response = { destroyed: false, headersSent: false, req: { method }, ...more, ...calls } as unknown as ServerResponse;
  return { ...calls, response };
}
const HEADERS = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };

it('says its sentence, with its length in bytes', () => {
  const { response, writeHead, end } = responseTo('GET');
  plainAnswer(response, 504, 'nothing came for 5 s – given up', { connection: 'close' });
  // "Plumbfox gateway: " 18, the sentence 31 and 2 more for its dash, "." and the end of the line 2.
  expect(writeHead.mock.calls).toEqual([[504, 'Gateway Timeout', { ...HEADERS, 'content-length': 53, connection: 'close' }]]);
  expect(end.mock.calls).toEqual([['Plumbfox gateway: nothing came for 5 s – given up.\n']]);
});

it('answers HEAD without a body, and a status without a name', () => {
  const { response, writeHead, end } = responseTo('HEAD');
  plainAnswer(response, 599, 'x');
  expect(writeHead.mock.calls).toEqual([[599, '', { ...HEADERS, 'content-length': 21 }]]);
  expect(end.mock.calls).toEqual([[undefined]]);
});

it.each([{ destroyed: true }, { headersSent: true }])('does nothing to a response with %j', (state) => {
  const { response, writeHead, end } = responseTo('GET', state);
  plainAnswer(response, 502, 'x');
  expect([writeHead, end].map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
});

it('tells the extension why it has not carried a request', () => {
  const { response, writeHead, end } = responseTo('GET');
  handBack(response, 'misbehaved');
  expect(writeHead.mock.calls).toEqual([[502, 'Bad Gateway', { ...HEADERS, 'content-length': 35, 'plumbfox-gateway': 'misbehaved' }]]);
  expect(end.mock.calls).toEqual([['Plumbfox gateway: left to Firefox.\n']]);
});
