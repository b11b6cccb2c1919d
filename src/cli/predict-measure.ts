/** The command that measures what was predicted. */
import { checkedLink } from '../core/simulate/checked-link.ts';
import type { NamedLink } from '../core/simulate/predict-json.ts';
import { DEFAULT_LINKS } from '../lab/link/links.ts';

export interface Measurable {
  /** Pages of the lab, by name; empty: the pages are somebody's own, on the real network. */
  readonly labPages: readonly string[];
  readonly links: readonly NamedLink[];
}

/** A line for a shell. Links that the lab cannot emulate are left to its defaults. */
export function measureCommand({ labPages, links }: Measurable, profileIds: readonly string[]): string {
  const profiles = profileIds.length > 1 ? ` --profiles ${profileIds.join(',')}` : '';
  if (labPages.length === 0) return `npm run tune -- --real-network --urls FILE${profiles} (FILE holds the page's address)`;
  const emulated = links.flatMap(labLink);
  const named = emulated.length === links.length && emulated.length > 0 ? ` --links ${quoted(emulated.join(';'))}` : '';
  return `npm run tune -- --pages ${labPages.join(',')}${named}${profiles}`;
}

/** A semicolon would end the command. */
const quoted = (text: string): string => (text.includes(';') ? `'${text}'` : text);

function labLink({ name, link }: NamedLink): readonly string[] {
  if (DEFAULT_LINKS.includes(name)) return [name];
  const { rttMs, downKbps, upKbps, queuePackets, lossDown, lossUp, jitterMs, initialWindow } = checkedLink(link);
  const usual = checkedLink({ rttMs, downKbps }).initialWindow;
  if (lossDown > 0 || lossUp > 0 || jitterMs > 0 || initialWindow !== usual) return [];
  return [`rtt=${rttMs},down=${downKbps},up=${upKbps},queue=${queuePackets}`];
}
