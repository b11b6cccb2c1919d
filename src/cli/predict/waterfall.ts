/** The file of `--svg`: one page over one link, a panel per profile. */
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { PlumbfoxError } from '../../core/errors.ts';
import type { PredictionFacts } from '../../core/predict/predict-json.ts';
import { BASELINE_ID } from '../../core/profiles/presets.ts';
import type { Profile } from '../../core/profiles/profile.ts';
import { waterfallSvg } from '../../core/report/waterfall-svg.ts';
import { predictLinkWords } from './link.ts';

export interface WaterfallCheck extends Pick<PredictionFacts, 'pages' | 'links'> {
  readonly profiles: readonly Profile[];
  /** Names of `--svg-profile`. */
  readonly asked: readonly string[];
}

/** @throws PlumbfoxError `bad-input` when there are several scenarios to choose from, or a profile is not among those predicted. */
export function checkWaterfall({ pages, links, profiles, asked }: WaterfallCheck): void {
  if (pages.length > 1 || links.length > 1) {
    const choices = [
      ...(pages.length > 1 ? [`choose a page with --page (${pages.map(({ name }) => name).join(', ')})`] : []),
      ...(links.length > 1 ? ['give one --link'] : []),
    ];
    throw new PlumbfoxError('bad-input', `--svg draws one page over one link: ${choices.join(' and ')}`);
  }
  const known = profiles.map(({ id }) => id);
  const missing = asked.find((id) => !known.includes(id));
  if (missing === undefined) return;
  throw new PlumbfoxError('bad-input', `--svg-profile: ${missing} is not among the profiles. Profiles: ${known.join(', ')}`);
}

/**
 * @param asked - Profiles to draw; `undefined`: the baseline and what is recommended.
 * @throws PlumbfoxError `bad-input` when the file is there already or cannot be written.
 */
export async function writeWaterfall(path: string, facts: PredictionFacts, asked: readonly string[] | undefined): Promise<void> {
  const { pages, links, scenarios, recommendation } = facts;
  const [[page], [link], [scenario]] = [pages, links, scenarios];
  if (page === undefined || link === undefined || scenario === undefined) throw new PlumbfoxError('internal', 'There is nothing to draw');
  const ids = asked ?? [...new Set([BASELINE_ID, recommendation.profileId])];
  const svg = waterfallSvg({
    title: page.name,
    subtitle: predictLinkWords(link),
    page: page.page,
    predictions: ids.flatMap((id) => scenario.predictions.filter(({ profileId }) => profileId === id)),
  });
  try {
    await writeFile(resolve(path), svg, { flag: 'wx' });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === 'EEXIST' ? 'is there already: name another file' : `cannot be written (${code ?? error})`;
    throw new PlumbfoxError('bad-input', `--svg: ${path} ${why}`, { cause: error });
  }
}
