/** Loads of a study made by hand. */
import type { HttpVersion } from '../../../../src/core/measure/page-load.ts';
import { milliseconds, ratio } from '../../../../src/core/units.ts';
import type { StudyLoad } from '../../../../src/lab/studies/study.ts';

export interface MadeLoad extends Partial<Omit<StudyLoad, 'measures' | 'profileId' | 'page' | 'link'>> {
  readonly profileId: string;
  readonly page: string;
  readonly link: string;
  readonly loadTimeMs?: number;
  /** Efficiency is this over the load time. */
  readonly idealTimeMs?: number;
  readonly version?: HttpVersion;
}

/** A valid load of which nothing is known but that it was made, alone, with one request at a time. */
export const BARE_LOAD = {
  block: 0,
  order: 0,
  startedAt: 0,
  validity: { state: 'valid' },
  readBack: [],
  lane: 0,
  lanes: 1,
  intended: { carrier: 'none', depth: 1, preferences: {} },
} as const satisfies Partial<StudyLoad>;

export function madeLoad({ loadTimeMs = 1000, idealTimeMs = 500, version = 'http/1.1', ...rest }: MadeLoad): StudyLoad {
  return {
    ...BARE_LOAD,
    measures: {
      loadTimeMs: milliseconds(loadTimeMs),
      idealTimeMs: milliseconds(idealTimeMs),
      efficiency: ratio(idealTimeMs / loadTimeMs),
      peakOutstanding: 1,
      peakOutstandingByOrigin: {},
      requests: 1,
      failedRequests: 0,
      duplicateFetches: 0,
      httpVersions: { [version]: ratio(1) },
    },
    ...rest,
  };
}
