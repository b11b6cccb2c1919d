/** The card at the top of a report: its shape, and its words. What it says is made of an answer, of a comparison or of a search. */
import type { CardLanguage, CardRow, CardText } from '../../answer/card-text.ts';
import type { Verdict } from '../../compare/comparison.ts';
import { isPluralLabel } from '../../profiles/presets.ts';
import { BASELINE_ID } from '../../profiles/profile.ts';
import { ENGLISH } from '../../text/english.ts';
import { formatChange, formatRange, IN_ENGLISH, percent, signedPercent } from '../../text/figures.ts';
import { createLanguage, createText } from '../../text/messages.ts';
import { capitalName } from '../../text/profile-name.ts';
import type { PlottedInterval } from '../../text/svg-axes.ts';

interface ReportCardRow extends CardRow {
  /** Names its colour. */
  readonly kind: Verdict;
}

/** What to do next. */
export interface Step {
  readonly text: string;
  readonly command?: string;
}

/** Status, progress and hint are the popup's: they belong to its button. */
export interface ReportCard extends Pick<CardText, 'tone' | 'headline' | 'figure' | 'zero' | 'same' | 'sentences' | 'why'> {
  /** Above the headline: what kind of answer it is. */
  readonly label: string;
  readonly figureKind: Verdict;
  readonly rows: readonly ReportCardRow[];
  /** Profiles that are compared further down only. */
  readonly others: number;
  readonly next: readonly Step[];
}

/** The words of the pages, with the figures and the apostrophe of reports. */
export function reportLanguage(): CardLanguage {
  const plain: typeof ENGLISH = JSON.parse(JSON.stringify(ENGLISH).replaceAll('’', "'"));
  const pages = createLanguage(plain, 'en').format;
  const format = { ...pages, change: (ratio: number) => formatChange(ratio), percent, gain: signedPercent };
  return { text: createText<typeof ENGLISH>(plain, { locale: 'en', format, joins: false }), format, core: IN_ENGLISH };
}

export const NOTHING_TO_CHANGE: Step = { text: 'Nothing to change.' };

/** A name of this shape is one word for every shell: what a report calls a profile must not become a command. */
const SAFE_ID = /^[\w.+=,-]+$/;

export const applyStep = (id: string, words: string): readonly Step[] =>
  SAFE_ID.test(id) && id !== BASELINE_ID ? [{ text: words, command: `plumbfox apply --profile ${id}` }] : [];

/** The headline of settings that are proven. */
export const fasterHeadline = (id: string, { text, core }: CardLanguage): string =>
  text(isPluralLabel(id) ? 'card.confirmed.other' : 'card.confirmed.one', { settings: capitalName(id, core) });

/** `+18 % to +31 %`. */
export const rangeText = ({ low, high }: PlottedInterval): string =>
  low === undefined || high === undefined ? 'no interval yet' : formatRange(low, high);

/** `+24 %`. */
export const changeText = ({ ratio }: PlottedInterval): string => (ratio === undefined ? 'no pair of loads' : signedPercent(ratio - 1));
