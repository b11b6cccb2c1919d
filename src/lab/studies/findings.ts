/** The findings of a study, as data. `write-findings.ts` makes a page or lines for the terminal of it. */
import { UNKNOWN } from '../../core/text/figures.ts';

/** Cells are formatted already; a column of numbers is aligned to the right. */
export interface StudyTable {
  readonly title: string;
  readonly columns: readonly { readonly name: string; readonly align: 'left' | 'right' }[];
  readonly rows: readonly (readonly string[])[];
}

/** A figure of the original study, as the study's declaration has it. */
export interface OriginalFigure {
  readonly what: string;
  readonly original: string;
  /** Place in the original. Absent: it has one page, or one table. */
  readonly where?: string;
  /** Where ours differs: why. */
  readonly why?: string;
}

export interface ComparisonWithOriginal extends OriginalFigure {
  readonly ours: string;
}

export interface StudyPicture {
  /** File name without ending. */
  readonly name: string;
  readonly title: string;
  readonly svg: string;
}

export interface StudyFindings {
  readonly tables: readonly StudyTable[];
  /** The answer to the study's question in three lines at most; empty where too little was measured. */
  readonly answer: readonly string[];
  readonly comparisonWithOriginal: readonly ComparisonWithOriginal[];
  /** What the report of the same loads recommends, over all its pages and links; absent: no report was made. */
  readonly recommendation?: readonly string[];
  /** The first is shown, the others are linked. */
  readonly pictures: readonly StudyPicture[];
  /** The figures of the tables, for programs. */
  readonly figures: Readonly<Record<string, unknown>>;
}

/** A study's figures beside the original's, in the order of the declaration. @param ours - By the keys of the declaration. */
export const comparedWith = (
  { original = {} }: { readonly original?: Readonly<Record<string, OriginalFigure>> },
  ours: Readonly<Record<string, string | undefined>>,
): readonly ComparisonWithOriginal[] => Object.entries(original).map(([key, figure]) => ({ ...figure, ours: ours[key] ?? 'not measured' }));

/** A column of a table and its contents; `undefined` is a dash. */
export interface TableColumn<Row> {
  readonly name: string;
  readonly align: 'left' | 'right';
  readonly cell: (row: Row) => string | number | undefined;
}

/** A column that is read: names and words, from the left. */
export const textColumn = <Row>(name: string, cell: TableColumn<Row>['cell']): TableColumn<Row> => ({ name, align: 'left', cell });
/** A column that is compared: numbers, from the right. */
export const figureColumn = <Row>(name: string, cell: TableColumn<Row>['cell']): TableColumn<Row> => ({ name, align: 'right', cell });

/** Makes a row of cells of every row of data. */
export const tableOf = <Row>(title: string, rows: readonly Row[], columns: readonly TableColumn<Row>[]): StudyTable => ({
  title,
  columns: columns.map(({ name, align }) => ({ name, align })),
  rows: rows.map((row) => columns.map(({ cell }) => String(cell(row) ?? UNKNOWN))),
});

/** `12`, `1,120`. */
export const countText = (count: number): string => count.toLocaleString('en-GB');
