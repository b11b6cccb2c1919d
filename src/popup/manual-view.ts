/** A profile set manually: where it stands, and the steps to set one or to undo it. Pure. */

import { assertNever } from '../core/errors.ts';
import { aboutConfigSteps, aboutConfigUndo, type ManualStep } from '../core/profiles/about-config.ts';
import { ANDROID_PACKAGES, geckoviewConfigSteps, geckoviewConfigUndo } from '../core/profiles/geckoview-config-yaml.ts';
import { findProfile, profileLabel } from '../core/profiles/presets.ts';
import type { ManualFacts } from '../protocol/page-state.ts';
import { text } from '../views/text.ts';

/** Firefox's own page of preferences, or adb from a computer for that channel of Firefox for Android. */
export type ManualWay = 'about-config' | keyof typeof ANDROID_PACKAGES;
/** In the order of the choice. All but the first are kinds of Firefox for Android. */
export const MANUAL_WAYS: readonly ManualWay[] = ['about-config', 'release', 'beta', 'nightly'];

export interface ManualView {
  readonly standing: string;
  /** Of what opens the steps. */
  readonly summary: string;
  /** Absent: the steps lead back, and which profile is known. */
  readonly profiles: readonly { readonly id: string; readonly title: string }[] | undefined;
  /** Whether there is more than one way. */
  readonly hasWays: boolean;
  /** What the button says that ends them. */
  readonly done: string;
  /** How connections are counted from outside. */
  readonly probe: string;
  /** What comes after the button. */
  readonly after: string;
  /** The profile that the button sets; absent: it says that all is as before. */
  readonly sets: boolean;
  /** Chosen before the person has chosen. */
  readonly usual: string;
}

const USUAL_ID = 'c8-d1';

/** `proposed`: the profile that a trial has due, or the recommended one, where there is any. */
export function manualView({ platform, offered, said }: ManualFacts, proposed?: string): ManualView {
  const isAndroid = platform === 'android';
  const sets = said === undefined || said.state === 'going-back';
  const usual = [proposed, USUAL_ID].find((id) => offered.some((one) => one.id === id)) ?? offered[0]?.id ?? '';
  return {
    standing: standingOf(said, isAndroid),
    summary: text(sets ? 'manual.set' : 'manual.undo'),
    profiles: sets ? offered : undefined,
    hasWays: isAndroid,
    done: text(sets ? 'manual.done' : 'manual.done.undo'),
    probe: text(isAndroid ? 'manual.probe.android' : 'manual.probe'),
    after: text(isAndroid ? 'manual.after.android' : 'manual.after'),
    sets,
    usual: sets ? usual : (said?.profileId ?? ''),
  };
}

/** Empty for a profile that this version does not know. */
export function manualSteps(profileId: string, { platform, way, sets }: StepsOptions): readonly ManualStep[] {
  const profile = findProfile(profileId);
  if (profile === undefined) return [];
  if (way === 'about-config') return (sets ? aboutConfigSteps : aboutConfigUndo)(profile, { platform });
  const app = ANDROID_PACKAGES[way];
  return sets ? geckoviewConfigSteps(profile, { app }) : geckoviewConfigUndo({ app });
}

interface StepsOptions {
  readonly platform: ManualFacts['platform'];
  readonly way: ManualWay;
  /** Otherwise they lead back. */
  readonly sets: boolean;
}

function standingOf(said: ManualFacts['said'], isAndroid: boolean): string {
  if (said === undefined) return text(isAndroid ? 'manual.none.android' : 'manual.none');
  const profile = profileLabel(said.profileId);
  switch (said.state) {
    case 'waits':
      return text('manual.waits', { profile });
    case 'in-effect':
      return text('manual.inEffect', { profile });
    case 'going-back':
      return text('manual.undone');
    default:
      return assertNever(said.state);
  }
}

/** As the probe makes its addresses: the part that cannot be guessed, and a slash, which people lose. */
const PATH = /^\/[A-Za-z0-9_-]{16,64}\/?$/;

/** The address to be opened; `undefined`: it is none that a probe prints. A missing http:// is put there. */
export function probeAddress(input: string): string | undefined {
  const typed = input.trim();
  const whole = typed.includes('://') ? typed : `http://${typed}`;
  if (!URL.canParse(whole)) return undefined;
  const { protocol, host, port, pathname, username, password, search, hash } = new URL(whole);
  const isPlain = protocol === 'http:' && port !== '' && `${username}${password}${search}${hash}` === '';
  return isPlain && PATH.test(pathname) ? `http://${host}${pathname.replace(/\/?$/, '/')}` : undefined;
}
