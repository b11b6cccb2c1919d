/** The gateway in words. */
import { assertNever } from '../core/errors.ts';
import type { DirectReason, ListedSite } from '../protocol/gateway-sites.ts';
import type { GatewayFacts } from '../protocol/helper-state.ts';

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
        words:
          'Firefox has no pipelining of its own. A gateway on this machine gives the plain-http sites that you list, such as those of an intranet, a real depth.',
        counted: undefined,
        problem: facts.ended && endedWords(facts.ended),
        sites: facts.sites.map(siteRow),
      };
    case 'on':
      return {
        shown: true,
        on: true,
        words: facts.sites.some(({ direct }) => direct === undefined)
          ? `On for the sites listed here: up to ${many(facts.connections, 'connection')} to each server, ${many(facts.depth, 'request')} outstanding on each. Everything else goes direct.`
          : 'On, but no site is listed that may use it: everything goes direct.',
        counted: facts.counters && countedWords(facts.counters),
        problem: facts.doubt && doubtWords(facts.doubt),
        sites: facts.sites.map(siteRow),
      };
  }
}

type On = Extract<GatewayFacts, { state: 'on' }>;
type Off = Extract<GatewayFacts, { state: 'off' }>;

const siteRow = ({ origin, direct }: ListedSite): SiteRow => ({ origin, note: direct && directWords(direct) });

function directWords(why: DirectReason): string {
  switch (why) {
    case 'authentication':
      return 'goes direct: it asked for a password';
    case 'misbehaved':
      return 'goes direct: it does not answer as pipelining needs';
    case 'this-machine':
      return 'goes direct: its name leads to this machine';
    case 'other-proxy':
      return 'goes direct: another proxy is in effect for it';
    default:
      return assertNever(why);
  }
}

function countedWords({ requests, mostConnections, mostDepth, failures }: NonNullable<On['counters']>): string {
  if (requests === 0) return 'It has carried no request yet.';
  const failed = failures === 0 ? '' : ` ${many(failures, 'connection')} failed.`;
  return `It has carried ${many(requests, 'request')}, with at most ${many(mostConnections, 'connection')} to one server and ${many(mostDepth, 'request')} outstanding on one.${failed}`;
}

function doubtWords({ answers, reloaded, left }: NonNullable<On['doubt']>): string {
  const may = `A site answered more than it was asked: ${many(answers, 'answer')} may have been shown in the place of another. It goes direct now.`;
  const again = reloaded === 0 ? '' : ` ${many(reloaded, 'page')} ${reloaded === 1 ? 'was' : 'were'} loaded again.`;
  const others =
    left === 0 ? '' : ` ${many(left, 'page')} that a form was sent for ${left === 1 ? 'was' : 'were'} not: load it again yourself.`;
  return `${may}${again}${others}`;
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
