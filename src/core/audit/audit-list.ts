/** Judges every line of a list against a build of Firefox, the pages it would act on, and what studies measured. */
import type { PageGraph } from '../graph/page-graph.ts';
import { isOfOneProtocol, spokenProtocols } from '../graph/spoken-protocols.ts';
import { policyTakes } from '../profiles/catalogue/policy-engine.ts';
import { findKnob } from '../profiles/catalogue.ts';
import { type Knob, type KnobProtocol, type PreferenceValue, priceOf, READ_VERSIONS } from '../profiles/knob.ts';
import { actingValue } from '../profiles/knob-at.ts';
import { type BuildFacts, majorOf, type NameState } from './build-facts.ts';
import type { AuditedLine, Finding, GoneSince, LineGroup } from './finding.ts';
import { measuredEffects } from './measured-effects.ts';
import { misspelt, renamedTo } from './other-name.ts';
import type { ListLine, PreferenceList } from './preference-list.ts';

/** What a list is held against. */
export interface AuditOptions {
  readonly build: BuildFacts;
  /** Why what acts on a protocol cannot matter, by pages of the person's own (`unspokenBy`); absent: any protocol may be spoken. */
  readonly unspoken?: ((protocol: KnobProtocol) => Finding | undefined) | undefined;
  /** The version of Firefox in which a name that this build lacks had a default value. */
  readonly lastSeen?: (name: string) => string | undefined;
  /** Where it is known what Firefox makes of a preference of the catalogue; absent: findings do without. */
  readonly sourceOf?: (name: string) => string | undefined;
}

/** Says where no request of the pages uses the protocol on which a preference acts. */
export function unspokenBy(pages: readonly PageGraph[]): (protocol: KnobProtocol) => Finding | undefined {
  const spoken = spokenProtocols(pages);
  const requests = pages.reduce((sum, page) => sum + page.requests.length, 0);
  return (protocol) =>
    requests === 0 || !isOfOneProtocol(protocol) || spoken.has(protocol) ? undefined : { kind: 'cannot-act', protocol, requests };
}

/** Every line of the list in its order; predictions are added by `withPredictions`. */
export function auditList({ lines, format }: PreferenceList, options: AuditOptions): readonly AuditedLine[] {
  const { build } = options;
  const read = lines.map((line) => ({ ...line, value: valueTaken(line, build.stateOf(line.name)) }));
  // A value of another type than the default is refused, and leaves the one before it in force.
  const last = new Map(read.filter((line) => isOfType(line.value, build.stateOf(line.name))).map((line) => [line.name, line]));
  const meant = misspelt(
    read.filter(({ name }) => !isMarker(name)),
    build,
  );
  return read.map((line, at) => {
    const final = isOfType(line.value, build.stateOf(line.name)) ? (last.get(line.name) ?? line) : line;
    const [group, first, ...rest] = judge(line, {
      ...options,
      final,
      meant,
      policy: format === 'policies' && line.policy?.named === undefined,
    });
    const { file, name, value } = line;
    const findings = [first, ...rest, ...ofPolicy(line, { group, written: lines[at]?.value })] as const;
    return { ...(file !== undefined && { file }), line: line.line, name, value, group, findings };
  });
}

/**
 * A policy's 0 and 1 are false and true unless the default is a number or the policy says that it is one (Policies.sys.mjs of Firefox ESR 153.7,
 * `Preferences`).
 */
function valueTaken({ value, policy }: ListLine, state: NameState): PreferenceValue {
  if (policy === undefined || policy.isTyped || (value !== 0 && value !== 1)) return value;
  const isTruth = state.state === 'hidden' || (state.state === 'default' && typeof state.value === 'boolean');
  return isTruth ? value === 1 : value;
}

const isOfType = (value: PreferenceValue, state: NameState): boolean => state.state !== 'default' || typeof state.value === typeof value;

function ofPolicy(
  { value, policy }: ListLine,
  { group, written }: { group: LineGroup; written: PreferenceValue | undefined },
): readonly Finding[] {
  return [
    ...(typeof written === 'number' && typeof value === 'boolean' ? [{ kind: 'policy-converts' as const, from: written }] : []),
    ...(policy?.named === undefined ? [] : [{ kind: 'policy-named' as const, policy: policy.named }]),
    ...(group === 'default' && policy?.locks ? [{ kind: 'policy-locks' as const }] : []),
  ];
}

interface JudgeContext extends AuditOptions {
  /** The line that counts among those of its name. */
  readonly final: ListLine;
  readonly meant: ReadonlyMap<string, string>;
  readonly policy: boolean;
}

type Judged = readonly [LineGroup, Finding, ...Finding[]];

/** A list reports by such lines how far Firefox read it (arkenfox's `_user.js.parrot`); no preference of Firefox begins with an underscore. */
const isMarker = (name: string): boolean => name.startsWith('_');

