/**
 * Random browsing of thirty origins through the gateway, with the helper killed at random moments; `npm run soak:gateway` is the same for an
 * hour. What Firefox takes for complete is held, byte for byte, against what the address stands for.
 */
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { buildOnce } from '../support/build-once.ts';
import { walkThroughGateway } from '../support/walk/walk.ts';

const { PLUMBFOX_SOAK_MINUTES = '0.45', PLUMBFOX_SOAK_SEED = '1', PLUMBFOX_SOAK_KILLS = '2', PLUMBFOX_SOAK_RECORD } = process.env;
/** Requests through the gateway, without which nothing is shown. Our own choice. */
const LEAST = 200;
const LEAST_PIPELINED = 15;
const minutes = Number(PLUMBFOX_SOAK_MINUTES);

test(
  'thirty origins through the gateway, as direct',
  async () => {
    buildOnce();
    const record = await walkThroughGateway({
      minutes,
      seed: Number(PLUMBFOX_SOAK_SEED),
      kills: Number(PLUMBFOX_SOAK_KILLS),
      least: LEAST,
      leastPipelined: LEAST_PIPELINED,
      isStopped: () => PLUMBFOX_SOAK_RECORD !== undefined && existsSync(`${PLUMBFOX_SOAK_RECORD}.stop`),
      ...(PLUMBFOX_SOAK_RECORD !== undefined && { onSeen: (lines) => appendFileSync(`${PLUMBFOX_SOAK_RECORD}l`, lines) }),
      onProgress: (soFar) => {
        if (PLUMBFOX_SOAK_RECORD !== undefined) writeFileSync(PLUMBFOX_SOAK_RECORD, JSON.stringify(soFar, null, 2));
      },
    });
    if (PLUMBFOX_SOAK_RECORD !== undefined) writeFileSync(PLUMBFOX_SOAK_RECORD, JSON.stringify(record, null, 2));
    const { arrivals, connections, wrong, failedUnlikeDirect, shown } = record;
    expect(wrong).toEqual([]);
    // What fails is seen to fail; when the walk leaves a page may be told too late, on a busy machine, to know it by.
    expect(failedUnlikeDirect.length).toBeLessThanOrEqual(arrivals.byGateway / 50);
    expect(shown.well.gateway.whole).toBeGreaterThan(10);
    expect(arrivals.byGateway).toBeGreaterThan(LEAST / 2);
    // Never again by the gateway; Firefox may ask once more, direct, for what may be asked twice.
    expect(arrivals).toMatchObject({ byGatewayTwice: 0, getsTooOften: 0, othersByGateway: 0, othersTooOften: 0, mostOfOthers: 1 });
    expect(arrivals.mostOfGet).toBeLessThanOrEqual(2);
    // Each connection is of one origin, for one top-level site, in one container.
    expect(connections).toMatchObject({ twoOrigins: 0, twoSites: 0 });
    expect(connections.sites).toBeGreaterThan(3);
    expect(connections.pipelinedRequests).toBeGreaterThan(10);
  },
  4 * minutes * 60_000 + 180_000,
);
