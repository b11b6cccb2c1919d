import { expect, it } from 'vitest';
import { guard } from '../../../src/helper/guard.ts';
import type { FirefoxStart } from '../../../src/helper/profile/firefox-process.ts';
import type { ProfileChanges } from '../../../src/helper/profile/profile-changes.ts';
import type { HelperPhase } from '../../../src/protocol/helper-messages.ts';
import { NOTHING_APPLIED } from '../../support/answering-operations.ts';

const firefox = (processId: number): FirefoxStart => ({ processId, began: `boot/${processId}` });
const leftBehind = (processId: number): FirefoxStart => ({ processId, began: `left-behind/${processId}` });

/** What there is to see at each look, and what has become of the profile by then. */
interface Look {
  readonly running?: FirefoxStart;
  readonly crashed?: FirefoxStart;
  readonly phase?: HelperPhase;
  /** What is said then fails. */
  readonly fails?: boolean | 'started';
}

/** @returns what the guard said at each look, until it was over or nothing was left to see. */
async function guardThrough(looks: readonly Look[]): Promise<readonly string[]> {
  const said: string[] = [];
  let at = 0;
  const now = (): Look => looks[at] ?? {};
  const say = async (what: string) => {
    const { fails, phase = 'pending' } = now();
    if (fails === true || (fails === 'started' && what.startsWith('started'))) throw new Error(what);
    said.push(`${at}: ${what}`);
    return { ...NOTHING_APPLIED, phase };
  };
  const changes: ProfileChanges = {
    apply: () => expect.fail('the guard applies nothing'),
    confirm: () => expect.fail('the guard confirms nothing'),
    revert: () => expect.fail('the guard takes nothing back that nobody asked it to'),
    started: ({ processId }) => say(`started ${processId}`),
    ended: () => say('ended'),
    status: () => say('status'),
  };
  await guard({
    isThere: () => at < looks.length,
    running: async () => now().running,
    crashed: async () => now().crashed,
    changes: async () => changes,
    next: async () => {
      at += 1;
    },
  });
  return said;
}

it('tells of a start once, and of its end', async () => {
  const running = firefox(1);
  expect(await guardThrough([{}, { running }, { running }, {}])).toEqual([
    '0: ended',
    '1: started 1',
    '1: status',
    '2: status',
    '3: ended',
  ]);
});

it('tells of a start that follows another at once', async () => {
  const said = await guardThrough([{ running: firefox(1) }, { running: firefox(2) }]);
  expect(said).toEqual(['0: started 1', '0: status', '1: started 2', '1: status']);
});

it('tells of a crash that it did not see coming, once', async () => {
  const crashed = leftBehind(1);
  expect(await guardThrough([{}, { crashed }, { crashed }])).toEqual(['0: ended', '1: started 1', '1: ended', '2: ended']);
});

it('does not tell again of a crash whose start it saw', async () => {
  const crashed = leftBehind(1);
  const said = await guardThrough([{ running: firefox(1) }, { crashed }, { crashed }]);
  expect(said).toEqual(['0: started 1', '0: status', '1: ended', '2: ended']);
});

it('tells of two crashes of which it saw neither', async () => {
  const said = await guardThrough([{ crashed: leftBehind(1) }, { crashed: leftBehind(2) }]);
  expect(said).toEqual(['0: started 1', '0: ended', '1: started 2', '1: ended']);
});

it('tells later what it could not tell', async () => {
  const said = await guardThrough([{ running: firefox(1), fails: true }, { running: firefox(1) }]);
  expect(said).toEqual(['1: started 1', '1: status']);
});

it('tells of a crash when it may, where another Firefox runs meanwhile', async () => {
  const said = await guardThrough([{ crashed: leftBehind(1), fails: 'started' }, { running: firefox(2) }]);
  expect(said).toEqual(['0: ended', '1: started 1', '1: started 2', '1: status']);
});

it.each(['none', 'confirmed'] as const)('is over when the profile is %s', async (phase) => {
  expect(await guardThrough([{}, { running: firefox(1), phase }, {}])).toEqual(['0: ended', '1: started 1', '1: status']);
});

it('goes on while the former state is being put back', async () => {
  expect(await guardThrough([{ running: firefox(1), phase: 'restoring' }, { phase: 'none' }, {}])).toEqual([
    '0: started 1',
    '0: status',
    '1: ended',
  ]);
});

it('does nothing where nothing is there any more', async () => {
  expect(await guardThrough([])).toEqual([]);
});
