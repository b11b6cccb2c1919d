/**
 * What a card says, as text and places on a scale. It is made once of a finding (`format-card.ts`, and for runs of the lab `report-card.ts`); popup and
 * report.html only draw it. The popup reads the schema before its first paint: it stays small.
 */
import * as v from 'valibot';
import type { Shape } from '../schema.ts';
import type { CoreLanguage } from '../text/figures.ts';
import type { Language } from '../text/messages.ts';

const share = v.pipe(v.number(), v.minValue(0), v.maxValue(1));
const line = v.object({ value: v.string(), label: v.string() });

const rowSchema = v.object({
  /** What commands and files call the settings. */
  id: v.string(),
  label: v.string(),
  value: v.string(),
  /** What the drawing shows, in words: the interval, and what it rests on. Empty for Firefox's own settings. */
  detail: v.string(),
  /** Places on the scale, in shares of its width; absent: not known yet. */
  at: v.exactOptional(share),
  from: v.exactOptional(share),
  to: v.exactOptional(share),
  /** Ends of the interval that lie beyond the scale; absent: none. */
  goesOn: v.exactOptional(v.picklist(['low', 'high', 'both'])),
  isAhead: v.boolean(),
});
/** Settings beside Firefox's own. */
export type CardRow = Shape<typeof rowSchema>;

const siteSchema = v.object({ host: v.string(), value: v.string(), detail: v.string(), isAhead: v.boolean() });

/** The members of what a card says; the popup adds its button to them. */
export const CARD_TEXT = {
  status: v.string(),
  /** Page loads are not recorded now, or do not count; absent: they are, and do. */
  isOff: v.exactOptional(v.literal(true)),
  tone: v.picklist(['good', 'plain', 'predicted', 'problem']),
  headline: v.string(),
  figure: v.exactOptional(line),
  meter: v.exactOptional(v.object({ share: v.number(), label: v.string() })),
  rows: v.array(rowSchema),
  /** Where Firefox's own settings are on the scale. */
  zero: v.exactOptional(share),
  /** Around it, changes that mean nothing to a person. */
  same: v.exactOptional(v.object({ from: share, to: share })),
  sentences: v.array(v.string()),
  /** Sites of the person, under a heading. */
  sites: v.exactOptional(v.object({ heading: v.string(), rows: v.array(siteSchema) })),
  /** What "Why?" opens; absent: there is nothing to ask. */
  why: v.exactOptional(v.array(v.string())),
  /** Below the button. */
  hint: v.exactOptional(v.string()),
};
/** A finding as a card says it, without its button. */
export type CardText = Shape<v.ObjectSchema<typeof CARD_TEXT, undefined>>;

/** The words and formats that a card is made of: those of the extension's pages, or those of reports. */
export interface CardLanguage extends Pick<Language, 'text' | 'format'> {
  readonly core: CoreLanguage;
}
