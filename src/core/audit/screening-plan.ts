/** Which sets of settings a measurement of a list loads pages with: Firefox's own, the whole list, and where each line is timed a design of its lines. */
import type { PreferenceValue } from '../profiles/knob.ts';
import { FIREFOX_DEFAULT } from '../profiles/presets.ts';
import { BASELINE_ID, type Profile } from '../profiles/profile.ts';
import type { DesignArm } from './line-effects.ts';
import { LIST_ID, listProfile } from './predict-list.ts';
import { isClear, screeningDesign } from './screening-design.ts';

/** A preference with its value. */
export type Setting = readonly [string, PreferenceValue];

/** What a run loads pages with, and what is asked of the loads. */
export interface ScreeningPlan {
  readonly profiles: readonly Profile[];
  /** The id of the profile that holds the whole list. */
  readonly whole: string;
  /** The design; empty where no line is timed by itself. */
  readonly arms: readonly DesignArm[];
  /** The lines of the design, in the order of its columns. */
  readonly timed: readonly string[];
  /** Whether effects of two lines together cannot show as those of single ones. */
  readonly clear: boolean;
}

/** More lines need 24 sets of settings, beside which nobody waits for one of the whole list. */
export const MAX_TIMED = 19;

/** The whole list against Firefox's own settings. */
export const wholePlan = (settings: readonly Setting[]): ScreeningPlan => ({
  profiles: [FIREFOX_DEFAULT, wholeList(settings)],
  whole: LIST_ID,
  arms: [],
  timed: [],
  clear: false,
});

/**
 * @param readable - What requests of the pages read: the first ones are timed.
 * @param beside - What they do not read, and the whole list sets as well.
 */
export function screeningPlan(readable: readonly Setting[], beside: readonly Setting[] = []): ScreeningPlan {
  const settings = [...readable, ...beside];
  const timed = readable.slice(0, MAX_TIMED);
  const rows = screeningDesign(timed.length);
  const isWhole = (row: readonly boolean[]): boolean => timed.length === settings.length && row.every(Boolean);
  const arms = rows.map((row, at) => ({ id: at === 0 ? BASELINE_ID : isWhole(row) ? LIST_ID : `set-${at}`, row }));
  const profiles = arms.map(({ id, row }) => {
    const preferences = Object.fromEntries(timed.filter((_, at) => row[at]));
    return id === BASELINE_ID ? FIREFOX_DEFAULT : listProfile(id, `${Object.keys(preferences).length} lines of the list`, preferences);
  });
  const plan = { whole: LIST_ID, timed: timed.map(([name]) => name), clear: isClear(timed.length) };
  if (rows.some(isWhole)) return { ...plan, arms, profiles };
  // A list of which every line is timed says something of each; one with further lines is beside the design.
  const whole = timed.length === settings.length ? [{ id: LIST_ID, row: timed.map(() => true) }] : [];
  return { ...plan, arms: [...arms, ...whole], profiles: [...profiles, wholeList(settings)] };
}

const wholeList = (settings: readonly Setting[]): Profile => listProfile(LIST_ID, 'the list', Object.fromEntries(settings));
