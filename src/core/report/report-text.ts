/** A report as the text of its file. */
import type { Report } from './report.ts';

/**
 * To be read by people as well, but for its loads: one on each line. Indented they take two thirds more, and what is read has at most 64 MB: the 16,800
 * loads of `lab run fennec-2008 --repeats 15` took 58.3 MB and take 35.0, the 20,000 of `tune --blocks 1000` 30.9 and 19.5 (loads of the published
 * runs, as often as it takes).
 */
export function reportText(report: Report): string {
  const rest = JSON.stringify({ ...report, loads: [] }, null, 2);
  const lines = report.loads.map((load) => `    ${JSON.stringify(load)}`).join(',\n');
  if (lines === '') return `${rest}\n`;
  // Two spaces: a member of the report itself. No text holds a line break within JSON.
  return `${rest.replace('\n  "loads": []', () => `\n  "loads": [\n${lines}\n  ]`)}\n`;
}
