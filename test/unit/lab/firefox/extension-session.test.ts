/** The lab's end of the extension, over a page that answers as told. */
import { expect, test } from 'vitest';
import { openSession } from '../../../../src/lab/firefox/extension-session.ts';
import type { RunningFirefox } from '../../../../src/lab/firefox/launch-firefox.ts';

/** @param answers - The records' ids, answer by answer; then the extension has nothing more to tell until the time is up. */
async function session(answers: readonly (readonly string[])[]) {
  const asked: unknown[] = [];
  const left = [...answers];
  let address = '';
  const page = {
    goto: async (url: string) => {
      address = url;
    },
    evaluate: async (what: unknown, text?: string) => {
      if (typeof what === 'string') return what.includes('location') ? `${address} complete` : 1234.5;
      asked.push(JSON.parse(text ?? ''));
      return { ok: true, value: (left.shift() ?? []).map((id) => ({ id })) };
    },
  };
  const firefox = { browser: { newPage: async () => page } } as unknown as RunningFirefox;
  return { asked, extension: await openSession(firefox, { uuid: 'u' }) };
}

const isB = ({ id }: { id: string }) => id === 'b';

test('records of others are passed over, and not asked for again', async () => {
  const { asked, extension } = await session([['a1', 'a2'], ['a3'], ['b', 'c']]);
  expect(await extension.nextLoad({ after: 'z', isIt: isB, timeoutMs: 60_000 })).toEqual({ id: 'b' });
  expect(asked).toEqual(['z', 'a2', 'a3'].map((id) => ({ kind: 'loads-after', id })));
});

test('nothing but records of others is no record', async () => {
  const { asked, extension } = await session([['a']]);
  await expect(extension.nextLoad({ after: undefined, isIt: isB, timeoutMs: 20_000 })).rejects.toMatchObject({
    kind: 'run-void',
    message: 'The extension stored no load within 20 s',
  });
  expect(asked).toEqual([{ kind: 'loads-after' }, { kind: 'loads-after', id: 'a' }]);
});

test("the browser's clock is a number, or an error", async () => {
  const { extension } = await session([]);
  expect(await extension.clockMs()).toBe(1234.5);
});
