/** What a person reads for a profile, in the page's language: `12 Verbindungen`; settings without a translation stay English. */
import { profileLabel } from '../core/profiles/presets.ts';
import { fixedText, language, text } from './text.ts';

const CONNECTIONS = /^(\d+) connections?(?: with up to (\d+) requests on (?:each|it))?$/;
const SEPARATOR = ', ';

/** The parts of `profileLabel` are translated one by one. */
export const profileText = (profileId: string): string =>
  language === 'en' ? profileLabel(profileId) : profileLabel(profileId).split(SEPARATOR).map(partText).join(SEPARATOR);

function partText(part: string): string {
  const [, connections, depth] = CONNECTIONS.exec(part) ?? [];
  if (connections === undefined) return fixedText(part);
  const count = text('count.connections', { count: Number(connections) });
  return depth === undefined ? count : text('profile.depth', { connections: count, depth: Number(depth) });
}
