/** Everyday loads of small pages whose link is known, and a simulator whose answers are. */
import type { Predictor } from '../../src/core/field/predicted-pages.ts';
import type { ModelError } from '../../src/core/predict/model-error.ts';
import type { Prediction } from '../../src/core/simulate/prediction.ts';
import type { MarkedPageLoad } from '../../src/core/trial/trial-mark.ts';
import { milliseconds } from '../../src/core/units.ts';
import { waterfall } from '../fixtures/waterfall.ts';

const MINUTE = 60_000;

export interface RecordedLoadFacts {
  readonly minute: number;
  readonly rttMs: number;
  readonly page: string;
  /** It shows no round trip. */
  readonly isSilent?: boolean;
  /** It shows no rate. */
  readonly isSmall?: boolean;
  readonly ended?: 'quiet' | 'page-left';
  readonly profileId?: string;
}

/** Three requests over one connection, 100,000 bytes in 5 round trips and 800 ms at 1 Mbit/s; its id is `load-` and the minute. */
export function recordedLoad({ minute, rttMs, page, isSilent, isSmall, ended = 'quiet', profileId }: RecordedLoadFacts): MarkedPageLoad {
  const at = (round: number, after = 0) => round * rttMs + after;
  const connect = isSilent ? 'reused' : `connect=1-${at(1, 1)}`;
  const long = isSmall || isSilent ? at(4, 2) : at(4, 786);
  const others = `
    site.test/1 image fetch=${at(2, 2)} reused send=${at(2, 2)} first=${at(3, 2)} end=${at(3, 2)} bytes=1000
    site.test/2 image fetch=${at(3, 2)} reused send=${at(3, 2)} first=${at(4, 2)} end=${long} bytes=${isSmall ? 1000 : 98000}`;
  const made = waterfall(`
    load event=9000 ended=${ended}
    site.test/  main_frame fetch=0 ${connect} send=${at(1, 1)} first=${at(2, 1)} end=${at(2, 2)} bytes=1000${isSilent ? '' : others}`);
  return {
    ...made,
    id: `load-${minute}`,
    url: `http://site.test/${page}`,
    startedAt: milliseconds(minute * MINUTE),
    ...(profileId !== undefined && {
      applied: { profileId, applier: 'experiment-api', carrier: 'none', intended: {}, readBack: [], mismatches: [] },
    }),
  };
}

export interface FakePredictorFacts {
  /** Called with each load a page is made of; may throw. */
  readonly onPage?: (load: MarkedPageLoad) => void;
  /** Load times by page and profile, ms; 1000 unless given. */
  readonly times?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly error?: ModelError;
}

/** Pages of three requests named for their address; every load is bound by round trips, and ideal would be 100 ms. */
export function fakePredictor({ onPage, times = {}, error }: FakePredictorFacts = {}): Predictor {
  return {
    errorOf: () => error,
    pageFromLoad: (load) => {
      onPage?.(load);
      const id = load.url.split('/').at(-1) ?? '';
      return {
        page: { requests: [id, 'one', 'two'].map((each) => ({ id: each, bytes: 1000 })) },
        inferred: [{ field: 'discovery', requests: 3, rule: 'Every request was taken to be asked for by the document' }],
      };
    },
    predict: ({ page, profiles }) =>
      profiles.map((profile): Prediction => {
        const profileId = typeof profile === 'string' ? profile : profile.id;
        const loadTimeMs = times[page.requests[0]?.id ?? '']?.[profileId] ?? 1000;
        return {
          profileId,
          loadTimeMs,
          efficiency: 100 / loadTimeMs,
          bytes: 3000,
          connections: 1,
          bound: 'round-trips',
          boundShares: { bandwidth: 0, 'queue-wait': 0, 'round-trips': 1, loss: 0, server: 0, page: 0 },
          retransmissions: 0,
          carriages: ['http/1.1'],
          loss: 'none',
          requests: [],
        };
      }),
  };
}
