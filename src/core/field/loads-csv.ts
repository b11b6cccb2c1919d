/** The recorded loads as a table for a spreadsheet: CSV by RFC 4180, a row for each load, figures without units in columns that name them. */
import { isoTime } from '../har/fields.ts';
import { printable } from '../text/text-table.ts';
import { asLink, type GivenLinkName, linksOfLoads, shownName } from './field-links.ts';
import { type LoadSummary, summaryEfficiency } from './load-summary.ts';

interface LoadsCsvInput {
  readonly figures: readonly LoadSummary[];
  readonly names: readonly GivenLinkName[];
  /** Addresses by the number of their page (`LoadSummary.page`). A load that keeps only its figures has one if its page was loaded since. */
  readonly addresses: ReadonlyMap<number, string>;
  /** Leaves out loads without an address. */
  readonly onlyAddressed?: boolean;
}

const COLUMNS = [
  'started',
  'page',
  'network_estimated',
  'profile',
  'load_time_ms',
  'bytes',
  'efficiency_estimated',
  'protocol',
  'state',
] as const;
type Row = Readonly<Record<(typeof COLUMNS)[number], string | number | undefined>>;

/** Oldest first. Unknown is an empty cell. */
export function loadsCsv({ figures, names, addresses, onlyAddressed = false }: LoadsCsvInput): string {
  const over = linksOfLoads([], { figures, names });
  const rows = over.figures.flatMap((load, at): readonly Row[] => {
    const page = addresses.get(load.page);
    if (onlyAddressed && page === undefined) return [];
    const link = over.linkAt(at);
    return [
      {
        started: isoTime(load.startedAt),
        page,
        network_estimated: link && shownName(link),
        profile: load.profileId,
        load_time_ms: load.loadTimeMs,
        bytes: load.bytes,
        efficiency_estimated: summaryEfficiency(load, link && asLink(link)),
        protocol: load.protocol,
        state: stateOf(load),
      },
    ];
  });
  return [COLUMNS.join(','), ...rows.map((row) => COLUMNS.map((column) => cell(row[column])).join(','))].join('\r\n').concat('\r\n');
}

/** `counts`, or why the load is excluded from comparisons. */
const stateOf = ({ excluded, cutShort, standing }: LoadSummary): string =>
  excluded ?? cutShort ?? (standing === 'whole' ? 'counts' : standing);

/**
 * What a spreadsheet takes for a formula is led by an apostrophe (https://owasp.org/www-community/attacks/CSV_Injection). Where a comma is the
 * decimal mark, a semicolon begins a cell, whatever quotes are around. Without control characters and changes of direction.
 */
const FORMULA = /(^|;)(?=[\s"']*[=+\-@＝＋－＠])/g;

function cell(value: string | number | undefined): string {
  if (value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const text = printable(value).replace(FORMULA, "$1'");
  return /[",;]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
