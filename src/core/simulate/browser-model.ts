import { PlumbfoxError } from '../errors.ts';
import { GATEWAY_VISITS, type GatewayVisit } from '../gateway-policy.ts';
import { SHIPPED } from '../profiles/shipped.ts';

/** How the simulated browser behaves, apart from its profile. There are presets, and each member may be given by itself. */
export interface BrowserModel {
  /**
   * Onto which connection a request goes when depth allows more than one. `appended`: also onto one that waits for responses.
   * `bundled`: only onto one with nothing outstanding, up to the depth at once (Firefox before bug 447866).
   */
  readonly dispatch: 'appended' | 'bundled';
  /** `total`: the depth is the number of requests outstanding over all connections of a server, as in 2008; an idle one takes one more. */
  readonly depthScope: 'per-connection' | 'total';
  /** What carries a depth above 1. `gateway`: for plain http only, as in today's Firefox; `legacy`: the browser itself, for all HTTP/1.1. */
  readonly carrier: 'gateway' | 'legacy';
  /** How far the gateway knows the sites of the page. */
  readonly gatewayVisit: GatewayVisit;
  /** Whether requests are paced as the profile says (bug 437953, after 2008). */
  readonly paces: boolean;
  /** Images and the like wait for blocking requests in progress (bug 1793693). */
  readonly holdsBack: boolean;
  /** `speculative`: a connection is opened when a request is discovered, even one that is held back; `on-demand`: when it may be sent. */
  readonly opening: 'speculative' | 'on-demand';
  /** A second connection is opened where the first has not answered after this long, ms (network.http.connection-retry-timeout); 0: never. */
  readonly backupAfterMs: number;
  /**
   * Whether such second connections, and those of urgent requests (documents: network.http.max-urgent-start-excessive-connections-per-host),
   * may go beyond the limit, as they do in Firefox; else they are left out there.
   */
  readonly beyondLimit: boolean;
  /**
   * What the browser's processor needs for each request before it is on its way, one after another, ms. 0 unless measured for a machine: a
   * recorded load holds its own delays, and a prediction for no machine in particular has none.
   */
  readonly requestWorkMs: number;
  /** The same for the gateway, in addition. */
  readonly gatewayWorkMs: number;
}

/** Firefox 140 to 153. */
export const FIREFOX_TODAY: BrowserModel = {
  dispatch: 'appended',
  depthScope: 'per-connection',
  carrier: 'gateway',
  gatewayVisit: 'first-visit',
  paces: true,
  holdsBack: true,
  opening: 'speculative',
  backupAfterMs: SHIPPED.backupAfterMs,
  beyondLimit: false,
  requestWorkMs: 0,
  gatewayWorkMs: 0,
};

/**
 * Fennec of July 2008, as the memo describes it (bug 448805, bug 447866): no pacing, no speculative connections, no backup, bundles, one
 * depth for all.
 */
export const FENNEC_2008: BrowserModel = {
  dispatch: 'bundled',
  depthScope: 'total',
  carrier: 'legacy',
  gatewayVisit: 'known-site',
  paces: false,
  holdsBack: false,
  opening: 'on-demand',
  backupAfterMs: 0,
  beyondLimit: false,
  requestWorkMs: 0,
  gatewayWorkMs: 0,
};

const VALUES = {
  dispatch: ['appended', 'bundled'],
  depthScope: ['per-connection', 'total'],
  carrier: ['gateway', 'legacy'],
  gatewayVisit: GATEWAY_VISITS,
  opening: ['speculative', 'on-demand'],
  paces: [true, false],
  holdsBack: [true, false],
  beyondLimit: [true, false],
} as const;
/** Delays and work, ms: longer ones are mistakes in the unit. */
const MAX_MS = { backupAfterMs: 60_000, requestWorkMs: 10_000, gatewayWorkMs: 10_000 } as const;

/** A browser model with its defaults filled in. @throws PlumbfoxError `bad-input` that names the member. */
export function checkedModel(given: Partial<BrowserModel>): BrowserModel {
  for (const [member, value] of Object.entries(given)) {
    if (Object.hasOwn(VALUES, member)) checkChoice(member, value, VALUES[member as keyof typeof VALUES]);
    else if (Object.hasOwn(MAX_MS, member)) checkMs(member, value, MAX_MS[member as keyof typeof MAX_MS]);
    else throw new PlumbfoxError('bad-input', `Model: there is no ${member}`);
  }
  return { ...FIREFOX_TODAY, ...given };
}

function checkChoice(member: string, value: unknown, choices: readonly unknown[]): void {
  if (!choices.includes(value))
    throw new PlumbfoxError('bad-input', `Model: ${member} must be ${choices.join(' or ')}, not ${String(value)}`);
}

function checkMs(member: string, value: unknown, max: number): void {
  if (typeof value === 'number' && value >= 0 && value <= max) return;
  throw new PlumbfoxError('bad-input', `Model: ${member} must be a number from 0 to ${max}, not ${String(value)}`);
}
