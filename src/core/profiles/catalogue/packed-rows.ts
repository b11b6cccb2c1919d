/**
 * The rows of the catalogue as the extension's package has them (src/tools/packed-catalogue.mjs): by columns, which pack better than rows with the
 * same members do.
 */

type Row = Readonly<Record<string, unknown>>;

/** What differs from row to row is a text with a line for each. Of anything else each value stands once, and a character for each row says which. */
export type Column = string | { readonly values: readonly unknown[]; readonly which: string };
export type Columns = Readonly<Record<string, Column>>;

/** The character of the first value; the one before says that the row has none. */
const FIRST = ')'.charCodeAt(0);

/** @param lines - The members that become lines: texts without a line break, which every row has. */
export function packRows(rows: readonly Row[], lines: readonly string[]): Columns {
  const members = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const column = (member: string): Column => {
    if (lines.includes(member)) return asLines(rows.map((row) => String(row[member])));
    const texts = rows.map((row) => JSON.stringify(row[member]));
    const values = [...new Set(texts.filter((text) => text !== undefined))];
    const which = texts.map((text) => String.fromCharCode(FIRST + values.indexOf(text))).join('');
    return { values: values.map((text) => JSON.parse(text)), which };
  };
  return Object.fromEntries(members.map((member) => [member, column(member)]));
}

/** A text with a line for each. */
export function asLines(texts: readonly string[]): string {
  const broken = texts.find((text) => text.includes('\n'));
  if (broken !== undefined) throw new Error(`A line break would become two lines: ${broken}`);
  return texts.join('\n');
}

/** The rows again; a member that a row had not is not there. */
export function unpackRows(columns: Columns): readonly Row[] {
  const rows: Record<string, unknown>[] = [];
  for (const [member, column] of Object.entries(columns)) {
    const values =
      typeof column === 'string' ? column.split('\n') : [...column.which].map((one) => column.values[one.charCodeAt(0) - FIRST]);
    for (const [at, value] of values.entries()) {
      rows[at] ??= {};
      if (value !== undefined) Object.assign(rows[at], { [member]: value });
    }
  }
  return rows;
}
