/** What a report says of the checks whether lanes disturb each other: what each rests on, and which numbers of lanes failed. Pure. */
import { counted } from '../../core/compare/plain-words.ts';
import { LONGER_AT_MOST, RATIO_MOVES_AT_MOST } from './interference.ts';
import type { InterferenceLine } from './study-log-lines.ts';

const share = (value: number): string => `${(value * 100).toFixed(1).replace('-', '\u2212')} %`;

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
  const numbers = failed.map(({ lanes, longer, ratioMoves }) => `${lanes} (${disturbedBy({ longer, ratioMoves })})`);
  return `So many lanes side by side disturbed each other, and loads made with them do not count: ${numbers.join(', ')}.`;
}

const notMeasuredNote = ({ lanes }: Check): string =>
  `Whether ${lanes} lanes side by side disturb each other was not measured: too few loads were made for it.`;

/** What is beyond its bound; of a check that came to no end nothing is known. */
function disturbedBy({ longer, ratioMoves }: { readonly longer: number | undefined; readonly ratioMoves: number | undefined }): string {
  if (longer === undefined || ratioMoves === undefined) return 'the check came to no end';
  return [
    ...(longer > LONGER_AT_MOST ? [`a load ${share(longer)} longer`] : []),
    ...(ratioMoves > RATIO_MOVES_AT_MOST ? [`ratio of the profiles off by ${share(ratioMoves)}`] : []),
  ].join(', ');
}

function passedNote(check: InterferenceLine): string {
  const { lanes, page, link, profiles, longer, ratioMoves } = check;
  const rests = `This rests on ${loadsWords(check)} of ${profiles.map(({ profileId }) => profileId).join(' and ')} each, on ${page} over ${link} alone`;
  const figures =
    longer === undefined || ratioMoves === undefined
      ? 'did not disturb each other'
      : `did not disturb each other: the median load was longer than alone by ${share(longer)} at most, and the ratio of the profiles moved by ${share(ratioMoves)}`;
  return `${lanes} lanes side by side ${figures}. ${rests}; up to ${share(LONGER_AT_MOST)} and ${share(RATIO_MOVES_AT_MOST)} pass.`;
}

/** The fewest of any profile: void loads are left out. */
function loadsWords({ profiles }: InterferenceLine): string {
  const fewest = (times: readonly (readonly number[])[]) => Math.min(...times.map(({ length }) => length));
  return `${counted(fewest(profiles.map(({ aloneMs }) => aloneMs)), 'load')} alone and ${fewest(profiles.map(({ besideMs }) => besideMs))} beside the others`;
}
