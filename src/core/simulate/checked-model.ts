/** A browser model with everything in place that was left out. */
import { PlumbfoxError } from '../errors.ts';
import { type BrowserModel, FIREFOX_TODAY } from './browser-model.ts';

const VALUES = {
  dispatch: ['appended', 'bundled'],
  depthScope: ['per-connection', 'total'],
  carrier: ['gateway', 'legacy'],
  opening: ['speculative', 'on-demand'],
  paces: [true, false],
  holdsBack: [true, false],
  beyondLimit: [true, false],
} as const;
/** Delays and work, ms: longer ones are mistakes in the unit. */
const MOST_MS = { backupAfterMs: 60_000, requestWorkMs: 10_000, gatewayWorkMs: 10_000 } as const;

/** @throws PlumbfoxError `bad-input` that names the member. */
export function checkedModel(given: Partial<BrowserModel>): BrowserModel {
  for (const [member, value] of Object.entries(given)) {
    if (Object.hasOwn(VALUES, member)) checkChoice(member, value, VALUES[member as keyof typeof VALUES]);
    else if (Object.hasOwn(MOST_MS, member)) checkMs(member, value, MOST_MS[member as keyof typeof MOST_MS]);
    else throw new PlumbfoxError('bad-input', `Model: there is no ${member}`);
  }
  return { ...FIREFOX_TODAY, ...given };
}

function checkChoice(member: string, value: unknown, choices: readonly unknown[]): void {
  if (!choices.includes(value))
    throw new PlumbfoxError('bad-input', `Model: ${member} must be ${choices.join(' or ')}, not ${String(value)}`);
}

function checkMs(member: string, value: unknown, most: number): void {
  if (typeof value === 'number' && value >= 0 && value <= most) return;
  throw new PlumbfoxError('bad-input', `Model: ${member} must be a number from 0 to ${most}, not ${String(value)}`);
}
