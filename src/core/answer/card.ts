/**
 * The state of the popup's card: what comes first of all that is known, as data. Exactly one button belongs to each state. Records that cannot be
 * made come first, then a trial in progress, then what is applied, then the answer.
 */
import { assertNever } from '../errors.ts';
import type { SinceApplied } from '../field/since-applied.ts';
import {
  type Answer,
  type AnsweredProfile,
  type Change,
  ENOUGH_LOADS,
  isNothingToGain,
  type PredictedChange,
  type PredictedFaster,
  type PredictedFor,
  type Unanswered,
} from './answer.ts';
import type { Proof, TrialLeft } from './proof.ts';

/** A profile beside Firefox's own settings. `loads`: page loads that count, of both; absent: it is predicted. */
export interface ComparedRow {
  readonly profileId: string;
  readonly change: Change;
  readonly loads?: number | undefined;
}

/** What the verdict of a trial rests on. */
export interface VerdictBasis {
  /** Chance of a false verdict, over all looks at the trial; 0.05. */
  readonly alpha: number;
  /** Page loads that count, of the settings and of what they are compared with. */
  readonly loads: number;
  readonly baselineLoads: number;
  /** The trial's own checks: how many of them passed, had too few page loads, and warn. */
  readonly passed: number;
  readonly tooEarly: number;
  readonly warned: number;
}

/** A network of the newest trial's page loads that count. */
export interface TrialNetwork {
  /** The name that the person gave, else one that is made of the estimated figures. */
  readonly name: string;
  readonly isGiven: boolean;
  readonly loads: number;
}

/** What the card needs of a trial in progress. */
export interface CardTrial {
  readonly isPaused: boolean;
  /** Why it paused by itself; absent: the person paused it. */
  readonly because?: string | undefined;
  /** Profiles that are compared with Firefox's own settings. */
  readonly candidates: readonly string[];
  readonly rows: readonly ComparedRow[];
  /** Page loads that the person has made for it, and how many they are expected to be in all. */
  readonly each: number;
  readonly planned: number;
  readonly left: TrialLeft;
  /** The profile that the next start of Firefox is to have. */
  readonly due?: string | undefined;
}

/** What is applied besides a trial, and by whom. */
export interface AppliedNow {
  readonly profileId: string;
  readonly by: 'live' | 'helper' | 'manual' | 'policy' | 'gateway';
  /** Wall clock, ms since the epoch. */
  readonly since?: number | undefined;
  /** What Firefox has to be started again for; absent: nothing. */
  readonly awaitsRestart?: 'to-apply' | 'to-undo' | undefined;
  /** Preferences without their intended value, and those of them that a policy locks. */
  readonly wrong: readonly string[];
  readonly locked: readonly string[];
  /** Absent: too few days to say anything. */
  readonly changed?: Pick<SinceApplied, 'gain' | 'days' | 'before'> | undefined;
}

/** What is predicted for a site that still uses HTTP/1.1; `change`: by itself (absent: no gain is sure). */
export interface SiteRow {
  readonly host: string;
  readonly change?: PredictedChange | undefined;
  readonly isSimulated: boolean;
}

export interface CardInput {
  readonly answer: Answer;
  readonly recording:
    | 'recording'
    | 'no-permission'
    | 'private-browsing'
    | 'version-too-new'
    | 'held-by-another'
    | 'list-lost'
    | 'store-failed';
  readonly lost?: { readonly loads: number; readonly until: number } | undefined;
  readonly stopped?: { readonly from: number; readonly until: number } | undefined;
  readonly loads: number;
  readonly trial?: CardTrial | undefined;
  /** The newest trial ended because a check failed. */
  readonly isTrialInvalid?: boolean | undefined;
  /** What the checks that fail in the newest trial have found, in sentences; absent: none fails. */
  readonly failedChecks?: readonly string[] | undefined;
  /** What the verdict of the newest trial rests on; absent: it has confirmed nothing. */
  readonly basis?: VerdictBasis | undefined;
  /** Networks of the newest trial, the one with most page loads first; absent: none is known. */
  readonly networks?: readonly TrialNetwork[] | undefined;
  readonly applied?: AppliedNow | undefined;
  /**
   * Who could apply settings: the extension at once, the helper app at the next start, the person, who may install one; `person-alone`: no helper app
   * can exist here; `working`: not known yet.
   */
  readonly applier: 'at-once' | 'at-start' | 'person' | 'person-alone' | 'working';
  /** A preference that Firefox refused to set because a policy locks it. */
  readonly refusedLocked?: string | undefined;
  /** Predicted profiles, the recommended one first. */
  readonly rows: readonly ComparedRow[];
  readonly faster?: PredictedFaster | undefined;
  readonly sites?: readonly SiteRow[] | undefined;
  readonly proof: Proof;
}

