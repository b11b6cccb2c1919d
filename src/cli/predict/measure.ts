/** The command that measures what was predicted, as it can be pasted into a shell. */
import { isDeepStrictEqual } from 'node:util';
import { PlumbfoxError } from '../../core/errors.ts';
import type { NamedLink } from '../../core/predict/predict-json.ts';
import { completeLink } from '../../core/simulate/link.ts';
import type { LinkSpec } from '../../lab/link/link-spec.ts';
import { NAMED_LINKS } from '../../lab/link/links.ts';
import { parseLink } from '../../lab/link/parse-link.ts';
import { STUDIES } from '../../lab/studies/all-studies.ts';
import type { Study } from '../../lab/studies/study.ts';
import { withControl } from '../../lab/study-run/study-plan.ts';
import { shellWord } from '../output/own-command.ts';
import type { PredictSource } from './contents.ts';
import { canBeSimulated, simulatedFigures } from './link.ts';

export interface Measurable extends Pick<PredictSource, 'loadedBy'> {
  readonly pages: readonly string[];
  /** What `tune --pages` takes for those of them that it can load. */
  readonly labPages: readonly string[];
  /** What `tune --protocol` takes for them; absent: its default. */
  readonly protocol?: string | undefined;
  readonly links: readonly NamedLink[];
}

/** Links that the lab cannot emulate are left to its defaults. */
export function measureCommand(
  { loadedBy, pages, labPages, protocol = 'http/1.1', links }: Measurable,
  profileIds: readonly string[],
): string {
  const profiles = profileIds.length > 1 ? ` --profiles ${quoted(profileIds.join(','))}` : '';
  if (loadedBy === 'real-network') return `npm run tune -- --real-network --urls FILE${profiles} # FILE holds the page's address`;
  const emulated = links.flatMap(labLink);
  const named = emulated.length === links.length && emulated.length > 0 ? ` --links ${quoted(emulated.join(';'))}` : '';
  const served = protocol === 'http/1.1' ? '' : ` --protocol ${protocol}`;
  if (labPages.length > 0) return `npm run tune -- --pages ${quoted(labPages.join(','))}${served}${named}${profiles}`;
  const ofStudy = studyCommand({ pages, links }, profileIds);
  if (ofStudy !== undefined) return ofStudy;
  return `npm run tune -- --pages FILE.json${named}${profiles} # FILE.json is the recipe of ${pages.join(', ')}`;
}

/** Pages of a study are loaded only by it: the part of it that was predicted, under the study's own profiles where it has not all of these. */
function studyCommand({ pages, links }: Pick<Measurable, 'pages' | 'links'>, profileIds: readonly string[]): string | undefined {
  const having = STUDIES.filter((each) => pages.every((page) => each.pages.some(({ name }) => name === page)));
  // Several studies may load the same pages: the one that has most of what was predicted.
  const [study] = having.toSorted((a, b) => sharedWith(b, { links, profileIds }) - sharedWith(a, { links, profileIds }));
  if (study === undefined) return undefined;
  const ownLinks = links.filter((link) => study.links.some((own) => own.name === link.name)).map(({ name }) => name);
  const named = study.profiles.filter(({ id }) => profileIds.includes(id));
  // The study's baseline is measured whatever is requested, and firefox-default wherever a profile goes through the gateway.
  const measured = withControl(study.profiles.filter(({ id }) => id === study.baseline || profileIds.includes(id)));
  const hasAll = profileIds.length > 1 && profileIds.every((id) => measured.some((profile) => profile.id === id));
  const hasLinks = ownLinks.length === links.length;
  const only = [
    `page=${pages.join(',')}`,
    ...(hasLinks && links.length > 0 ? [`link=${ownLinks.join(',')}`] : []),
    ...(hasAll ? [`profile=${named.map(({ id }) => id).join(',')}`] : []),
  ];
  const others = [...(hasAll || profileIds.length < 2 ? [] : ['profiles']), ...(hasLinks ? [] : ['links'])];
  const note = others.length === 0 ? '' : ` # it has ${others.join(' and ')} of its own, not all of these`;
  return `plumbfox lab run ${study.id} --only ${quoted(only.join(','))}${note}`;
}

/** How many of these links and profiles the study has. */
const sharedWith = (study: Study, { links, profileIds }: { links: Measurable['links']; profileIds: readonly string[] }): number =>
  study.links.filter(({ name }) => links.some((link) => link.name === name)).length +
  study.profiles.filter(({ id }) => profileIds.includes(id)).length;

const quoted = (text: string): string => shellWord(text, 'linux');

function isSameLink(own: LinkSpec, { link }: Pick<NamedLink, 'link'>): boolean {
  if (!canBeSimulated(own)) return false;
  const [{ segmentBytes: _, ...figures }, { segmentBytes: _own, ...owns }] = [completeLink(link), completeLink(simulatedFigures(own))];
  return isDeepStrictEqual(owns, figures);
}

/** The link by name where the lab's link of that name is the same, else by its figures: in an older report a name may stand for another link. */
function labLink({ name, link }: NamedLink): readonly string[] {
  const { segmentBytes: _, ...figures } = completeLink(link);
  const known = NAMED_LINKS.find((each) => each.name === name);
  if (known !== undefined && isSameLink(known, { link })) return [name];
  const { rttMs, downKbps, upKbps, queuePackets, lossDown, lossUp, jitterMs, initialWindow, congestionControl } = figures;
  const usual = completeLink({ rttMs, downKbps });
  const text = [
    `rtt=${rttMs},down=${downKbps},up=${upKbps},queue=${queuePackets}`,
    ...(lossDown > 0 ? [`loss-down=${lossDown}`] : []),
    ...(lossUp > 0 ? [`loss-up=${lossUp}`] : []),
    ...(initialWindow === usual.initialWindow ? [] : [`iw=${initialWindow}`]),
    ...(congestionControl === usual.congestionControl ? [] : [`cc=${congestionControl}`]),
  ].join(',');
  // The lab's jitter is another one than the simulator's.
  return jitterMs === 0 && isEmulated(text) ? [text] : [];
}

function isEmulated(text: string): boolean {
  try {
    return parseLink(text).name === text;
  } catch (error) {
    if (error instanceof PlumbfoxError) return false;
    throw error;
  }
}
