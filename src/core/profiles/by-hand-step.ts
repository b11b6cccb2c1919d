/** One thing that a person does to put a profile in place, or to take it back, where no program may. */
export interface ByHandStep {
  /** What to do: one or two whole sentences. */
  readonly text: string;
  /** What the step needs letter by letter; empty: nothing. */
  readonly copies: readonly ByHandCopy[];
}

export interface ByHandCopy {
  /** What it is, after "Copy": `the name`, `the value`, `the command`. */
  readonly what: string;
  /** Without a line end where it is one line. */
  readonly text: string;
}

export const byHandStep = (text: string, copies: Readonly<Record<string, string>> = {}): ByHandStep => ({
  text,
  copies: Object.entries(copies).map(([what, copied]) => ({ what, text: copied })),
});
