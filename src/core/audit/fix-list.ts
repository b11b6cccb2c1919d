/**
 * Comments out what does nothing, or harm, in a user.js: lines of catalogued preferences that are dead, already Firefox's own value, or slower.
 * Whatever guards or costs privacy or security stays, and every other byte stays as it is.
 */
import type { Verdict } from '../compare/comparison.ts';
import { findKnob } from '../profiles/catalogue.ts';
import type { AuditedLine } from './finding.ts';
import type { ListLine, PreferenceList } from './preference-list.ts';

/** A line that was commented out, with the reason that stands beside it; or one that should be and cannot. */
export interface FixedLine {
  readonly line: number;
  readonly name: string;
  readonly reason: string;
}

export interface FixedList {
  /** The whole file, one character per byte. */
  readonly bytes: string;
  readonly changed: readonly FixedLine[];
  /** Lines whose text cannot stand in a comment. */
  readonly left: readonly FixedLine[];
}

/**
 * @param bytes - The file that the list and its lines are of.
 * @param audited - A line for each of the list, in its order.
 */
export function fixList(bytes: string, list: PreferenceList, audited: readonly AuditedLine[]): FixedList {
  const ofName = new Map(
    audited.flatMap((line) => {
      const reason = reasonFor(line);
      return reason === undefined || line.findings[0].kind === 'superseded' ? [] : [[line.name, reason]];
    }),
  );
  const changed: FixedLine[] = [];
  const left: FixedLine[] = [];
  let fixed = '';
  let copied = 0;
  for (const [at, statement] of list.lines.entries()) {
    const line = audited[at];
    // All lines of the name: without the last one an earlier one would count.
    const reason = (line && reasonFor(line)) ?? ofName.get(statement.name);
    if (reason === undefined) continue;
    const commented = comment(bytes, statement, reason);
    const { name } = statement;
    if (commented === undefined || hasUncommentable(bytes, list, name)) {
      left.push({ line: statement.line, name, reason });
      continue;
    }
    fixed += bytes.slice(copied, statement.start) + commented;
    copied = statement.end;
    changed.push({ line: statement.line, name, reason });
  }
  return { bytes: fixed + bytes.slice(copied), changed, left };
}

/** One line of a name that must stay keeps the others, or another value would come into force. */
const hasUncommentable = (bytes: string, { lines }: PreferenceList, name: string): boolean =>
  lines.some((statement) => statement.name === name && comment(bytes, statement, '') === undefined);

/** Why a line is commented out, in ASCII; `undefined`: it stays. */
function reasonFor({ name, group, findings }: AuditedLine): string | undefined {
  const knob = findKnob(name);
  if (knob === undefined || knob.class !== 'free') return undefined;
  const [first] = findings;
  if (group === 'dead' && first.kind === 'dead') return `dead: nothing in Firefox ${first.version} reads it`;
  if (first.kind === 'superseded') return `does nothing: line ${first.byLine} sets it again, and the last one counts`;
  // A policy of the machine may set another value, which the line then replaces.
  if (group === 'default' && first.kind === 'default' && !first.underPolicy) return `Firefox ${first.version} has this value already`;
  // What was measured elsewhere says nothing of pages for which the line cannot matter.
  if (group !== 'acts') return undefined;
  for (const finding of findings) {
    // In a design that is not clear the effect may be of two other lines.
    if (finding.kind === 'timed' && finding.clear && DECIDED.includes(finding.verdict))
      return finding.verdict === 'worse' ? 'slower than without it, measured' : undefined;
    if (finding.kind === 'measured' && finding.harmful) return `slower than without it, measured (${finding.study})`;
    if (finding.kind === 'predicted' && finding.verdict === 'slower') return 'slower than without it, predicted';
  }
  return undefined;
}

/** Verdicts of a measurement on this machine, beside which no other counts. */
const DECIDED: readonly Verdict[] = ['worse', 'better', 'no-meaningful-difference'];

/**
 * The statement as a comment: with two slashes where it has its line to itself, else between the marks of a longer comment. `undefined`: it
 * holds the end mark of a comment.
 */
function comment(bytes: string, { start, end }: Pick<ListLine, 'start' | 'end'>, reason: string): string | undefined {
  const text = bytes.slice(start, end);
  const before = /[^\r\n]*$/.exec(bytes.slice(Math.max(0, start - MAX_BEFORE), start))?.[0] ?? '';
  const after = /^[^\r\n]*/.exec(bytes.slice(end, end + MAX_BEFORE))?.[0] ?? '';
  const isAlone = /^(?:\xef\xbb\xbf)?[ \t]*$/.test(before) && /^[ \t]*(?:\/\/|#|$)/.test(after) && !/[\r\n]/.test(text);
  if (isAlone) return `// ${text} // plumbfox audit: ${reason}`;
  return text.includes('*/') ? undefined : `/* ${text} plumbfox audit: ${reason} */`;
}

/** A longer line is not looked at to its ends, and its statement is commented out between marks. */
const MAX_BEFORE = 4096;
