/** Checks a link of the relay lane: RTT and rate by plain TCP, without the link's own jitter and trace, which make both uncertain. */
import { type LinkMeasurement, plainLink } from '../link/link-check.ts';
import type { LinkSpec } from '../link/link-spec.ts';

export interface RelayEnds {
  /** @throws PlumbfoxError `environment` for a link that the relay cannot be. */
  setLink(link: LinkSpec): Promise<void>;
  measure(expected: LinkSpec): Promise<LinkMeasurement>;
  /** Drops what the measurement has still on its way. */
  flush(): Promise<void>;
}

/** Leaves the link in place as asked. @throws PlumbfoxError `environment`, before anything is measured, for one that cannot be. */
export async function checkRelayedLink(asked: LinkSpec, { setLink, measure, flush }: RelayEnds): Promise<LinkMeasurement> {
  await setLink(asked);
  await setLink(plainLink(asked));
  const measured = await measure(asked);
  await flush();
  await setLink(asked);
  return measured;
}
