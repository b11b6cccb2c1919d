/** The units that the person has chosen, for the figures of a page. */
import { readSettings } from '../adapters/settings.ts';
import { useUnits } from './text.ts';

/** Figures are written in the chosen units from then on. Never rejects: without settings they are in the usual ones. */
export async function readUnits(): Promise<void> {
  try {
    useUnits(await readSettings());
  } catch {
    // The page says elsewhere that nothing can be read.
  }
}
