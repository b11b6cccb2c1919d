import { expect, it } from 'vitest';
import { contextOver } from '../../../../src/lab/firefox/chrome-context.ts';
import { buildFacts } from '../../../../src/lab/firefox/read-build-facts.ts';

const PER_SERVER = 'network.http.max-persistent-connections-per-server';

/** Answers of a parent process, in which the default branch has these values. */
const factsOf = (underPolicy: boolean, values: Readonly<Record<string, number | boolean>>) =>
  buildFacts(
    contextOver(async (_, argument) => ({
      ...{ os: 'Linux', version: '153.7.0', buildId: '1', underPolicy, library: '', archives: [], folders: [] },
      locked: [],
      known: [],
      defaults: Array.isArray(argument) ? Object.entries(values) : [],
    })),
    Object.keys(values),
  );

it('takes the default branch for the values of the build', async () => {
  const build = await factsOf(false, { [PER_SERVER]: 10, 'browser.x': true });
  expect(build.underPolicy).toBeUndefined();
  expect([PER_SERVER, 'browser.x'].map(build.stateOf)).toEqual([
    { state: 'default', value: 10 },
    { state: 'default', value: true },
  ]);
});

it('does not where a policy writes there: the catalogue has some, and nobody the others', async () => {
  const build = await factsOf(true, { [PER_SERVER]: 10, 'browser.x': true, 'network.http.pipelining': true });
  expect(build.underPolicy).toBe(true);
  expect([PER_SERVER, 'browser.x', 'network.http.pipelining'].map(build.stateOf)).toEqual([
    { state: 'default', value: 6 },
    { state: 'unknown' },
    { state: 'absent' },
  ]);
});
