/** What a report says of the checks whether lanes disturb each other: what each rests on, and which numbers of lanes failed. Pure. */
import { counted } from '../../core/text/figures.ts';
import { MAX_LONGER, MAX_RATIO_MOVE } from './interference.ts';
import type { InterferenceLine } from './study-log.ts';

const share = (value: number): string => `${(value * 100).toFixed(1).replace('-', '\u2212')} %`;

/** `2.3`, `183`: of a share that is too large to be read as one. */
const factor = (value: number): string => (1 + value).toFixed(value < 8.95 ? 1 : 0);

/** `12.6 % longer than alone`, from twice as long on `183 times as long as alone`. */
export const longerText = (longer: number): string =>
  longer < 1 ? `${share(longer)} longer than alone` : `${factor(longer)} times as long as alone`;

/** `by 2.9 %`, from twice as much on `by a factor of 3.1`. */
export const movedText = (moves: number): string => (moves < 1 ? `by ${share(moves)}` : `by a factor of ${factor(moves)}`);

/** Logged with `notMeasured` where too few loads were made to say anything of so many lanes. */
type Check = InterferenceLine & { readonly notMeasured?: boolean };

/** A sentence for each session's checks that failed, and one for each that passed; empty: nothing was checked, as with one lane. */
export function interferenceNotes(checks: readonly Check[]): readonly string[] {
  const sessions = [...new Set(checks.map(({ session }) => session))];
  return sessions.flatMap((session) => {
    const own = checks.filter((check) => check.session === session);
    const failed = own.filter(({ ok, notMeasured }) => !ok && notMeasured !== true);
    return [
      ...(failed.length === 0 ? [] : [failedNote(failed)]),
      ...own.filter(({ notMeasured }) => notMeasured === true).map(notMeasuredNote),
      ...own.filter(({ ok }) => ok).map(passedNote),
    ];
  });
}

function failedNote(failed: readonly InterferenceLine[]): string {
  const each = failed.map(({ lanes, longer, ratioMoves }) => `with ${lanes} lanes ${disturbedBy({ longer, ratioMoves })}`);
  return `Lanes side by side disturbed each other, so loads made with them do not count: ${each.join('; ')}.`;
}

const notMeasuredNote = ({ lanes }: Check): string =>
  `Whether ${lanes} lanes side by side disturb each other was not measured: too few loads were made for it.`;

/** What is beyond its bound; of a check that came to no end nothing is known. */
function disturbedBy({ longer, ratioMoves }: { readonly longer: number | undefined; readonly ratioMoves: number | undefined }): string {
  if (longer === undefined || ratioMoves === undefined) return 'the check did not finish';
  return [
    ...(longer > MAX_LONGER ? [`a load took ${longerText(longer)}`] : []),
    ...(ratioMoves > MAX_RATIO_MOVE ? [`the ratio of the profiles moved ${movedText(ratioMoves)}`] : []),
  ].join(' and ');
}

function passedNote(check: InterferenceLine): string {
  const { lanes, page, link, profiles, longer, ratioMoves } = check;
  const rests = `This rests on ${loadsWords(check)} of ${profiles.map(({ profileId }) => profileId).join(' and ')} each, on ${page} over ${link} alone`;
  const figures =
    longer === undefined || ratioMoves === undefined
      ? 'did not disturb each other'
      : `did not disturb each other: the median load took at most ${longerText(longer)}, and the ratio of the profiles moved ${movedText(ratioMoves)}`;
  return `${lanes} lanes side by side ${figures}. ${rests}; up to ${share(MAX_LONGER)} and ${share(MAX_RATIO_MOVE)} pass.`;
}

/** The fewest of any profile: void loads are left out. */
function loadsWords({ profiles }: InterferenceLine): string {
  const fewest = (times: readonly (readonly number[])[]) => Math.min(...times.map(({ length }) => length));
  return `${counted(fewest(profiles.map(({ aloneMs }) => aloneMs)), 'load')} alone and ${fewest(profiles.map(({ besideMs }) => besideMs))} beside the others`;
}
