/** Whatever a host does, a request is answered by its own nonce, in time, or has failed for one of a closed set of reasons. */

import fc from 'fast-check';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { HelperFailure, openHelper, withHelper } from '../../../src/adapters/native-helper.ts';
import type { HelperRequest } from '../../../src/protocol/helper-messages.ts';
import { useBrowser } from '../../support/browser-global.ts';
import { answered, FakeHost, HELLO, NOTHING_APPLIED, refused } from '../../support/fake-helper.ts';

const runtime: Record<string, unknown> = {};
useBrowser({ runtime });

let host: FakeHost;
const good = (request: HelperRequest) => answered(request, request.op === 'hello' ? HELLO : NOTHING_APPLIED);
/** Answers `hello`, then whatever. */
const afterHello = (answer: FakeHost['answer']): FakeHost['answer'] => {
  return (request, at) => (request.op === 'hello' ? good(request) : answer(request, at));
};

function useHost(answer: FakeHost['answer']): void {
  host = new FakeHost(answer);
  runtime.connectNative = () => host.connect();
}

const status = () => withHelper((helper) => helper.ask({ op: 'status' }));
const problemOf = (work: Promise<unknown>) =>
  work.then(
    (value) => ({ answered: value }),
    (error: unknown) => (error instanceof HelperFailure ? error.problem : error),
  );

beforeEach(() => useHost(good));

describe('a host that answers', () => {
  test('is greeted first, asked with a nonce of its own each time, and let go', async () => {
    expect(await status()).toEqual(NOTHING_APPLIED);
    expect(host.heard.map(({ op, version }) => [op, version])).toEqual([
      ['hello', 1],
      ['status', 1],
    ]);
    expect(new Set(host.heard.map(({ nonce }) => nonce)).size).toBe(2);
    expect([host.open, host.listeners]).toEqual([0, 0]);
  });

  test('says who it is', async () => {
    const helper = await openHelper();
    expect(helper.hello).toEqual(HELLO);
    helper.close();
    expect(await helper.ended).toEqual({ why: 'stopped' });
  });

  test('may answer in another order than it was asked', async () => {
    const asked: HelperRequest[] = [];
    useHost(afterHello((request) => void asked.push(request)));
    const helper = await openHelper();
    const both = Promise.all([helper.ask({ op: 'status' }), helper.ask({ op: 'gateway-counters' })]);
    await expect.poll(() => asked).toHaveLength(2);
    const counters = { requests: 1, mostConnections: 2, mostDepth: 3, failures: 4 };
    host.say(answered(asked[1] as HelperRequest, counters));
    host.say(answered(asked[0] as HelperRequest, NOTHING_APPLIED));
    expect(await both).toEqual([NOTHING_APPLIED, counters]);
  });

  test.each([
    ['that says so is asked to say when it is at work', { ...HELLO, progress: true }, { progress: true }],
    ['of an earlier version is asked nothing that it does not know', HELLO, {}],
  ])('%s', async (_, hello, expected) => {
    useHost((request) => (request.op === 'hello' ? answered(request, hello) : good(request)));
    await status();
    const asked = host.heard.map(({ nonce: _nonce, version: _version, ...rest }) => rest);
    expect(asked).toEqual([{ op: 'hello' }, { op: 'status', ...expected }]);
  });

  test.each([
    ['apply', { op: 'apply', profileId: 'c4-d1' }, 120_000],
    ['gateway-counters', { op: 'gateway-counters' }, 15_000],
  ] as const)('that says for ever that it is at work on %s is waited for as long as that may take', async (_, question, longestMs) => {
    vi.useFakeTimers();
    try {
      useHost(
        afterHello(({ nonce }, at) => {
          for (let s = 1; s <= 600; s++) setTimeout(() => at.say({ version: 1, nonce, working: true }), s * 1000);
        }),
      );
      const silent = problemOf(withHelper((helper) => helper.ask<'apply' | 'gateway-counters'>(question)));
      await vi.advanceTimersByTimeAsync(longestMs - 1_000);
      expect(host.open).toBe(1);
      await vi.advanceTimersByTimeAsync(1_500);
      expect(await silent).toEqual({ why: 'silent' });
    } finally {
      vi.useRealTimers();
    }
  });

  test('is waited for as long as it says that it is at work, and no longer', async () => {
    vi.useFakeTimers();
    try {
      const working = (nonce: string) => ({ version: 1, nonce, working: true });
      useHost(
        afterHello(({ nonce, ...request }, at) => {
          for (let s = 1; s <= 60; s++) setTimeout(() => at.say(working(nonce)), s * 1000);
          if (request.op === 'status') setTimeout(() => at.say(answered({ nonce, ...request }, NOTHING_APPLIED)), 64_000);
        }),
      );
      const answer = status();
      await vi.advanceTimersByTimeAsync(64_500);
      expect(await answer).toEqual(NOTHING_APPLIED);
      const silent = problemOf(withHelper((helper) => helper.ask({ op: 'confirm' })));
      await vi.advanceTimersByTimeAsync(64_000);
      expect(host.open).toBe(1);
      await vi.advanceTimersByTimeAsync(1_500);
      expect(await silent).toEqual({ why: 'silent' });
    } finally {
      vi.useRealTimers();
    }
  });

  test('an answer with the nonce of no request is nobody’s', async () => {
    useHost(
      afterHello((request, at) => {
        at.say({ version: 1, nonce: 'another-nonce', ok: true, result: { ...NOTHING_APPLIED, starts: 7 } });
        return good(request);
      }),
    );
    expect(await status()).toEqual(NOTHING_APPLIED);
  });
});

