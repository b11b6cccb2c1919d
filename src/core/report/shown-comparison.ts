/** What a reader must know beside the verdicts: what the loads could have found, and where no middle describes them. */
import { PROTOCOL_LABELS } from '../compare/by-protocol.ts';
import type { Comparison } from '../compare/comparison.ts';
import { modesInWords } from '../compare/format-verdict.ts';
import { LINK_TOLERANCE } from '../measure/efficiency.ts';
import { percent, secondsText } from '../text/figures.ts';

/** Sentences, in the order in which they matter. */
export function soundnessNotes(comparison: Comparison): readonly string[] {
  return [...asideNotes(comparison), ...disprovedNotes(comparison), ...detectableNotes(comparison), ...modesNotes(comparison)];
}

/** Links over which loads were faster than the link's own figures allow, as over one whose rate changes. */
function disprovedNotes({ scenarios }: Comparison): readonly string[] {
  const highest = new Map<string, number>();
  for (const { link, profiles } of scenarios) {
    for (const { efficiencyMedian = 0 } of profiles) highest.set(link, Math.max(efficiencyMedian, highest.get(link) ?? 0));
  }
  return [...highest].flatMap(([link, share]) =>
    share > 1 + LINK_TOLERANCE
      ? [
          `Link figures disproved: loads over ${link} were up to ${share.toFixed(2)} times as fast as the link's figures allow. Ratios between profiles hold all the same.`,
        ]
      : [],
  );
}

/** Of each protocol by itself: over several there is no gain that could be found. */
function detectableNotes({ protocols, profiles, baseline }: Comparison): readonly string[] {
  const parts = protocols?.map((own) => ({ label: `${PROTOCOL_LABELS[own.protocol]}: `, profiles: own.profiles })) ?? [
    { label: '', profiles },
  ];
  return parts.flatMap(({ label, profiles: own }) => {
    const words = detectableWords({ profiles: own, baseline });
    return words === undefined ? [] : [`${label}${words}`];
  });
}

/** `wiki over slow is set aside: no load of firefox-default counts there, ...`. */
function asideNotes({ setAside = [], baseline }: Comparison): readonly string[] {
  return setAside.map(({ profileId, page, link }) => {
    const where = profileId === baseline ? 'is set aside' : `is set aside for ${profileId}`;
    return `${page} over ${link} ${where}: no load of ${profileId} counts there, for a cause that has nothing to do with load times.`;
  });
}

/** `A run like this finds a gain of 3.8 to 5 % over firefox-default, depending on the profile, four times in five; a smaller one more rarely.` */
function detectableWords({ profiles, baseline }: Pick<Comparison, 'profiles' | 'baseline'>): string | undefined {
  const known = profiles.flatMap(({ role, versusBaseline: { detectableChange } }) =>
    role === 'candidate' && detectableChange !== undefined ? [detectableChange] : [],
  );
  if (known.length === 0) return undefined;
  const [least, most] = [percent(Math.min(...known)), percent(Math.max(...known))];
  const gain =
    least === most ? `${most} over ${baseline}` : `${least.replace(' %', '')} to ${most} over ${baseline}, depending on the profile,`;
  return `A run like this finds a gain of ${gain} four times in five; a smaller one more rarely.`;
}

/** Beyond so many the list says less than its length. Our own choice. */
const MOST_NAMED = 3;

function modesNotes({ modes }: Comparison): readonly string[] {
  const named = modes.slice(0, MOST_NAMED).map(({ profileId, page, link, modes: found }) => {
    const words = modesInWords(found, secondsText) ?? '';
    return `No middle describes ${profileId} on page ${page} over link ${link}: its ${words}.`;
  });
  const rest = modes.length - named.length;
  return rest > 0 ? [...named, `Loads fall into groups in ${rest} more places; the report names them all.`] : named;
}
