import * as v from 'valibot';
import { expect, test } from 'vitest';
import { replySchema } from '../../../src/protocol/messages.ts';

test.each([
  [{ ok: true, value: [1] }],
  [{ ok: false, error: { kind: 'bad-input', message: 'no' } }],
  [{ ok: false, error: { kind: 'preference-refused', message: 'a: locked', reason: 'locked', preference: 'a' } }],
])('%j is a reply', (reply) => {
  expect(v.parse(replySchema, reply)).toEqual(reply);
});

test('a kind of error that is not known is a fault of ours', () => {
  expect(v.parse(replySchema, { ok: false, error: { kind: 'new', message: 'no' } })).toMatchObject({ error: { kind: 'internal' } });
});

test.each([[undefined], [null], [{}], [{ ok: 1 }], [{ ok: false }], [{ ok: false, error: { kind: 'internal' } }]])(
  '%j is none',
  (reply) => {
    expect(v.is(replySchema, reply)).toBe(false);
  },
);
