/**
 * Traces by name. They are our own, drawn from a model with a seed, and no recording of any network: what a recording has to say about
 * rates that vary can be given as a file in Mahimahi's format.
 *
 * The model, in steps of 100 ms: the logarithm of the rate is an autoregressive process of first order (slow shadowing, Gudmundson,
 * "Correlation model for shadow fading in mobile radio systems", Electronics Letters 27, 1991: correlation falls exponentially with the
 * way travelled); fades come at random with a mean distance, last a random time and leave a share of the rate. The whole is scaled so
 * that the mean rate is exactly what is asked, and turned into moments at which one packet may leave.
 */

import { readFileSync, statSync } from 'node:fs';
import { PlumbfoxError } from '../../core/errors.ts';
import { seededRandom } from '../../core/random.ts';
import { SEGMENT_BYTES } from '../../core/tcp-constants.ts';
import { standardNormal } from './jitter.ts';
import { type LinkTrace, parseTrace } from './link-trace.ts';

/** Small enough for a fade to have edges, large against the distance of packets. */
const STEP_MS = 100;

interface TraceModel {
  readonly seed: number;
  readonly periodMs: number;
  readonly meanKbps: number;
  /** Standard deviation of the logarithm of the rate, outside of fades. */
  readonly shadowing: number;
  /** Time in which shadowing forgets itself, ms. */
  readonly shadowMemoryMs: number;
  /** Mean time from the end of a fade to the next, ms. */
  readonly fadeEveryMs: number;
  readonly fadeMs: readonly [shortest: number, longest: number];
  /** Share of the rate that a fade leaves; 0 is an outage. */
  readonly fadeLeaves: number;
}

/**
 * A minute each, so that a page load sees a small part of it and a study the whole. Figures are chosen in the order of what was
 * measured: on trains the network is away altogether for moments, at tunnels and changes of cell ("Mobile Broadband Performance Measured
 * from High-Speed Regional Trains", VTC 2011: blackouts; Wang et al., "An Active-Passive Measurement Study of TCP Performance over LTE on
 * High-speed Rails", MobiCom 2019: goodput varies widely and breaks off at handovers); outages here are short enough for a page to load.
 */
const MODELS = {
  /** The Wi-Fi of a train: its router shares what mobile networks give between tunnels among all passengers. */
  'train-wifi': {
    seed: 20_081,
    periodMs: 60_000,
    meanKbps: 4000,
    shadowing: 0.6,
    shadowMemoryMs: 3000,
    fadeEveryMs: 8000,
    fadeMs: [300, 1500],
    fadeLeaves: 0,
  },
  /** 4G in a car: wide swings, and a short dip at a change of cell. */
  '4g-car': {
    seed: 20_082,
    periodMs: 60_000,
    meanKbps: 12_000,
    shadowing: 0.5,
    shadowMemoryMs: 2000,
    fadeEveryMs: 15_000,
    fadeMs: [100, 400],
    fadeLeaves: 0.1,
  },
} as const satisfies Record<string, TraceModel>;

/** A trace that is drawn here, and needs no file. */
type TraceName = keyof typeof MODELS;
export const TRACE_NAMES = Object.keys(MODELS) as readonly TraceName[];
const isTraceName = (name: string): name is TraceName => Object.hasOwn(MODELS, name);

/** Drawn again; the same every time. */
export const namedTrace = (name: TraceName): LinkTrace => traceFromModel(MODELS[name]);

/** Rates are relative: scaled afterwards. */
function modelledRates(model: TraceModel): number[] {
  const random = seededRandom(model.seed);
  const exponential = (mean: number) => -mean * Math.log(1 - random.next());
  const kept = Math.exp(-STEP_MS / model.shadowMemoryMs);
  const [shortest, longest] = model.fadeMs;
  const rates: number[] = [];
  let shadow = standardNormal(random);
  let fadeFromMs = exponential(model.fadeEveryMs);
  let fadeUntilMs = fadeFromMs + shortest + random.next() * (longest - shortest);
  for (let ms = 0; ms < model.periodMs; ms += STEP_MS) {
    shadow = kept * shadow + Math.sqrt(1 - kept * kept) * standardNormal(random);
    if (ms >= fadeUntilMs) {
      fadeFromMs = ms + exponential(model.fadeEveryMs);
      fadeUntilMs = fadeFromMs + shortest + random.next() * (longest - shortest);
    }
    rates.push(Math.exp(model.shadowing * shadow) * (ms >= fadeFromMs ? model.fadeLeaves : 1));
  }
  return rates;
}

/** @param model - Its period is a whole number of steps. */
export function traceFromModel(model: TraceModel): LinkTrace {
  const rates = modelledRates(model);
  const packets = Math.round((model.meanKbps * model.periodMs) / 8 / SEGMENT_BYTES);
  const perPacket = rates.reduce((sum, rate) => sum + rate, 0) / packets;
  const opportunitiesMs: number[] = [];
  let sent = 0;
  for (const [step, rate] of rates.entries()) {
    const before = sent;
    sent += rate;
    // Half a packet early, so that rounding loses none at either end.
    while (opportunitiesMs.length < packets && (opportunitiesMs.length + 0.5) * perPacket <= sent) {
      const share = ((opportunitiesMs.length + 0.5) * perPacket - before) / rate;
      opportunitiesMs.push(Math.floor((step + share) * STEP_MS));
    }
  }
  // The last moment is the period.
  opportunitiesMs[packets - 1] = model.periodMs;
  return { opportunitiesMs };
}

/** An hour at 50 Mbit/s has 15 million moments in 115 MB; this is some minutes of it. */
const MAX_BYTES = 20_000_000;

const known = new Map<string, LinkTrace>();

/**
 * A trace as a link names it: one of ours, or a file. Each is drawn or read once per process. @throws PlumbfoxError `bad-input` when it is neither a
 * name nor a file that can be read.
 */
export function traceOf(name: string): LinkTrace {
  const found = known.get(name) ?? (isTraceName(name) ? namedTrace(name) : traceFromFile(name));
  known.set(name, found);
  return found;
}

function traceFromFile(path: string): LinkTrace {
  return parseTrace(textOf(path), path);
}

function textOf(path: string): string {
  const refused = (why: string) =>
    new PlumbfoxError('bad-input', `Trace "${path}" ${why}; traces are ${TRACE_NAMES.join(', ')}, or a file as Mahimahi has them`);
  let size: number;
  try {
    const found = statSync(path);
    if (!found.isFile()) throw refused('is no file');
    size = found.size;
  } catch (error) {
    throw error instanceof PlumbfoxError ? error : refused('cannot be read');
  }
  if (size > MAX_BYTES) throw refused(`is larger than ${MAX_BYTES / 1_000_000} MB`);
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw refused('cannot be read');
  }
}
