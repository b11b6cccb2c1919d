/** The section of the gateway: what it does, what it has counted, and the listed sites. Pure. */

import type { PlainId } from '../core/text/messages.ts';
import type { DirectReason, ListedSite } from '../protocol/gateway-sites.ts';
import type { GatewayFacts } from '../protocol/helper-state.ts';
import { text } from '../views/text.ts';

export interface GatewayView {
  readonly shown: boolean;
  readonly on: boolean;
  readonly words: string;
  /** What it has counted. */
  readonly counted: string | undefined;
  /** How it ended by itself, or what a site did that was shown. */
  readonly problem: string | undefined;
  readonly sites: readonly SiteRow[];
}

export interface SiteRow {
  readonly origin: string;
  /** Why it goes direct all the same. */
  readonly note: string | undefined;
}

export function gatewayView(facts: GatewayFacts): GatewayView {
  switch (facts.state) {
    case 'unsupported':
      return { shown: false, on: false, words: '', counted: undefined, problem: undefined, sites: [] };
    case 'off':
      return {
        shown: true,
        on: false,
        words: text('gateway.off'),
        counted: undefined,
        problem: facts.ended && endedText(facts.ended),
        sites: facts.sites.map(siteRow),
      };
    case 'on':
      return {
        shown: true,
        on: true,
        words: facts.sites.some(({ direct }) => direct === undefined)
          ? text('gateway.on', { connections: connections(facts.connections), requests: requests(facts.depth) })
          : text('gateway.noSite'),
        counted: facts.counters && countedText(facts.counters),
        problem: facts.doubt && doubtText(facts.doubt),
        sites: facts.sites.map(siteRow),
      };
  }
}

type On = Extract<GatewayFacts, { state: 'on' }>;
type Off = Extract<GatewayFacts, { state: 'off' }>;

const connections = (count: number): string => text('count.connections', { count });
const requests = (count: number): string => text('count.requests', { count });

const siteRow = ({ origin, direct }: ListedSite): SiteRow => ({ origin, note: direct && text(DIRECT[direct]) });

const DIRECT = {
  authentication: 'gateway.authentication',
  misbehaved: 'gateway.misbehaved',
  'this-machine': 'gateway.thisMachine',
  'other-proxy': 'gateway.otherProxy',
} as const satisfies Record<DirectReason, PlainId>;

function countedText({ requests: carried, mostConnections, mostDepth: depth, failures }: NonNullable<On['counters']>): string {
  if (carried === 0) return text('gateway.unused');
  const used = text('gateway.used', { requests: requests(carried), connections: connections(mostConnections), depth });
  return failures === 0 ? used : `${used} ${text('gateway.connectionsFailed', { count: failures })}`;
}

function doubtText({ answers, reloaded, left }: NonNullable<On['doubt']>): string {
  return [
    text('gateway.surplus', { count: answers }),
    ...(reloaded === 0 ? [] : [text('gateway.reloaded', { count: reloaded })]),
    ...(left === 0 ? [] : [text('gateway.formLeft', { count: left })]),
  ].join(' ');
}

function endedText({ reloaded: count }: NonNullable<Off['ended']>): string {
  return [text('gateway.ended'), ...(count === 0 ? [] : [text('gateway.ended.reloaded', { count })])].join(' ');
}
