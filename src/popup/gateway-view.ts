/** The gateway in words. */
import type { GatewayFacts } from '../protocol/gateway-facts.ts';

export interface GatewayView {
  readonly shown: boolean;
  readonly on: boolean;
  readonly words: string;
  /** What it has counted. */
  readonly counted: string | undefined;
  /** How it ended by itself. */
  readonly problem: string | undefined;
}

export function gatewayView(facts: GatewayFacts): GatewayView {
  switch (facts.state) {
    case 'unsupported':
      return { shown: false, on: false, words: '', counted: undefined, problem: undefined };
    case 'off':
      return {
        shown: true,
        on: false,
        words:
          'Firefox has no pipelining of its own. A gateway on this machine can give plain-http sites, such as those of an intranet, a real depth.',
        counted: undefined,
        problem: facts.ended && endedWords(facts.ended),
      };
    case 'on':
      return {
        shown: true,
        on: true,
        words: `On: plain-http sites go through the gateway, with up to ${many(facts.connections, 'connection')} to each server and ${many(facts.depth, 'request')} outstanding on each. https is not touched.`,
        counted: facts.counters && countedWords(facts.counters),
        problem: undefined,
      };
  }
}

type On = Extract<GatewayFacts, { state: 'on' }>;
type Off = Extract<GatewayFacts, { state: 'off' }>;

function countedWords({ requests, mostConnections, mostDepth, failures }: NonNullable<On['counters']>): string {
  if (requests === 0) return 'It has carried no request yet.';
  const failed = failures === 0 ? '' : ` ${many(failures, 'connection')} failed.`;
  return `It has carried ${many(requests, 'request')}, with at most ${many(mostConnections, 'connection')} to one server and ${many(mostDepth, 'request')} outstanding on one.${failed}`;
}

function endedWords({ reloaded }: NonNullable<Off['ended']>): string {
  const pages =
    reloaded === 0
      ? ''
      : reloaded === 1
        ? ' A page that had lost something was loaded again.'
        : ` ${reloaded} pages that had lost something were loaded again.`;
  return `The gateway ended by itself. Everything goes direct.${pages}`;
}

const many = (count: number, what: string): string => `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;
