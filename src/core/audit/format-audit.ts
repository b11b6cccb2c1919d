/** An audit in sentences, the answer first: what every output of it begins with. */
import { assertNever } from '../errors.ts';
import { counted } from '../text/figures.ts';
import type { Audit, ListEffect, ListMeasurement, ListPrediction } from './audit.ts';
import { changeLabel, platformLabel, VERDICT_LABELS } from './format-finding.ts';
import type { ListError } from './preference-list.ts';

/** Errors of a file that are shown; `--json` has them all. */
const MAX_ERRORS = 12;

/** Every statement that the mistake costs, by its line. */
function errorSentence({ line, message, lost }: ListError): string {
  const lines = lost.length === 0 ? [line] : lost;
  const where = lines.at(-1) === line || lines.length === 0 ? message : `${message} (line ${line})`;
  return `${linesLabel(lines, 'L')} ${lines.length === 1 ? 'is' : 'are'} not read by Firefox: ${where}.`;
}

/** More are not named one by one. */
const MAX_LINES = 8;

/** `line 3`, `lines 1 and 2`. */
function linesLabel(lines: readonly number[], first: 'l' | 'L' = 'l'): string {
  if (lines.length === 1) return `${first}ine ${lines[0]}`;
  const more = lines.length > MAX_LINES ? ` and ${lines.length - MAX_LINES} more` : '';
  const shown = lines.slice(0, MAX_LINES);
  return `${first}ines ${more === '' ? `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}` : `${shown.join(', ')}${more}`}`;
}

/** The sentences above the lines. */
export function auditSentences(audit: Audit): readonly string[] {
  const { errors, prediction, counts } = audit;
  return [
    `${audit.list.file}: ${counted(audit.lines.length, 'line')}, ${basisLabel(audit)}.`,
    `${counts.acts} can change how fast pages load, ${counts.default} ${counts.default === 1 ? 'is' : 'are'} already Firefox's own value, ${counts.dead} ${counts.dead === 1 ? 'is' : 'are'} dead.`,
    ...(audit.measurement === undefined ? [] : measurementSentences(audit.measurement)),
    ...(prediction === undefined ? [] : [predictionSentence(prediction)]),
    ...errors.slice(0, MAX_ERRORS).map(errorSentence),
    ...(errors.length > MAX_ERRORS ? [`${counted(errors.length - MAX_ERRORS, 'more mistake')}: --json has them all.`] : []),
    ...(audit.scripts === undefined ? [] : [`A script (${linesLabel(audit.scripts)}) is not run here: what it sets is not judged.`]),
  ];
}

function measurementSentences({
  change,
  verdict,
  pairs,
  pages,
  links,
  set,
  notSet,
  minutes,
  screening,
  report,
}: ListMeasurement): readonly string[] {
  const figure = change === undefined ? '' : ` ${changeLabel(change)},`;
  const many = screening === undefined ? '' : `, ${screening.arms} sets of settings`;
  return [
    `The list as a whole, measured:${figure} ${VERDICT_LABELS[verdict]} (${counted(pairs, 'pair')} of loads).`,
    `${counted(set.length, 'preference')} set, on ${pages.join(' and ')} over ${links.join(' and ')}${many}, in ${minutes.toFixed(1)} minutes. Every load: ${report}`,
    ...(screening?.clear === false ? ['With this number of lines, an effect of two together would show as a share of single ones.'] : []),
    ...(notSet.length === 0 ? [] : [`Not set, because the lab does not set them: ${notSet.join(', ')}.`]),
  ];
}

/** A policy writes where Firefox's own values stand. */
const POLICY = "; a policy of this machine is in force, so Firefox's own values are taken from the catalogue and others are not known";

function basisLabel({ build }: Audit): string {
  if (build.source === 'build')
    return `checked in Firefox ${build.version} for ${platformLabel(build.platform)}${build.underPolicy ? POLICY : ''}`;
  return `judged by the catalogue alone (Firefox ${build.version}): no Firefox was read, so only catalogued preferences are judged`;
}

function predictionSentence({ basis, pages, links, effect, notModelled, cannotAct }: ListPrediction): string {
  const where = `${basis === 'yours' ? 'your pages' : 'typical pages'} (${pages.join(', ')}) over ${links.join(' and ')}`;
  const preferences = (count: number, one: string, many: string) => `${counted(count, 'preference')} of it ${count === 1 ? one : many}`;
  const without = [
    ...(notModelled.length === 0 ? [] : [`${preferences(notModelled.length, 'has', 'have')} no model.`]),
    ...(cannotAct.length === 0
      ? []
      : [`${preferences(cannotAct.length, 'cannot act on these pages and is', 'cannot act on these pages and are')} not counted.`]),
  ];
  return [`The list as a whole, not measured: ${effectLabel(effect, where)}.`, ...without].join(' ');
}

function effectLabel(effect: ListEffect, where: string): string {
  switch (effect.state) {
    case 'unchanged':
      return `it changes none of the simulated loads of ${where}`;
    case 'not-modelled':
      return 'nothing is known of its effect on speed, because the simulator has no model of what acts in it';
    case 'cannot-act':
      return `nothing in it can act on ${where}`;
    case 'predicted':
      return `${predictedLabel(effect)}, on ${where}`;
    default:
      return assertNever(effect);
  }
}

const predictedLabel = ({ change, verdict }: Extract<ListEffect, { state: 'predicted' }>): string =>
  ({
    faster: `predicted ${changeLabel(change)}, faster`,
    slower: `predicted ${changeLabel(change)}, slower`,
    'no-difference': `predicted no real difference (${changeLabel(change)})`,
    unsure: `predicted ${changeLabel(change)}, which is within the error of the prediction`,
  })[verdict];
