import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { groupCommit } from '../../../src/background/group-commit.ts';

/** A store whose transactions are completed by hand. */
function slowStore() {
  const open: { items: readonly string[]; complete: () => void; fail: (reason: Error) => void }[] = [];
  const stored: string[] = [];
  const commit = (items: readonly string[]) =>
    new Promise<void>((resolve, reject) => {
      const complete = () => {
        stored.push(...items);
        resolve();
      };
      open.push({ items, complete, fail: reject });
    });
  return { open, stored, commit };
}

const turn = () => new Promise((done) => setImmediate(done));

describe('groupCommit', () => {
  test('acknowledges an item only when its own transaction is complete', async () => {
    const store = slowStore();
    const group = groupCommit(store.commit);
    let acknowledged = false;
    const written = group.write('a').then(() => {
      acknowledged = true;
    });
    await turn();
    expect(acknowledged).toBe(false);
    store.open[0]?.complete();
    await written;
    expect(store.stored).toEqual(['a']);
  });

  test('collects what comes while a transaction runs into one more', async () => {
    const store = slowStore();
    const group = groupCommit(store.commit);
    const first = group.write('a');
    await turn();
    const rest = ['b', 'c', 'd'].map(group.write);
    await turn();
    expect(store.open.map(({ items }) => items)).toEqual([['a']]);
    store.open[0]?.complete();
    await first;
    await turn();
    expect(store.open[1]?.items).toEqual(['b', 'c', 'd']);
    store.open[1]?.complete();
    await Promise.all(rest);
  });

  test('tells a failure to the writers of that transaction only, and goes on', async () => {
    const store = slowStore();
    const group = groupCommit(store.commit);
    const first = group.write('a');
    const refused = expect(first).rejects.toThrow('full');
    await turn();
    const second = group.write('b');
    store.open[0]?.fail(new Error('full'));
    await refused;
    await turn();
    store.open[1]?.complete();
    await second;
    expect(store.stored).toEqual(['b']);
  });

  test('has settled when everything handed in is stored or has failed', async () => {
    const store = slowStore();
    const group = groupCommit(store.commit);
    await group.settled();
    const written = group.write('a').catch(() => 'failed');
    let settled = false;
    const settling = group.settled().then(() => {
      settled = true;
    });
    await turn();
    expect(settled).toBe(false);
    store.open[0]?.fail(new Error('full'));
    await settling;
    expect(await written).toBe('failed');
  });

  test('property: every item is stored once and in order, however writes and completions interleave', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom('write', 'complete'), { maxLength: 40 }), async (steps) => {
        const store = slowStore();
        const group = groupCommit(store.commit);
        const writes: Promise<void>[] = [];
        let completed = 0;
        for (const step of steps) {
          if (step === 'write') writes.push(group.write(`${writes.length}`));
          else store.open[completed] && store.open[completed++]?.complete();
          await turn();
        }
        while (completed < store.open.length) {
          store.open[completed++]?.complete();
          await turn();
        }
        await Promise.all(writes);
        expect(store.stored).toEqual(writes.map((_, at) => `${at}`));
      }),
    );
  });
});

describe('groupCommit with a pause', () => {
  function byHand() {
    const calls: string[] = [];
    let end: () => void = () => undefined;
    const pause = {
      begin: () =>
        new Promise<void>((resolve) => {
          calls.push('begin');
          end = resolve;
        }),
      extend: () => void calls.push('extend'),
      cut: () => {
        calls.push('cut');
        end();
      },
    };
    return { calls, pause, end: () => end() };
  }

  test('writes what has gathered in one transaction when the pause ends', async () => {
    const store = slowStore();
    const { calls, pause, end } = byHand();
    const group = groupCommit(store.commit, { pause });
    const writes = ['a', 'b', 'c'].map(group.write);
    await turn();
    expect(calls).toEqual(['begin', 'extend', 'extend']);
    expect(store.open).toEqual([]);
    end();
    await turn();
    expect(store.open.map(({ items }) => items)).toEqual([['a', 'b', 'c']]);
    store.open[0]?.complete();
    await Promise.all(writes);
  });

  test('whoever waits for it to settle does not wait for the pause', async () => {
    const store = slowStore();
    const { calls, pause } = byHand();
    const group = groupCommit(store.commit, { pause });
    const written = group.write('a');
    const settled = group.settled();
    await turn();
    expect(calls).toEqual(['begin', 'cut']);
    store.open[0]?.complete();
    await settled;
    await written;
    expect(store.stored).toEqual(['a']);
  });
});