type Running = Omit<CardTrial, 'isPaused' | 'because'>;
type Reach = Extract<Answer, { from: 'reach' }>;

/** Everything that the card can say. */
export type CardState =
  | { readonly kind: 'no-permission' }
  | { readonly kind: 'private-only' }
  | { readonly kind: 'version-too-new' }
  | { readonly kind: 'held-by-another' }
  | { readonly kind: 'list-lost' }
  | { readonly kind: 'disk-full' }
  | { readonly kind: 'storage-lost'; readonly loads: number; readonly until: number }
  | { readonly kind: 'restarted'; readonly from: number; readonly until: number }
  /** `why`: there is no answer yet. */
  | { readonly kind: 'fresh'; readonly loads: number; readonly enough: number; readonly why?: Unanswered | undefined }
  | { readonly kind: 'unanswered'; readonly why: Unanswered }
  | { readonly kind: 'nothing-to-gain'; readonly isSure: boolean; readonly reach: Reach; readonly sites?: readonly SiteRow[] | undefined }
  | {
      readonly kind: 'predicted';
      readonly profileId: string;
      readonly change: PredictedChange;
      readonly pages: number;
      readonly predictedFor?: PredictedFor | undefined;
      readonly rows: readonly ComparedRow[];
      readonly faster?: PredictedFaster | undefined;
      readonly proof: Proof;
      /** Only the person can apply settings here; absent: not so. */
      readonly isManual?: boolean | undefined;
    }
  | ({ readonly kind: 'collecting' } & Running)
  | ({
      readonly kind: 'leading';
      /** `undefined`: the first result waits for the trial's own checks. */
      readonly leader: AnsweredProfile | undefined;
    } & Running)
  | ({ readonly kind: 'paused'; readonly because: string | undefined } & Pick<CardTrial, 'candidates' | 'rows' | 'each' | 'planned'>)
  /** `candidates`: none where it is over. */
  | { readonly kind: 'invalid'; readonly isOver: boolean; readonly candidates: readonly string[]; readonly checks: readonly string[] }
  | {
      readonly kind: 'not-faster';
      readonly answer: Extract<Answer, { from: 'trial'; state: 'no-difference' | 'open' | 'slower' }>;
      readonly networks?: readonly TrialNetwork[] | undefined;
    }
  | {
      readonly kind: 'confirmed' | 'helper-missing' | 'manual-step';
      readonly found: AnsweredProfile;
      readonly alone?: Change | undefined;
      readonly loads: number;
      readonly basis?: VerdictBasis | undefined;
      readonly networks?: readonly TrialNetwork[] | undefined;
    }
  /** `proven`: what a trial has found of these settings. */
  | { readonly kind: 'applied'; readonly applied: AppliedNow; readonly proven?: Change | undefined }
  | { readonly kind: 'applied-not-in-effect'; readonly applied: AppliedNow }
  | { readonly kind: 'undone-at-restart' }
  | { readonly kind: 'locked'; readonly profileId: string | undefined; readonly preferences: readonly string[] };

/** Pure: the first of all states that holds. */
export function cardState(input: CardInput): CardState {
  return recordingState(input) ?? trialState(input) ?? appliedState(input) ?? answeredState(input);
}

