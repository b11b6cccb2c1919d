/** The popup's card of an answer, as far as a report knows it: without a button, and without how long a trial still takes. */
import {
  type Answer,
  gatewayToSwitchOn,
  isNothingToGain,
  type RunningTrial,
  settingsToApply,
  type TrialAnswer,
} from '../../answer/answer.ts';
import type { CardState } from '../../answer/card.ts';
import type { CardLanguage } from '../../answer/card-text.ts';
import { answerLabel } from '../../answer/format-answer.ts';
import { cardText } from '../../answer/format-card.ts';
import type { Verdict } from '../../compare/comparison.ts';
import { assertNever } from '../../errors.ts';
import { BASELINE_ID } from '../../profiles/profile.ts';
import type { Report } from '../report.ts';
import { applyStep, NOTHING_TO_CHANGE, type ReportCard, type Step } from './report-card.ts';

export function answerCard({ finding, sentence }: NonNullable<Report['answer']>, language: CardLanguage): ReportCard {
  const label = answerLabel(finding);
  const common = { label, others: 0, next: stepsAfter(finding) };
  const state = stateOf(finding);
  if (state === undefined) {
    return {
      ...common,
      label: 'Not decided yet',
      tone: 'plain',
      headline: `${label}.`,
      figureKind: 'baseline',
      rows: [],
      sentences: [sentence],
    };
  }
  const { status: _status, hint: _hint, meter, ...card } = cardText(state, language, 0);
  const rows = card.rows.map((row) => ({ ...row, kind: kindOf(row.id, finding) }));
  const progress = meter === undefined || meter.label === '' ? [] : [`${meter.label}.`];
  const sentences = [...card.sentences, ...progress];
  return { ...common, ...card, rows, figureKind: rows[0]?.kind ?? 'baseline', sentences };
}

/** The popup's state of an answer by itself. `undefined`: a trial that goes on or is paused; how far it is, only the popup knows. */
function stateOf(finding: Answer): CardState | undefined {
  switch (finding.from) {
    case 'nothing':
      return { kind: 'unanswered', why: finding.why };
    case 'reach':
      return { kind: 'nothing-to-gain', isSure: isNothingToGain(finding), reach: finding };
    case 'prediction': {
      const { profileId, change, pages } = finding;
      return {
        kind: 'predicted',
        profileId,
        change,
        pages,
        predictedFor: finding,
        rows: [{ profileId, change }],
        proof: { state: 'working' },
      };
    }
    case 'trial':
      if (finding.state === 'confirmed') return { kind: 'confirmed', found: finding, alone: finding.alone, loads: finding.loads };
      return finding.state === 'running' ? runningState(finding) : { kind: 'not-faster', answer: finding };
    default:
      return assertNever(finding);
  }
}

function runningState({ stage }: RunningTrial): CardState | undefined {
  return stage === 'held' ? { kind: 'invalid', isOver: false, candidates: [], checks: [] } : undefined;
}

/** What the trial found, never what an interval looks like. */
const KINDS = {
  confirmed: 'better',
  'no-difference': 'no-meaningful-difference',
  open: 'need-more-loads',
  slower: 'worse',
  running: 'need-more-loads',
} as const satisfies Record<TrialAnswer['state'], Verdict>;

function kindOf(profileId: string, finding: Answer): Verdict {
  if (profileId === BASELINE_ID) return 'baseline';
  return finding.from === 'trial' ? KINDS[finding.state] : 'need-more-loads';
}

function stepsAfter(finding: Answer): readonly Step[] {
  const settings = settingsToApply(finding);
  if (finding.from === 'prediction') return [{ text: 'Prove it: a trial in the extension measures it.' }];
  if (settings !== undefined) return applyStep(settings, 'Use it:');
  if (gatewayToSwitchOn(finding) !== undefined) return [{ text: 'Use it: switch on the gateway in the extension.' }];
  if (finding.from === 'reach') return [isNothingToGain(finding) ? NOTHING_TO_CHANGE : { text: 'Only a trial in the extension can tell.' }];
  return finding.from === 'trial' && (finding.state === 'no-difference' || finding.state === 'slower') ? [NOTHING_TO_CHANGE] : [];
}
