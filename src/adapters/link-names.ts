/** The names that a person gave to links, in `storage.local`: they outlive Firefox, and the loads they were given for. */
import * as v from 'valibot';
import { type GivenLinkNames, givenLinkNamesSchema, linkNameSchema } from '../protocol/field-answer.ts';
import { browser } from './browser.ts';

const KEY = 'linkNames';

/** What cannot be read is no name. */
export async function readLinkNames(): Promise<GivenLinkNames> {
  const held = v.safeParse(givenLinkNamesSchema, (await browser.storage.local.get(KEY))[KEY]);
  return held.success ? held.output : [];
}

/** Names the link; text without a letter takes its name away. @returns all names there are now. */
export async function writeLinkName(link: Omit<GivenLinkNames[number], 'name'>, name: string): Promise<GivenLinkNames> {
  const typed = v.safeParse(linkNameSchema, name);
  const { id, rttMs, downKbps } = link;
  const others = (await readLinkNames()).filter((one) => one.id !== id);
  const names = typed.success ? [...others, { id, name: typed.output, rttMs, ...(downKbps !== undefined && { downKbps }) }] : others;
  await browser.storage.local.set({ [KEY]: names });
  return names;
}
