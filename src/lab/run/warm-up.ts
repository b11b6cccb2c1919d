/** Loads that do not count, before the first that does: a browser pays for its start, and the gateway for its first challenge. */

import { PlumbfoxError } from '../../core/errors.ts';
import { carrierFor } from '../../core/profiles/carrier.ts';
import { CONTROL, FIREFOX_DEFAULT } from '../../core/profiles/presets.ts';
import type { Profile } from '../../core/profiles/profile.ts';
import type { Lane } from '../lane/lane.ts';
import { QUICK_LINK } from '../link/links.ts';
import type { RunPage } from './run-page.ts';

export interface WarmUp {
  readonly lane: Lane;
  readonly pages: readonly RunPage[];
  /** Whether a profile of the run goes through the gateway. */
  readonly gateway: boolean;
  readonly timeoutMs: number;
}

export async function warmUp({ lane, pages, gateway, timeoutMs }: WarmUp): Promise<void> {
  await lane.useLink(QUICK_LINK);
  // On the real network one page is enough: its servers are somebody else's.
  const chosen = lane.kind === 'real' ? pages.slice(0, 1) : pages;
  const profiles: readonly Profile[] = gateway ? [FIREFOX_DEFAULT, CONTROL] : [FIREFOX_DEFAULT];
  for (const [index, page] of chosen.entries()) {
    for (const profile of profiles) {
      const carrier = carrierFor(profile, { gateway: true });
      try {
        await lane.load({ profile, carrier, url: page.url(`warm-up-${index}-${profile.id}`), timeoutMs });
      } catch (error) {
        // A page that comes to no end is for the run to judge, load by load.
        if (!(error instanceof PlumbfoxError && error.kind === 'run-void')) throw error;
      }
    }
  }
}
