/** The arguments of `tune --search`, and of `--protocol`. */
import { PlumbfoxError } from '../../../core/errors.ts';
import { MAX_FACTORIAL, type SearchKnob } from '../../../core/search/factorial.ts';
import { PROTOCOL_KNOBS, type Visit } from '../../../core/search/protocol-knobs.ts';
import { readSearchKnob } from '../../../core/search/search-space.ts';
import { MAX_CURIOUS_ASKED } from '../../../core/search/shortlist.ts';
import { isModelled } from '../../../core/simulate/simulated-profile.ts';
import type { ServedBy } from '../../../lab/pages/served-by.ts';
import { nameList, wholeNumber } from '../../arguments.ts';

/** The minutes of a search unless `--minutes` names others. */
export const DEFAULT_MINUTES = 6;
const MAX_MINUTES = 600;

export interface SearchArguments {
  /** For all of it: simulation, Firefox's start, rounds and confirmation. */
  readonly minutes: number;
  /** Absent: every knob that is searched by default. */
  readonly knobs: readonly SearchKnob[] | undefined;
}

interface SearchValues {
  readonly search?: boolean | undefined;
  readonly minutes?: string | undefined;
  readonly knobs?: readonly string[] | undefined;
  readonly profiles?: readonly string[] | undefined;
  readonly blocks?: string | undefined;
  readonly 'real-network'?: boolean | undefined;
  readonly protocol?: string | undefined;
}

/** @returns `undefined` without `--search`. @throws PlumbfoxError `bad-input`, one line. */
export function searchArguments(values: SearchValues): SearchArguments | undefined {
  if (values.search !== true) {
    for (const option of ['minutes', 'knobs'] as const) if (values[option] !== undefined) throw refused(`--${option} goes with --search`);
    return undefined;
  }
  if (values['real-network'])
    throw refused('--search simulates the pages first, so it needs pages and links of the lab: leave out --real-network');
  if (values.profiles !== undefined)
    throw refused('--search chooses the profiles itself: leave out --profiles, or name preferences with --knobs');
  if (values.blocks !== undefined) throw refused('--search plans its blocks itself: leave out --blocks, or give it --minutes');
  return {
    minutes: wholeNumber(values.minutes, { option: '--minutes', min: 1, max: MAX_MINUTES }) ?? DEFAULT_MINUTES,
    knobs: searchKnobs(nameList(values.knobs, '--knobs'), protocolServer(values.protocol, { real: false })),
  };
}

/** Stands for all preferences about protocols. */
const ALL_OF_PROTOCOL = 'protocol';

function searchKnobs(texts: readonly string[] | undefined, servedBy: ServedBy): readonly SearchKnob[] | undefined {
  if (texts === undefined) return undefined;
  if (texts.includes(ALL_OF_PROTOCOL) && servedBy !== 'negotiated')
    throw refused(`--knobs ${ALL_OF_PROTOCOL} needs servers that speak several protocols: add --protocol negotiated`);
  const knobs = texts.flatMap((text) => (text === ALL_OF_PROTOCOL ? PROTOCOL_KNOBS : [readSearchKnob(text)]));
  const twice = knobs.find(({ preference }, at) => knobs.findIndex((other) => other.preference === preference) !== at);
  if (twice !== undefined) throw refused(`--knobs: ${twice.preference} is named twice; give its values together, as A|B`);
  // What is not modelled is measured one value at a time, and crossed with nothing.
  const crossed = knobs.filter(({ preference }) => isModelled(preference));
  const combinations = crossed.reduce((product, { values }) => product * (values.length + 1), 1);
  if (combinations > MAX_FACTORIAL)
    throw refused(`--knobs: these are ${combinations} combinations; at most ${MAX_FACTORIAL} are simulated`);
  const others = knobs.filter((knob) => !crossed.includes(knob));
  const single = others.reduce((sum, { values }) => sum + values.length, 0);
  if (single > MAX_CURIOUS_ASKED)
    throw refused(
      `--knobs: at most ${MAX_CURIOUS_ASKED} values of preferences that are not simulated can be measured; these are ${single}, of ${others.map(({ preference }) => preference).join(', ')}`,
    );
  return knobs;
}

const PROTOCOLS: ReadonlyMap<string, ServedBy> = new Map([
  ['http/1.1', 'embedded'],
  ['https', 'https'],
  ['http/2', 'http2'],
  ['http/3', 'http3'],
  ['negotiated', 'negotiated'],
]);

/** The names that `--protocol` takes. */
export const PROTOCOL_NAMES: readonly string[] = [...PROTOCOLS.keys()];

/** The server that speaks the protocol of `--protocol`. @throws PlumbfoxError `bad-input` for any other name. */
export function protocolServer(name: string | undefined, { real }: { readonly real: boolean }): ServedBy {
  if (name === undefined) return 'embedded';
  if (real) throw refused('--protocol is for the pages of the lab; on the real network each server has its own');
  const server = PROTOCOLS.get(name.trim().toLowerCase());
  if (server === undefined)
    throw refused(`--protocol must be one of ${PROTOCOL_NAMES.join(', ')}, not ${JSON.stringify(name.slice(0, 40))}`);
  return server;
}

/** @throws PlumbfoxError `bad-input`. */
export function visitNamed(name: string | undefined, servedBy: ServedBy): Visit {
  if (name === undefined) return 'first';
  if (servedBy !== 'negotiated') throw refused('--visit goes with --protocol negotiated: no other server of the lab is remembered');
  if (name !== 'first' && name !== 'second') throw refused(`--visit must be first or second, not ${JSON.stringify(name.slice(0, 40))}`);
  return name;
}

const refused = (message: string): PlumbfoxError => new PlumbfoxError('bad-input', message);
