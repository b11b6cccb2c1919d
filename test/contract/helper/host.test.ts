/** The helper as the process that Firefox starts. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { beforeAll, expect, it } from 'vitest';
import { seededRandom } from '../../../src/core/random.ts';
import { EXTENSION_ID, type HelperReply } from '../../../src/protocol/helper-messages.ts';
import { countBar } from '../../support/bar-count.ts';
import { buildOnce } from '../../support/build-once.ts';
import { eventually } from '../../support/command-run.ts';
import { fuzzConversation } from '../../support/fuzz-frames.ts';
import { CALLER, type RunningHelper, startHelper } from '../../support/helper-program.ts';
import { framed, lengthOf, repliesIn } from '../../support/native-frames.ts';

beforeAll(buildOnce);

const request = (op: string, more: object = {}): Buffer => framed(JSON.stringify({ version: 1, nonce: 'abcdefgh', op, ...more }));

it('answers each request, and ends with its input', async () => {
  const host = startHelper(CALLER);
  host.child.stdin?.end(Buffer.concat([request('hello'), request('status'), request('apply', { profileId: 'c4-d6' }), request('nothing')]));
  expect(await host.ended).toBe(0);
  const replies = repliesIn(host.stdout());
  // What started it is no Firefox.
  expect(replies).toMatchObject([
    { ok: true, result: { helper: '0.1.0', profileFound: false } },
    { ok: false, error: { kind: 'no-firefox-profile' } },
    { ok: false, error: { kind: 'no-firefox-profile' } },
    { ok: false, error: { kind: 'bad-request' } },
  ]);
});

it('serves the probe and the gateway from its one file, and leaves none of them behind', async () => {
  const host = startHelper(CALLER);
  host.child.stdin?.write(request('probe-open', { profileId: 'c4-d6' }));
  host.child.stdin?.end(request('gateway-open', { profileId: 'c4-d6' }));
  expect(await host.ended).toBe(0);
  expect(repliesIn(host.stdout())).toMatchObject([
    { ok: true, result: { pieces: 48 } },
    { ok: true, result: { connections: 4, depth: 6 } },
  ]);
});

it.each([
  ['a preference that it does not know', 'c4-d6+browser.startup.homepage=evil.test', 'refused'],
  ['a value out of bounds', 'c4-d6+network.http.max-connections=-1', 'refused'],
  ['a value of another type', 'c4-d6+network.http.max-connections=true', 'refused'],
  ['a name of no profile', 'c4-d6-of-somebody', 'unknown-profile'],
])('refuses settings that are not of its own catalogue, or out of bounds: %s', async (_, profileId, kind) => {
  const host = startHelper(CALLER);
  host.child.stdin?.end(request('apply', { profileId }));
  expect(await host.ended).toBe(0);
  expect(repliesIn(host.stdout())).toMatchObject([{ ok: false, error: { kind } }]);
});

it.each([
  ['nobody', []],
  ['another extension', [CALLER[0], 'other@example.org']],
  ['an extension whose id begins like ours', [CALLER[0], `${EXTENSION_ID}.evil`]],
  ['a relative manifest', ['plumbfox.json', EXTENSION_ID]],
  ['another manifest', ['/home/ann/.mozilla/native-messaging-hosts/other.json', EXTENSION_ID]],
  ['more than there should be', [...CALLER, '--inspect']],
])('ends with a line for the console when %s calls', async (_, args) => {
  const host = startHelper(args);
  host.child.stdin?.end(request('hello'));
  expect(await host.ended).toBe(2);
  expect(host.stdout()).toHaveLength(0);
  expect(host.stderr()).toMatch(/^plumbfox-helper: Firefox starts this helper app for [^\n]+\n$/);
  countBar(22, 'callers refused', 1, 1);
});

it.each([
  ['three bytes', Buffer.of(9, 0, 0)],
  ['a message that is cut off', Buffer.concat([lengthOf(50), Buffer.from('{"version"')])],
])('ends in good order after %s', async (_, input) => {
  const host = startHelper(CALLER);
  host.child.stdin?.end(input);
  expect(await host.ended).toBe(0);
  expect(host.stdout()).toHaveLength(0);
});

it('ends in good order when Firefox asks it to', async () => {
  const host = startHelper(CALLER);
  host.child.stdin?.write(request('gateway-open', { profileId: 'c4-d6' }));
  await once(host.child.stdout as NodeJS.ReadableStream, 'data');
  host.child.kill('SIGTERM');
  expect([await host.ended, host.stderr()]).toEqual([0, '']);
});

it('does not wait for 4 GiB', async () => {
  const host = startHelper(CALLER);
  host.child.stdin?.write(lengthOf(0xffff_ffff));
  // Its input stays open: it ends by itself.
  expect(await host.ended).toBe(0);
  expect(repliesIn(host.stdout())).toMatchObject([{ ok: false, error: { kind: 'bad-request' } }]);
});

/** Node alone has some 50,000 after its start. */
const MOST_KIB = 100_000;
const MESSAGES = process.env.PLUMBFOX_FULL === '1' ? 100_000 : 4_000;

it(`keeps to frames and to its memory under ${MESSAGES} fuzzed messages`, { timeout: 600_000 }, async () => {
  const host = startHelper(CALLER);
  const { chunks, requests } = fuzzConversation(seededRandom(20), { frames: MESSAGES, endings: false });
  for (const chunk of chunks) {
    if (!host.child.stdin?.write(chunk)) await new Promise((done) => host.child.stdin?.once('drain', done));
  }
  const last = await lastReply(host);
  expect(peakKib(host.child.pid as number)).toBeLessThan(MOST_KIB);
  host.child.stdin?.end();
  expect(await host.ended).toBe(0);
  expect(host.stderr()).toBe('');
  // Nobody is Firefox here: what is a request is understood, and can only be refused where it is about a profile.
  const replies = repliesIn(host.stdout());
  expect(replies.at(-1)).toEqual(last);
  expect(
    replies.slice(0, -1).map((reply) => reply.ok || reply.error.kind !== 'bad-request' || /not open$/.test(reply.error.message)),
  ).toEqual(requests);
  countBar(20, 'messages answered by the process within 100 MB', replies.length - 1, requests.length);
});

/** Everything before it has been answered then. */
async function lastReply({ child, stdout }: RunningHelper): Promise<HelperReply> {
  child.stdin?.write(framed(JSON.stringify({ version: 1, nonce: 'the-last-one', op: 'hello' })));
  return eventually('the last answer', () => {
    const output = stdout();
    return output.includes('the-last-one') ? repliesIn(output).at(-1) : undefined;
  });
}

const peakKib = (pid: number): number => Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
