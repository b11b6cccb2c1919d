import { expect, it } from 'vitest';
import type { Profile } from '../../../../src/core/profiles/profile.ts';
import type { GatewayService } from '../../../../src/helper/host/gateway-service.ts';
import { type HostDeps, openHost } from '../../../../src/helper/host/operations.ts';
import type { ProfileChanges } from '../../../../src/helper/profile/profile-changes.ts';
import type { HelperStatus } from '../../../../src/protocol/helper-messages.ts';
import { NOTHING_APPLIED } from '../../../support/answering-operations.ts';

const FIREFOX = { start: { processId: 4711, began: 'boot/815' }, profileFolder: '/home/ann/.mozilla/firefox/x.default' };
const envelope = { version: 1, nonce: 'abcdefgh' } as const;

function surroundings(phase: HelperStatus['phase'], found = true) {
  const told: string[] = [];
  const status: HelperStatus = { ...NOTHING_APPLIED, phase };
  const tell = (what: string) => {
    told.push(what);
    return Promise.resolve(status);
  };
  const changes: ProfileChanges = {
    apply: (profile: Profile) => tell(`apply ${profile.id}`),
    started: ({ processId, began }) => tell(`started ${processId} ${began}`),
    confirm: () => tell('confirm'),
    ended: () => tell('ended'),
    status: () => tell('status'),
    revert: async () => ({ restored: ['a'], leftAlone: ['b'], status: await tell('revert') }),
  };
  const gateway: GatewayService = {
    port: 4000,
    secret: 'gateway-secret-000',
    configure: async ({ connections, depth }) => void told.push(`configure ${connections} ${depth}`),
    carry: (sites) => void told.push(`carry ${sites.map(({ origin, address }) => `${origin} ${address}`)}`),
    takeDoubts: () => [{ origin: 'http://a.example', answers: 2 }],
    counters: () => ({ requests: 1, mostConnections: 2, mostDepth: 3, failures: 4 }),
    close: async () => void told.push('gateway closed'),
  };
  const around: HostDeps = {
    version: '9.9.9',
    system: 'linux',
    asking: async () => (found ? FIREFOX : undefined),
    openProfile: async (directory, askedBy) => {
      told.push(`open ${directory} ${askedBy.processId}`);
      return changes;
    },
    watchOver: async (directory) => void told.push(`watch ${directory}`),
    openProbe: async ({ connections, depth }) => {
      told.push(`probe ${connections} ${depth}`);
      const result = () => ({ arrived: 5, connections: 4, depth: 1 });
      return { port: 5000, token: 'probe-token-000000', pieces: 48, result, close: async () => void told.push('probe closed') };
    },
    openGateway: async ({ connections, depth }) => {
      told.push(`gateway ${connections} ${depth}`);
      return gateway;
    },
  };
  return { ...openHost(around), told };
}

const OPENED = `open ${FIREFOX.profileFolder} 4711`;
const WATCHED = `watch ${FIREFOX.profileFolder}`;

it('says who it is, and whether the Firefox that asks was found', async () => {
  expect(await surroundings('none').operations.hello({ ...envelope, op: 'hello' })).toEqual({
    helper: '9.9.9',
    system: 'linux',
    profileFound: true,
    progress: true,
  });
  expect(await surroundings('none', false).operations.hello({ ...envelope, op: 'hello' })).toMatchObject({ profileFound: false });
});

it('applies to the profile of the Firefox that asks, and watches over what is not confirmed', async () => {
  const { operations, told } = surroundings('pending');
  await operations.apply({ ...envelope, op: 'apply', profileId: 'c4-d6' });
  expect(told).toEqual([OPENED, 'apply c4-d6', WATCHED]);
});

it('counts the start of the Firefox that asks, by the moment it began', async () => {
  const { operations, told } = surroundings('confirmed');
  await operations.started({ ...envelope, op: 'started' });
  expect(told).toEqual([OPENED, 'started 4711 boot/815']);
});

it('watches over a revert that ends with Firefox', async () => {
  const { operations, told } = surroundings('restoring');
  expect(await operations.revert({ ...envelope, op: 'revert' })).toMatchObject({ restored: ['a'], leftAlone: ['b'] });
  expect(told).toEqual([OPENED, 'revert', WATCHED]);
});

it('touches nothing for a profile that it does not know, or where the Firefox that asks was not found', async () => {
  const known = surroundings('none');
  await expect(known.operations.apply({ ...envelope, op: 'apply', profileId: 'turbo' })).rejects.toMatchObject({
    helperKind: 'unknown-profile',
  });
  expect(known.told).toEqual([]);
  const lost = surroundings('none', false);
  for (const op of ['started', 'status', 'confirm', 'revert'] as const) {
    const operation = lost.operations[op] as (request: object) => Promise<unknown>;
    await expect(operation({ ...envelope, op })).rejects.toMatchObject({ helperKind: 'no-firefox-profile' });
  }
  expect(lost.told).toEqual([]);
});

it('has one probe at a time, and none where none was opened', async () => {
  const { operations, told, close } = surroundings('none');
  await expect(operations['probe-result']({ ...envelope, op: 'probe-result' })).rejects.toMatchObject({ helperKind: 'bad-request' });
  await operations['probe-open']({ ...envelope, op: 'probe-open', profileId: 'c4-d6' });
  // What Firefox ships: six connections, one request on each.
  await operations['probe-open']({ ...envelope, op: 'probe-open', profileId: 'firefox-default' });
  expect(await operations['probe-result']({ ...envelope, op: 'probe-result' })).toEqual({ arrived: 5, connections: 4, depth: 1 });
  await close();
  expect(told).toEqual(['probe 4 6', 'probe closed', 'probe 6 1', 'probe closed']);
});

it('has one gateway, which is given other numbers only where they differ', async () => {
  const { operations, told, close } = surroundings('none');
  const open = (profileId: string) => operations['gateway-open']({ ...envelope, op: 'gateway-open', profileId });
  expect(await open('c4-d6')).toEqual({ port: 4000, secret: 'gateway-secret-000', connections: 4, depth: 6 });
  await open('c4-d6');
  expect(await open('c2-d8')).toMatchObject({ connections: 2, depth: 8 });
  expect(await operations['gateway-counters']({ ...envelope, op: 'gateway-counters' })).toMatchObject({ requests: 1, failures: 4 });
  const sites = [{ origin: 'http://intranet', address: '10.1.2.3' }];
  expect(await operations['gateway-carry']({ ...envelope, op: 'gateway-carry', sites })).toEqual({});
  await close();
  await close();
  expect(told).toEqual(['gateway 4 6', 'configure 2 8', 'carry http://intranet 10.1.2.3', 'gateway closed']);
});
