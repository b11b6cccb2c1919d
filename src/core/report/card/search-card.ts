/** The card of a search: what it has proven. */
import { ownRow, placedRows } from '../../answer/card-rows.ts';
import type { CardLanguage } from '../../answer/card-text.ts';
import { profileLabel } from '../../profiles/presets.ts';
import { BASELINE_ID } from '../../profiles/profile.ts';
import { isNothingSure, nothingClaim } from '../../search/format-search.ts';
import type { Proof, SearchAnswer, SearchRecord } from '../../search/search-record.ts';
import { counted } from '../../text/figures.ts';
import { baselineLabel } from '../shown-comparison.ts';
import { applyStep, changeText, fasterHeadline, NOTHING_TO_CHANGE, type ReportCard, rangeText } from './report-card.ts';

const LABELS: Readonly<Record<SearchAnswer['state'], string>> = {
  faster: 'Recommended',
  'nothing-beats': 'Keep your settings',
  undecided: 'Not decided yet',
  'no-verdict': 'No recommendation',
  interrupted: 'Interrupted',
};

/** Settings that are proven, or that nothing was found. */
export function searchCard({ answer, sentences }: SearchRecord, language: CardLanguage): ReportCard {
  const proof = proofOf(answer);
  const isFaster = answer.state === 'faster';
  const isKept = answer.state === 'nothing-beats' && isNothingSure(answer);
  const label = LABELS[answer.state === 'nothing-beats' && !isKept ? 'undecided' : answer.state];
  const headline = searchHeadline(answer, { label, language });
  return {
    label,
    tone: isFaster || isKept ? 'good' : 'plain',
    headline,
    ...provenOn(proof, isFaster, language),
    figureKind: proof?.verdict ?? 'baseline',
    others: 0,
    // The headline is not said twice.
    sentences: sentences.map((sentence) => sentence.replace(`${headline} `, '')),
    next: isFaster ? applyStep(answer.cheapest.profileId, 'Use it:') : isKept ? [NOTHING_TO_CHANGE] : [],
  };
}

function searchHeadline(answer: SearchAnswer, { label, language }: { readonly label: string; readonly language: CardLanguage }): string {
  if (answer.state === 'faster') return fasterHeadline(answer.cheapest.profileId, language);
  return answer.state === 'nothing-beats' ? nothingClaim(answer) : `${label}.`;
}

function provenOn(
  proof: Proof | undefined,
  isFaster: boolean,
  language: CardLanguage,
): Pick<ReportCard, 'figure' | 'rows' | 'zero' | 'same'> {
  if (proof?.ratio === undefined) return { rows: [] };
  const { profileId: id, pairs, verdict } = proof;
  const [value, range, grounds] = [changeText(proof), rangeText(proof), `${counted(pairs, 'pair')} of loads`];
  const whose = isFaster ? '' : `at best, with ${profileLabel(id)}, `;
  const placed = placedRows([{ id, label: profileLabel(id), value, detail: `${range}; ${grounds}`, interval: proof }, ownRow(language)]);
  const rows = placed.rows.map((row) => ({ ...row, kind: row.id === id ? verdict : ('baseline' as const) }));
  return { ...placed, rows, figure: { value, label: `${whose}${range}, ${grounds}, against ${baselineLabel(BASELINE_ID)}` } };
}

function proofOf(answer: SearchAnswer): Proof | undefined {
  if (answer.state === 'faster') return answer.cheapest;
  return answer.state === 'no-verdict' ? undefined : answer.closest;
}
