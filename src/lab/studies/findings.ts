/** What a study found, ready to be printed, written as Markdown, or kept as JSON. */

export interface StudyTable {
  readonly title: string;
  readonly columns: readonly { readonly name: string; readonly align: 'left' | 'right' }[];
  readonly rows: readonly (readonly string[])[];
}

/** A figure of the original study beside ours. */
export interface ComparisonWithOriginal {
  readonly what: string;
  readonly original: string;
  readonly ours: string;
  /** Where they differ: why. */
  readonly why?: string;
}

export interface StudyPicture {
  /** File name without ending. */
  readonly name: string;
  readonly title: string;
  readonly svg: string;
  /** One of many alike: the page links it and does not show it. */
  readonly aside?: true;
}

export interface StudyFindings {
  readonly tables: readonly StudyTable[];
  /** The answer to the study's question, in plain sentences with their figures; empty where too little was measured, which is then said. */
  readonly answer: readonly string[];
  readonly comparisonWithOriginal: readonly ComparisonWithOriginal[];
  /** What the report of the same loads recommends, over all its pages and links; absent: nobody made a report. */
  readonly recommendation?: readonly string[];
  readonly pictures: readonly StudyPicture[];
  /** The figures of the tables, for programs. */
  readonly figures: Readonly<Record<string, unknown>>;
}

/** Counts as text. */

/** `12`, `1,120`. */
export const countText = (count: number): string => count.toLocaleString('en-GB');
