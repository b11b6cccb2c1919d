/** In what the lab's Firefox loads pages otherwise than a person's, of the preferences that a report says were set for every profile. */
import type { PreferenceValue } from '../profiles/knob.ts';
import { formatGatewayVisit } from '../text/labels.ts';
import type { Provenance } from './report.ts';

interface LabDeviation {
  readonly preference: string;
  readonly value: PreferenceValue;
  /** What the lab's Firefox does, after "the lab's Firefox". */
  readonly unlike: string;
}

/** The lab sets each of them (a test holds it); the others that it sets keep Firefox quiet, and are not known to change a load. */
export const LAB_DEVIATIONS: readonly LabDeviation[] = [
  {
    preference: 'privacy.trackingprotection.annotate_channels',
    value: false,
    unlike: 'holds back no request of a tracker, because it recognises none',
  },
  { preference: 'dom.security.https_first', value: false, unlike: 'loads plain http without trying TLS first' },
  { preference: 'browser.safebrowsing.phishing.enabled', value: false, unlike: 'checks no address against lists of harmful sites' },
  { preference: 'network.trr.mode', value: 5, unlike: 'never looks names up by DNS over HTTPS' },
  { preference: 'network.trr.mode', value: 3, unlike: "asks the lab's own server for names" },
  {
    preference: 'network.http.http3.disable_when_third_party_roots_found',
    value: false,
    unlike: 'uses HTTP/3 although it trusts an authority that it was not shipped with',
  },
  { preference: 'network.http.http3.backup_timer_delay', value: 30_000, unlike: 'tries TCP beside HTTP/3 only after 30 s' },
  { preference: 'privacy.reduceTimerPrecision', value: false, unlike: 'does not round the times that it measures' },
];

/** One sentence; none: nothing of it was set, or the report does not say. */
export function labDeviationNotes(labPreferences: Provenance['labPreferences'] = {}): readonly string[] {
  const unlike = LAB_DEVIATIONS.filter(
    ({ preference, value }) => Object.hasOwn(labPreferences, preference) && labPreferences[preference] === value,
  );
  const [last, ...before] = unlike.map((each) => each.unlike).reverse();
  if (last === undefined) return [];
  const listed = before.length === 0 ? last : `${before.reverse().join(', ')}, and ${last}`;
  return [`Unlike a person's, the lab's Firefox ${listed}.`];
}

/** What a reader must know of a run: its own notes, which gateway it measured, and in what its Firefox is unlike a person's. */
export const provenanceNotes = ({
  notes,
  gateway,
  labPreferences,
}: Pick<Provenance, 'notes' | 'gateway' | 'labPreferences'>): readonly string[] => [
  ...notes,
  ...(gateway === undefined ? [] : [formatGatewayVisit(gateway)]),
  ...labDeviationNotes(labPreferences),
];
