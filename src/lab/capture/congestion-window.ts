/**
 * An estimate of the sender's congestion window, which no packet carries: the most that was in flight in each round trip. A round begins
 * with the first byte sent and ends when the first new byte of it is acknowledged, selectively or not; then the next begins. The estimate is the
 * window itself only where the window is what held the sender back; every other round says what did, and is then a lower bound.
 */
import type { FlightStep } from './in-flight.ts';

export interface WindowRound {
  readonly fromMs: number;
  readonly toMs: number;
  /** The most in flight, bytes: see `FlightStep.flightBytes`. */
  readonly bytes: number;
  /**
   * What held the sender back. `congestion`: its window. `application`: it had no more to send. `receiver`: the window the other side
   * advertised. `recovery`: a loss was known to the sender and not yet
   * repaired, and its window was being cut.
   */
  readonly limit: 'congestion' | 'application' | 'receiver' | 'recovery';
  /** New bytes acknowledged before it began. */
  readonly afterBytes: number;
}

interface Round {
  fromMs: number;
  toMs: number;
  /** The arrival of this position ends it: of the first new byte sent in it or, until there is one, of all that was sent before. */
  mark: number;
  bytes: number;
  newBytes: number;
  recovering: boolean;
  atReceiversLimit: boolean;
  /** Ended with nothing outstanding. */
  drained: boolean;
  afterBytes: number;
  /** Follows on the one before, which left something outstanding. */
  continues: boolean;
}

/** @param segmentBytes what a full segment carries, bytes. */
export function windowRounds(steps: readonly FlightStep[], segmentBytes: number): readonly WindowRound[] {
  const rounds: Round[] = [];
  let round: Round | undefined;
  let sentUpTo: number | undefined;
  /** While acknowledgements are below it, a loss is being repaired. */
  let recoverUpTo = Number.NEGATIVE_INFINITY;
  for (const step of steps) {
    if (step.kind !== 'acknowledged') {
      round ??= begun(step, { continues: false });
      if (step.kind === 'sent-again') recoverUpTo = Math.max(recoverUpTo, step.sentUpTo);
      const newBytes = step.sentUpTo - (sentUpTo ?? step.sentUpTo);
      if (newBytes > 0 && round.newBytes === 0) round.mark = step.sentUpTo;
      round.newBytes += newBytes;
      round.bytes = Math.max(round.bytes, step.flightBytes);
    }
    sentUpTo = step.sentUpTo;
    if (!round) continue;
    round.toMs = step.atMs;
    // A selective acknowledgement beyond a hole tells of the loss before the repetition does; links that keep packets in order tell no other.
    const lossKnown = step.acknowledgedUpTo < recoverUpTo || step.acknowledgedUpTo < step.arrivedUpTo;
    if (lossKnown && !round.recovering && round.bytes > (rounds.at(-1)?.bytes ?? 0)) {
      // What it had reached before anything was known of a loss counts by itself.
      rounds.push(round);
      round = begun(step, { continues: true });
    }
    round.recovering ||= lossKnown;
    round.atReceiversLimit ||= step.windowBytes !== undefined && step.outstandingBytes + segmentBytes > step.windowBytes;
    if (step.kind !== 'acknowledged' || step.arrivedUpTo < round.mark) continue;
    round.drained = step.outstandingBytes === 0;
    rounds.push(round);
    round = round.drained ? undefined : begun(step, { continues: true });
  }
  if (round) rounds.push({ ...round, drained: true });
  const kept = rounds.filter(({ bytes }) => bytes > 0);
  return kept.map((each, at) => {
    const { fromMs, toMs, bytes, afterBytes } = each;
    return { fromMs, toMs, bytes, afterBytes, limit: limitOf(each, { before: kept[at - 1], after: kept[at + 1] }, segmentBytes) };
  });
}

function begun(step: FlightStep, { continues }: Pick<Round, 'continues'>): Round {
  return {
    fromMs: step.atMs,
    toMs: step.atMs,
    mark: step.sentUpTo,
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

function limitOf(round: Round, { before, after }: Neighbours, segmentBytes: number): WindowRound['limit'] {
  if (round.recovering) return 'recovery';
  // It ended with news of a loss: the packets lost in it made no room for others.
  if (after?.continues === true && after.recovering) return round.atReceiversLimit ? 'receiver' : 'congestion';
  // Nothing was sent for the acknowledgements that came in, or less than they made room for.
  if (round.drained && !followsAtOnce(round, after)) return 'application';
  if (after?.continues === true && after.newBytes === 0 && !after.recovering) return 'application';
  if (round.continues && before && !before.recovering && round.newBytes < before.bytes - segmentBytes) return 'application';
  return round.atReceiversLimit ? 'receiver' : 'congestion';
}

/** Share of a round within which a sender that has more to send reacts to an acknowledgement of all. Chosen, not measured. */
const AT_ONCE = 0.1;

const followsAtOnce = (round: Round, after: Round | undefined): boolean =>
  after !== undefined && after.fromMs - round.toMs <= AT_ONCE * (round.toMs - round.fromMs);

export interface SlowStart {
  readonly fromMs: number;
  readonly toMs: number;
  /** Round trips, the first included. */
  readonly rounds: number;
  readonly fromBytes: number;
  readonly toBytes: number;
  /** Growth from one round to the next, the geometric mean; absent: one round only. Slow start doubles (RFC 5681), less with delayed acknowledgements. */
  readonly growthPerRound?: number;
  /** Data acknowledged before it: 0 for a connection that was cold. */
  readonly afterBytes: number;
  /** `steady`: the window grew by less than a quarter. */
  readonly endedBy: 'loss' | 'receiver' | 'steady' | 'no more to send';
}

/** Less growth in a round trip than this is not slow start: CUBIC and Reno grow by far less once out of it. */
const MIN_GROWTH = 1.25;

/** How the window grew where a connection began to send in earnest: from the first round that the congestion window held back; `undefined`: there is none. */
export function slowStart(rounds: readonly WindowRound[]): SlowStart | undefined {
  const from = rounds.findIndex(({ limit }) => limit === 'congestion');
  const first = rounds[from];
  if (!first) return undefined;
  let last = first;
  let count = 1;
  let endedBy: SlowStart['endedBy'] = 'no more to send';
  for (const [at, round] of rounds.entries()) {
    if (at <= from) continue;
    const end = endOf(round, { last, next: rounds[at + 1] });
    if (end !== undefined) {
      endedBy = end;
      break;
    }
    last = round;
    count += 1;
  }
  return {
    fromMs: first.fromMs,
    toMs: last.toMs,
    rounds: count,
    fromBytes: first.bytes,
    toBytes: last.bytes,
    ...(count > 1 && { growthPerRound: (last.bytes / first.bytes) ** (1 / (count - 1)) }),
    afterBytes: first.afterBytes,
    endedBy,
  };
}

interface Around {
  readonly last: WindowRound;
  readonly next: WindowRound | undefined;
}

function endOf({ limit, bytes }: WindowRound, { last, next }: Around): SlowStart['endedBy'] | undefined {
  if (limit === 'recovery') return 'loss';
  if (limit === 'receiver') return 'receiver';
  if (limit === 'application') return 'no more to send';
  if (bytes >= last.bytes * MIN_GROWTH) return undefined;
  // A round cut short by news of a loss.
  return next?.limit === 'recovery' ? 'loss' : 'steady';
}
