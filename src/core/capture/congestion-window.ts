/**
 * An estimate of the sender's congestion window, which no packet carries: the most that was in flight in each round trip. A round begins
 * with the first byte sent, and ends with the acknowledgement, selective or not, of what had been sent when it began (as HyStart++ counts
 * rounds, RFC 9406). The
 * estimate is the window itself only where the window is what held the sender back; every other round says what did, and is then a lower bound.
 */
import type { FlightStep } from './in-flight.ts';

export interface WindowRound {
  readonly fromMs: number;
  readonly toMs: number;
  /** The most in flight, bytes: see `FlightStep.flightBytes`. */
  readonly bytes: number;
  /**
   * What held the sender back. `congestion`: its window. `application`: it had no more to send. `receiver`: the window the other side
   * advertised. `recovery`: it was repairing a loss, and its window was being cut.
   */
  readonly limit: 'congestion' | 'application' | 'receiver' | 'recovery';
  /** New bytes acknowledged before it began. */
  readonly afterBytes: number;
}

interface Round {
  fromMs: number;
  toMs: number;
  /** The acknowledgement of this position ends it. */
  mark: number;
  bytes: number;
  newBytes: number;
  recovering: boolean;
  atReceiversLimit: boolean;
  drained: boolean;
  afterBytes: number;
  /** Follows without a pause on the one before. */
  continues: boolean;
}

/** @param segmentBytes what a full segment carries, bytes. */
export function windowRounds(steps: readonly FlightStep[], segmentBytes: number): readonly WindowRound[] {
  const rounds: Round[] = [];
  let round: Round | undefined;
  let sentUpTo = Number.NEGATIVE_INFINITY;
  /** While acknowledgements are below it, a loss is being repaired. */
  let recoverUpTo = Number.NEGATIVE_INFINITY;
  for (const step of steps) {
    if (step.kind !== 'acknowledged') {
      round ??= begin(step, { mark: step.sentUpTo, continues: false });
      if (step.kind === 'sent-again') recoverUpTo = Math.max(recoverUpTo, step.sentUpTo);
      round.newBytes += Number.isFinite(sentUpTo) ? step.sentUpTo - sentUpTo : 0;
      round.bytes = Math.max(round.bytes, step.flightBytes);
    }
    sentUpTo = step.sentUpTo;
    if (!round) continue;
    round.toMs = step.atMs;
    round.recovering ||= step.acknowledgedUpTo < recoverUpTo;
    round.atReceiversLimit ||= step.windowBytes !== undefined && step.outstandingBytes + segmentBytes > step.windowBytes;
    if (step.kind !== 'acknowledged' || step.arrivedUpTo < round.mark) continue;
    round.drained = step.outstandingBytes === 0;
    rounds.push(round);
    round = round.drained ? undefined : begin(step, { mark: step.sentUpTo, continues: true });
  }
  if (round) rounds.push({ ...round, drained: true });
  return rounds
    .filter(({ bytes }) => bytes > 0)
    .map((each, at, kept) => named(each, { before: kept[at - 1], after: kept[at + 1] }, segmentBytes));
}

function begin(step: FlightStep, { mark, continues }: Pick<Round, 'mark' | 'continues'>): Round {
  return {
    fromMs: step.atMs,
    toMs: step.atMs,
    mark,
    bytes: continues ? step.flightBytes : 0,
    newBytes: 0,
    recovering: false,
    atReceiversLimit: false,
    drained: false,
    afterBytes: Math.max(0, step.acknowledgedUpTo),
    continues,
  };
}

interface Neighbours {
  readonly before: Round | undefined;
  readonly after: Round | undefined;
}

function named(round: Round, { before, after }: Neighbours, segmentBytes: number): WindowRound {
  const { fromMs, toMs, bytes, afterBytes } = round;
  return { fromMs, toMs, bytes, afterBytes, limit: limitOf(round, { before, after }, segmentBytes) };
}

function limitOf(round: Round, { before, after }: Neighbours, segmentBytes: number): WindowRound['limit'] {
  if (round.recovering) return 'recovery';
  // All was acknowledged and nothing followed at once; or less was sent than its acknowledgements made room for.
  if (round.drained || (after?.continues === true && after.newBytes === 0 && !after.recovering)) return 'application';
  if (round.continues && before && !before.recovering && round.newBytes < before.bytes - segmentBytes) return 'application';
  return round.atReceiversLimit ? 'receiver' : 'congestion';
}