function judge(line: ListLine, context: JudgeContext): Judged {
  const { name, value } = line;
  const { build, final, policy } = context;
  if (isMarker(name)) return ['marker', { kind: 'marker' }];
  if (final !== line) return ['no-effect', { kind: 'superseded', byLine: final.line, value: final.value }];
  if (policy && !policyTakes(name)) return ['no-effect', { kind: 'policy-ignores' }];
  const state = build.stateOf(name);
  const knob = findKnob(name);
  if (state.state === 'absent' || (knob && goneBy(knob, build))) return ['dead', dead(name, context)];
  if ('lockedTo' in state && state.lockedTo !== undefined && state.lockedTo !== value)
    return ['no-effect', { kind: 'overridden', to: state.lockedTo }];
  if (state.state === 'default') {
    if (typeof state.value !== typeof value) return ['no-effect', { kind: 'wrong-type', expected: typeName(state.value) }];
    if (state.value === value) return ['default', ownValue(build), ...(knob ? costs(knob, value) : [])];
  }
  return knob === undefined ? uncatalogued(state) : catalogued(knob, value, { state, context });
}

const ownValue = ({ version, underPolicy }: BuildFacts): Finding => ({ kind: 'default', version, ...(underPolicy && { underPolicy }) });

const typeName = (value: PreferenceValue) => (typeof value === 'number' ? 'integer' : typeof value === 'boolean' ? 'boolean' : 'string');

/** Whether nothing reads a catalogued preference since an older version. */
const goneBy = ({ versions }: Knob, { version }: BuildFacts): boolean => versions.until !== undefined && versions.until < majorOf(version);

function dead(name: string, { build, lastSeen, meant, sourceOf }: JudgeContext): Finding {
  const gone = goneSince(name, sourceOf);
  const seen = lastSeenIn(name, build) ?? lastSeen?.(name);
  const renamed = renamedTo(name, build);
  const other = gone === undefined && seen === undefined && renamed === undefined ? meant.get(name) : undefined;
  return {
    kind: 'dead',
    platform: build.platform,
    version: build.version,
    ...(gone && { gone }),
    ...(seen !== undefined && { lastSeen: seen }),
    ...(renamed && { renamed }),
    ...(other !== undefined && { meant: other }),
  };
}

/** Since when nothing reads it, where the catalogue has that. */
function goneSince(name: string, sourceOf: AuditOptions['sourceOf']): GoneSince | undefined {
  const until = findKnob(name)?.versions.until;
  return until === undefined ? undefined : { version: until + 1, ...sourced(name, sourceOf) };
}

/** An older version that was read, in which a catalogued name had a default value. */
function lastSeenIn(name: string, { version }: BuildFacts): string | undefined {
  const knob = findKnob(name);
  return READ_VERSIONS.findLast((each) => Number(each) < majorOf(version) && knob?.builds[each].state === 'default');
}

function sourced(name: string, sourceOf: AuditOptions['sourceOf']): { readonly source?: string } {
  const source = sourceOf?.(name);
  return source === undefined ? {} : { source };
}

function uncatalogued(state: NameState): Judged {
  const rest: Finding = { kind: 'not-catalogued' };
  if (state.state === 'default') return ['other', { kind: 'changes', from: state.value }, rest];
  if (state.state === 'joined') return ['other', { kind: 'joined', branch: state.branch }, rest];
  if (state.state === 'foreign') return ['other', { kind: 'foreign' }];
  return state.state === 'hidden' ? ['other', { kind: 'hidden' }, rest] : ['other', rest];
}

function catalogued(knob: Knob, value: PreferenceValue, { state, context }: { state: NameState; context: AuditOptions }): Judged {
  const source = sourced(knob.preference, context.sourceOf);
  const shipped = state.state === 'default' ? state.value : undefined;
  const acting = actingValue(knob, value);
  if (acting.state === 'wrong-type') return ['no-effect', { kind: 'wrong-type', expected: EXPECTED[knob.bounds.type] }];
  if (acting.state === 'ignored') return ['no-effect', { kind: 'refused-value', keeps: shipped, ...source }];
  const actsAs = acting.state === 'clamped' ? acting.actsAs : value;
  const clamped: readonly Finding[] = acting.state === 'clamped' ? [{ kind: 'clamped', actsAs: acting.actsAs, ...source }] : [];
  if (acting.state === 'clamped' && actsAs === shipped) return ['no-effect', ...(clamped as [Finding])];
  const unreached = context.unspoken?.(knob.protocol);
  const findings = [
    ...(unreached === undefined ? [] : [unreached]),
    ...clamped,
    state.state === 'unknown'
      ? { kind: 'own-unknown' as const }
      : shipped === undefined
        ? { kind: 'hidden' as const }
        : { kind: 'changes' as const, from: shipped },
    ...measuredEffects(knob.preference, actsAs),
    ...costs(knob, value),
  ];
  return [unreached === undefined ? 'acts' : 'no-effect', ...(findings as [Finding, ...Finding[]])];
}

const EXPECTED = { integer: 'integer', boolean: 'boolean', decimal: 'string' } as const;

/** What the value costs in privacy or security. */
function costs(knob: Knob, value: PreferenceValue): readonly Finding[] {
  const price = priceOf(knob, value);
  return price === undefined ? [] : [{ kind: 'costs', price }];
}
