/** In what the lab's Firefox is unlike a person's stands in every form of a report, made from the preferences that it lists. */
import { expect, it } from 'vitest';
import { provenanceSection } from '../../../../src/core/report/html/notes.ts';
import { labDeviationNotes } from '../../../../src/core/report/lab-deviations.ts';
import type { Report } from '../../../../src/core/report/report.ts';
import { reportMarkdown } from '../../../../src/core/report/report-markdown.ts';
import { reportSummary } from '../../../../src/core/report/shown-report.ts';
import { markupText } from '../../../../src/core/text/markup.ts';
import { sampleReport } from '../../../golden/sample-report.ts';

const SET = {
  'privacy.trackingprotection.annotate_channels': false,
  'network.http.http3.disable_when_third_party_roots_found': false,
  'browser.newtabpage.enabled': false,
};
const SENTENCE =
  "Unlike a person's, the lab's Firefox holds back no request of a tracker, because it recognises none, and uses HTTP/3 although it trusts an authority that it was not shipped with.";

it('is a sentence of what was set, by its value', () => {
  expect(labDeviationNotes(SET)).toEqual([SENTENCE]);
  expect(labDeviationNotes({ 'dom.security.https_first': false })).toEqual([
    "Unlike a person's, the lab's Firefox loads plain http without trying TLS first.",
  ]);
  expect(labDeviationNotes({ 'privacy.trackingprotection.annotate_channels': true })).toEqual([]);
  expect(labDeviationNotes(undefined)).toEqual([]);
});

it('stands in the HTML, the Markdown and the summary of a report', () => {
  const plain = sampleReport();
  const report: Report = { ...plain, provenance: { ...plain.provenance, labPreferences: SET } };
  expect(markupText(provenanceSection(report))).toContain('holds back no request of a tracker');
  expect(reportMarkdown(report)).toContain('holds back no request of a tracker');
  expect(reportSummary(report).notes).toContain(SENTENCE);
});