describe('a host that does not', () => {
  test('without the permission nothing is tried', async () => {
    delete runtime.connectNative;
    expect(await problemOf(status())).toEqual({ why: 'no-permission' });
  });

  test.each([
    [
      'Firefox finds none',
      (_: unknown, at: FakeHost) => at.end({ message: 'No such native application plumbfox' }),
      { why: 'not-installed' },
    ],
    ['it ends', (_: unknown, at: FakeHost) => at.end(), { why: 'stopped' }],
    ['it ends, as Firefox says it', (_: unknown, at: FakeHost) => at.end(null), { why: 'stopped' }],
    ['Firefox cannot read it', (_: unknown, at: FakeHost) => at.end({ message: 'An unexpected error occurred' }), { why: 'unreadable' }],
    ['it says something else', () => ({ hello: 'world' }), { why: 'unreadable' }],
    ['it says nothing that is an object', () => 'hello', { why: 'unreadable' }],
    ['it is newer', (request: HelperRequest) => ({ ...(good(request) as object), version: 2 }), { why: 'other-version', isNewer: true }],
    ['it is older', (request: HelperRequest) => ({ ...(good(request) as object), version: 0 }), { why: 'other-version', isNewer: false }],
    [
      'it refuses',
      (request: HelperRequest) => refused(request, 'busy', 'another one'),
      { why: 'refused', kind: 'busy', message: 'another one' },
    ],
    [
      'it could not read what it was asked',
      () => ({ version: 1, ok: false, error: { kind: 'bad-request', message: 'no op' } }),
      { why: 'refused', kind: 'bad-request', message: 'no op' },
    ],
    ['it answers another question', (request: HelperRequest) => answered(request, { port: 1 }), { why: 'unreadable' }],
  ])('%s: at hello and later', async (_, answer, problem) => {
    useHost((request, at) => answer(request, at) ?? undefined);
    expect(await problemOf(status())).toEqual(problem);
    expect([host.open, host.listeners]).toEqual([0, 0]);
    useHost(afterHello((request, at) => answer(request, at) ?? undefined));
    expect(await problemOf(status())).toEqual(problem);
    expect([host.open, host.listeners]).toEqual([0, 0]);
  });

  test('what was refused is an error that repeats the host’s own line', async () => {
    useHost(afterHello((request) => refused(request, 'refused', 'user.js is a symbolic link')));
    await expect(status()).rejects.toMatchObject({
      kind: 'environment',
      message: 'The helper app leaves Firefox’s files alone: user.js is a symbolic link.',
    });
  });

  test('after it has ended nothing more is sent', async () => {
    const helper = await openHelper();
    host.end();
    expect(await helper.ended).toEqual({ why: 'stopped' });
    const before = host.heard.length;
    expect(await problemOf(helper.ask({ op: 'status' }))).toEqual({ why: 'stopped' });
    expect(host.heard).toHaveLength(before);
  });

  test('one that hangs is waited for 3 s at hello, 5 s later', async () => {
    vi.useFakeTimers();
    try {
      useHost(() => undefined);
      const greeting = problemOf(status());
      await vi.advanceTimersByTimeAsync(2_999);
      expect(host.open).toBe(1);
      await vi.advanceTimersByTimeAsync(1);
      expect(await greeting).toEqual({ why: 'silent' });
      useHost(afterHello(() => undefined));
      const asking = problemOf(status());
      await vi.advanceTimersByTimeAsync(4_999);
      expect(host.open).toBe(1);
      await vi.advanceTimersByTimeAsync(1);
      expect(await asking).toEqual({ why: 'silent' });
      expect(host.open).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  test('property: whatever it says, the request fails for a reason of the set, and nothing is left open', async () => {
    const reasons = ['unreadable', 'other-version', 'refused', 'silent'];
    await fc.assert(
      fc.asyncProperty(fc.anything({ withNullPrototype: true }), async (said) => {
        useHost((_, at) => void at.say(said));
        vi.useFakeTimers();
        const asking = problemOf(status());
        await vi.advanceTimersByTimeAsync(3_000);
        vi.useRealTimers();
        expect(reasons).toContain(((await asking) as { why: string }).why);
        expect(host.open).toBe(0);
      }),
      { numRuns: 300 },
    );
  });
});
