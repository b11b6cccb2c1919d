/** Only who asks for it is told that work goes on: an earlier extension takes such a frame for the end of the conversation. */
import { expect, it } from 'vitest';
import { frameOf } from '../../../../src/helper/host/native-frames.ts';
import { runSession } from '../../../../src/helper/host/session.ts';
import { answeringOperations } from '../../../support/answering-operations.ts';

async function saidFor(requests: readonly object[]): Promise<readonly (readonly [string, number])[]> {
  const said: (readonly [string, number])[] = [];
  const { operations } = answeringOperations();
  const frames = requests.map((request, at) => frameOf({ version: 1, nonce: `nonce-no-${at}`, ...request } as never));
  await runSession({
    input: (async function* () {
      yield* frames;
    })(),
    send: async () => undefined,
    operations,
    onInternal: (error) => expect.fail(String(error)),
    reportProgress: (nonce, longestMs) => {
      said.push([nonce, longestMs]);
      return () => undefined;
    },
  });
  return said;
}

it('is said to who asks for it, for as long as the operation may take, and to nobody else', async () => {
  const said = await saidFor([
    { op: 'hello', progress: true },
    { op: 'status' },
    { op: 'status', progress: true },
    { op: 'apply', profileId: 'c4-d1', progress: true },
    { op: 'probe-result', progress: true },
  ]);
  expect(said).toEqual([
    ['nonce-no-2', 120_000],
    ['nonce-no-3', 120_000],
    ['nonce-no-4', 15_000],
  ]);
});
