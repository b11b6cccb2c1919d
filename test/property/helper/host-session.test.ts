/** Whatever is sent to the native messaging host: one answer for each message, and no operation but for a request of the protocol. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { seededRandom } from '../../../src/core/random.ts';
import { runSession } from '../../../src/helper/host/session.ts';
import { MAX_SITES } from '../../../src/protocol/gateway-sites.ts';
import { answeringOperations } from '../../support/answering-operations.ts';
import { countBar } from '../../support/bar-count.ts';
import { fuzzConversation } from '../../support/fuzz-frames.ts';
import { framed, repliesIn } from '../../support/native-frames.ts';

async function converse(chunks: readonly Uint8Array[]) {
  const sent: Buffer[] = [];
  const { operations, asked } = answeringOperations();
  const internal: unknown[] = [];
  await runSession({
    input: (async function* () {
      yield* chunks;
    })(),
    send: async (bytes) => {
      sent.push(bytes);
    },
    operations,
    onInternal: (error) => internal.push(error),
  });
  return { replies: repliesIn(Buffer.concat(sent)), asked, internal };
}

const CONVERSATIONS = 2_000;
const FRAMES_EACH = 50;

it('answers 100,000 fuzzed messages, each by what it is', { timeout: 300_000 }, async () => {
  const random = seededRandom(20_261_121);
  let [answered, sent] = [0, 0];
  for (let count = 0; count < CONVERSATIONS; count += 1) {
    const { chunks, requests } = fuzzConversation(random, { frames: FRAMES_EACH, endings: true });
    const { replies, asked, internal } = await converse(chunks);
    expect(replies.map(({ ok }) => ok)).toEqual(requests);
    expect(asked).toHaveLength(requests.filter(Boolean).length);
    expect(internal).toEqual([]);
    answered += replies.length;
    sent += requests.length;
  }
  expect(answered).toBeGreaterThanOrEqual(CONVERSATIONS * FRAMES_EACH);
  countBar(20, 'fuzzed messages answered by what they are', answered, sent);
});

const request = { version: 1, nonce: 'abcdefgh', op: 'apply', profileId: 'c4-d6' } as const;
const carry = { version: 1, nonce: 'abcdefgh', op: 'gateway-carry', sites: [{ origin: 'http://a.test', address: '192.0.2.1' }] } as const;
const members = [...Object.keys(request), 'accepts', 'progress', 'sites'];
/** Of each kind; in full as many as there are files of somebody else's in bar 16. */
const REQUESTS = process.env.PLUMBFOX_FULL === '1' ? 5_000 : 500;
/** Names that every object answers to, and names that a thief would try. */
const foreignName = fc
  .oneof(
    fc.string(),
    fc.constantFrom('__proto__', 'constructor', 'toString', 'hasOwnProperty', 'path', 'pref', 'value', 'prefs', 'file', 'url'),
  )
  .filter((name) => !members.includes(name));

it('refuses a request with any member more, and asks for no operation', async () => {
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(request, carry), foreignName, fc.jsonValue(), async (whole, name, value) => {
      // Written, not assigned: a member named __proto__ would not be one otherwise.
      const text = `${JSON.stringify(whole).slice(0, -1)},${JSON.stringify(name)}:${JSON.stringify(value)}}`;
      const { replies, asked } = await converse([framed(text)]);
      expect(replies).toMatchObject([{ ok: false, nonce: request.nonce, error: { kind: 'bad-request' } }]);
      expect(asked).toEqual([]);
      refused += 1;
    }),
    { numRuns: REQUESTS },
  );
  countBar(22, 'requests with a member more refused', refused, REQUESTS);
});

it('refuses a site with any member more', async () => {
  const sites = [{ ...carry.sites[0], path: '/private' }];
  expect((await converse([framed(JSON.stringify({ ...carry, sites }))])).asked).toEqual([]);
  expect((await converse([framed(JSON.stringify(carry))])).asked).toHaveLength(1);
});

it('understands the longest list of sites that there can be', async () => {
  const origin = `http://${'a'.repeat(293)}`;
  const sites = Array.from({ length: MAX_SITES }, () => ({ origin, address: 'f'.repeat(60) }));
  expect(origin).toHaveLength(300);
  const { replies, asked } = await converse([framed(JSON.stringify({ ...carry, sites }))]);
  expect(asked).toHaveLength(1);
  expect(replies).toMatchObject([{ ok: true }]);
});

it('refuses a request in which any member is missing or another than it may be', async () => {
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...(Object.keys(request) as (keyof typeof request)[])), fc.jsonValue(), async (name, value) => {
      fc.pre(!wellFormed(name, value));
      const { replies, asked } = await converse([framed(JSON.stringify({ ...request, [name]: value }))]);
      expect(replies).toMatchObject([{ ok: false, error: { kind: 'bad-request' } }]);
      expect(asked).toEqual([]);
      refused += 1;
    }),
    { numRuns: REQUESTS },
  );
  countBar(22, 'requests with a wrong member refused', refused, REQUESTS);
});

/** The protocol in words of its own. */
function wellFormed(name: keyof typeof request, value: unknown): boolean {
  if (name === 'version') return value === 1;
  if (typeof value !== 'string') return false;
  if (name === 'nonce') return /^[A-Za-z0-9_-]{8,64}$/.test(value);
  if (name === 'profileId') return /^[a-z0-9][a-z0-9.-]{0,63}$/.test(value);
  return ['apply', 'probe-open', 'gateway-open'].includes(value);
}

it('understands a request however it is cut, and two in one piece', async () => {
  const both = Buffer.concat([framed(JSON.stringify(request)), framed(JSON.stringify({ ...request, nonce: 'ijklmnop' }))]);
  let understood = 0;
  for (let at = 0; at <= both.length; at += 1) {
    const { asked } = await converse([both.subarray(0, at), both.subarray(at)]);
    expect(asked.map(({ nonce }) => nonce)).toEqual(['abcdefgh', 'ijklmnop']);
    understood += 1;
  }
  const { asked } = await converse([...both].map((byte) => Buffer.of(byte)));
  expect(asked).toHaveLength(2);
  countBar(20, 'cuts of two messages understood', understood, both.length + 1);
});
