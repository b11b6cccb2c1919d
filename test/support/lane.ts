/** A packet lane for the browser tests, with its browser started; or only the link. */

import { carrierFor } from '../../src/core/profiles/carrier.ts';
import type { Profile } from '../../src/core/profiles/profile.ts';
import { resolveProfiles } from '../../src/core/profiles/resolve-profiles.ts';
import { ensurePrograms } from '../../src/lab/ensure-programs.ts';
import type { Lane } from '../../src/lab/lane/lane.ts';
import type { LaneFacts, StartLane } from '../../src/lab/lane/lane-protocol.ts';
import { packetLane } from '../../src/lab/lane/packet-lane.ts';
import { parseLink } from '../../src/lab/link/parse-link.ts';
import { findPage } from '../../src/lab/pages/pages.ts';
import { recipePage } from '../../src/lab/run/measure-one.ts';
import { type LoadToValidate, observedLoad, validateLoad } from '../../src/lab/run/validate-load.ts';

export interface TestLane {
  readonly lane: Lane;
  readonly facts: LaneFacts;
  /** Loads a page of the lab under a profile and judges it as a run does. */
  load(
    profile: string | Profile,
    page: string,
  ): Promise<LoadToValidate & { observed: ReturnType<typeof observedLoad>; validity: ReturnType<typeof validateLoad> }>;
}

export async function startTestLane(link: string, start: Partial<StartLane> = {}): Promise<TestLane> {
  const { firefox, prefix } = await ensurePrograms({ emulator: true, install: false, onInstall: () => {} });
  const lane = await packetLane({ prefix: prefix ?? [] });
  const facts = await lane.start({ program: firefox.path, variant: 'lab', quietMs: 150, ...start });
  await lane.useLink(parseLink(link));
  let token = 0;
  return {
    lane,
    facts,
    load: async (named, pageName) => {
      const profile = typeof named === 'string' ? (resolveProfiles([named])[0] as Profile) : named;
      const page = recipePage(findPage(pageName), lane.pageUrl);
      const carrier = carrierFor(profile, { gateway: true });
      const outcome = await lane.load({ profile, carrier, url: page.url(`t${token++}`), timeoutMs: 60_000 });
      const judged: LoadToValidate = {
        profile,
        carrier,
        outcome,
        ...(outcome.origins && { origins: outcome.origins }),
        ...(page.expected && { expected: page.expected }),
      };
      return { ...judged, observed: observedLoad(judged), validity: validateLoad(judged) };
    },
  };
}
