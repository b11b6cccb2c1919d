/** What is not on an imported page as it was recorded, in sentences. */
import { counted } from '../../core/text/figures.ts';
import type { Asked, AskerChange } from './import-initiators.ts';
import { MOST_ORIGINS } from './recipe-schema.ts';

export interface ImportFacts {
  readonly asked: readonly Asked[];
  readonly redirects: number;
  /** Requests moved to the document's server. */
  readonly moved: number;
  /** Servers that share the number of another. */
  readonly folded: number;
  /** By so much the content is larger than recorded, as it has to hold the names of what it asks for. */
  readonly grownBytes: number;
}

const ASKERS: Readonly<Record<AskerChange, string>> = {
  'frame-as-picture': 'a frame there, a picture here: nothing in it asks for more',
  'media-as-picture': 'media, or of no known kind, there; a picture here',
  'named-by-document': 'asked for by a script, style sheet, frame or answer there; named by the document, and so asked for earlier, here',
  'data-from-a-script': 'data that no script is known to have asked for; asked for by the last script before it here',
  'data-as-picture': 'data before any script there, a picture here',
  'asker-not-kept': 'what asked for it there asks for nothing here; asked for by the script or style sheet before that',
};

/** Below this share nobody would see the growth in a load time; our own choice, bytes. */
const LEAST_GROWTH_BYTES = 1000;

export function importChanges({ asked, redirects, moved, folded, grownBytes }: ImportFacts): readonly string[] {
  return [
    ...(redirects > 0 ? [`${counted(redirects, 'redirect')} left out: what they led to is asked for in their place.`] : []),
    ...(folded > 0
      ? [`${counted(folded, 'server')} folded into others, as the lab has ${MOST_ORIGINS}: those with the fewest requests share one.`]
      : []),
    ...(moved > 0
      ? [`${counted(moved, 'request')} moved to the document's server, where fonts, data, and style sheets that ask for pictures must be.`]
      : []),
    ...(Object.keys(ASKERS) as AskerChange[]).flatMap((change) => {
      const count = asked.filter((one) => one.change === change).length;
      return count === 0 ? [] : [`${counted(count, 'request')}: ${ASKERS[change]}.`];
    }),
    ...(grownBytes >= LEAST_GROWTH_BYTES
      ? [`${Math.round(grownBytes / 1000)} kB larger than recorded: names of what is asked for take more room than compressed ones did.`]
      : []),
  ];
}