function recordingState({ recording, lost, stopped }: CardInput): CardState | undefined {
  switch (recording) {
    case 'no-permission':
    case 'version-too-new':
    case 'held-by-another':
    case 'list-lost':
      return { kind: recording };
    case 'private-browsing':
      return { kind: 'private-only' };
    case 'store-failed':
      return { kind: 'disk-full' };
    case 'recording':
      if (lost !== undefined) return { kind: 'storage-lost', ...lost };
      return stopped && { kind: 'restarted', ...stopped };
    default:
      return assertNever(recording);
  }
}

function trialState({ answer, trial, failedChecks: checks = [] }: CardInput): CardState | undefined {
  if (trial === undefined) return undefined;
  const { isPaused, because, ...running } = trial;
  const { candidates, rows, each, planned } = running;
  if (isPaused) return { kind: 'paused', because, candidates, rows, each, planned };
  const held = { kind: 'invalid', isOver: false, candidates, checks } as const;
  if (answer.from !== 'trial' || answer.state !== 'running') return held;
  switch (answer.stage) {
    case 'held':
      return held;
    case 'collecting':
      return { kind: 'collecting', ...running };
    // The first result waits for the trial's own checks, and is not shown before.
    case 'checking':
      return { kind: 'leading', leader: undefined, ...running, rows: [] };
    case 'leading':
      return { kind: 'leading', leader: answer.leader, ...running };
    default:
      return assertNever(answer.stage);
  }
}

function appliedState({ answer, applied, refusedLocked, isTrialInvalid, failedChecks: checks = [] }: CardInput): CardState | undefined {
  if (refusedLocked !== undefined) return { kind: 'locked', profileId: undefined, preferences: [refusedLocked] };
  if (applied === undefined) return isTrialInvalid ? { kind: 'invalid', isOver: true, candidates: [], checks } : undefined;
  const { awaitsRestart, wrong } = applied;
  if (applied.locked.length > 0) return { kind: 'locked', profileId: applied.profileId, preferences: applied.locked };
  const proof = answer.from === 'trial' && answer.state === 'confirmed' ? answer : undefined;
  // A newer proof for other settings comes first.
  if (proof !== undefined && proof.profileId !== applied.profileId) return undefined;
  if (awaitsRestart === 'to-undo') return { kind: 'undone-at-restart' };
  if (awaitsRestart === 'to-apply' || wrong.length > 0) return { kind: 'applied-not-in-effect', applied };
  return { kind: 'applied', applied, proven: proof?.change };
}

function answeredState({ answer, loads, rows, faster, sites, proof, applier, basis, networks }: CardInput): CardState {
  switch (answer.from) {
    case 'trial':
      if (answer.state === 'running') return { kind: 'invalid', isOver: false, candidates: [], checks: [] };
      if (answer.state !== 'confirmed') return { kind: 'not-faster', answer, networks };
      return {
        kind: answer.carrier === 'none' ? provenKind(applier) : 'confirmed',
        found: answer,
        alone: answer.alone,
        loads: answer.loads,
        basis,
        networks,
      };
    case 'prediction': {
      const { profileId, change, pages } = answer;
      return {
        kind: 'predicted',
        profileId,
        change,
        pages,
        predictedFor: answer,
        rows,
        faster,
        proof,
        isManual: applier === 'person-alone',
      };
    }
    case 'reach':
      return { kind: 'nothing-to-gain', isSure: isNothingToGain(answer), reach: answer, sites };
    case 'nothing':
      return loads < ENOUGH_LOADS && answer.why !== 'unreadable'
        ? { kind: 'fresh', loads, enough: ENOUGH_LOADS, why: answer.why }
        : { kind: 'unanswered', why: answer.why };
    default:
      return assertNever(answer);
  }
}

function provenKind(applier: CardInput['applier']): 'confirmed' | 'helper-missing' | 'manual-step' {
  switch (applier) {
    case 'person':
      return 'helper-missing';
    case 'person-alone':
      return 'manual-step';
    case 'at-once':
    case 'at-start':
    case 'working':
      return 'confirmed';
    default:
      return assertNever(applier);
  }
}
