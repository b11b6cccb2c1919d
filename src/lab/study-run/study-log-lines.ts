/** The lines of a study's log: what a run begins with, what it was measured with, and every load as it came. */
import * as v from 'valibot';
import { CONGESTION_CONTROLS } from '../../core/report/report.ts';
import { loadSchema } from '../../protocol/report-parts-schema.ts';
import { pageRecipeSchema } from '../pages/recipe-schema.ts';
import type { StudyLoad } from '../studies/study.ts';

/** Grows when a line changes its meaning; a run of another format is not taken up again. */
export const STUDY_LOG_FORMAT = 1;

const finite = v.pipe(v.number(), v.finite());
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const text = v.string();
const texts = v.array(text);
const preferences = v.record(text, v.union([finite, v.boolean(), text]));

/** What is measured; a run that is taken up again must be of the same. */
export const studyLine = v.object({
  study: v.object({
    format: v.literal(STUDY_LOG_FORMAT),
    id: text,
    seed: count,
    repeats: count,
    pages: texts,
    links: texts,
    profiles: texts,
    /** Of everything the study declares: pages to the byte, links to the figure, profiles to the preference. */
    fingerprint: text,
    /** The pages that were measured in place of the study's own, whole: nobody else has their files. */
    otherPages: v.exactOptional(v.array(v.object({ recipe: pageRecipeSchema, file: v.exactOptional(text) }))),
    /** As somebody else would type it. */
    command: v.exactOptional(text),
    /** Longest a load may take, s. */
    timeoutS: v.exactOptional(finite),
    /** Whether packets are recorded. */
    capture: v.exactOptional(v.boolean()),
  }),
});

/** What the lines that follow were measured with. */
export const sessionLine = v.object({
  session: v.object({
    number: count,
    startedAt: text,
    plumbfox: text,
    firefox: v.object({ version: text, buildId: text }),
    applier: v.picklist(['experiment-api', 'driver', 'policy', 'helper', 'gateway', 'manual']),
    os: text,
    node: text,
    /** Of links that name none. */
    congestionControl: text,
    /** As `provenance.weather` has it; absent: older than that. */
    weather: v.exactOptional(v.literal('by-block')),
    /** Of nginx, HAProxy, Caddy, where the study asks for them. */
    servers: v.record(text, text),
  }),
});

/** A link as one lane measured it. Where it is not `ok`, the loads that were to go over it are void, for `reason`. */
export const linkLine = v.object({
  link: v.object({
    name: text,
    lane: count,
    at: finite,
    measured: v.object({ rttMs: finite, downKbps: finite, upKbps: v.exactOptional(finite) }),
    /** What its ends send with; absent in older logs. */
    congestionControl: v.exactOptional(v.picklist(CONGESTION_CONTROLS)),
    ok: v.boolean(),
    reason: v.exactOptional(text),
  }),
});

/** A check that lanes do not disturb each other. Where it failed, loads made with so many lanes in that session do not count. */
export const interferenceLine = v.object({
  interference: v.object({
    session: count,
    lanes: count,
    page: text,
    link: text,
    profiles: v.array(v.object({ profileId: text, aloneMs: v.array(finite), besideMs: v.array(finite) })),
    /** Absent: the check itself came to no end. */
    longer: v.exactOptional(finite),
    ratioMoves: v.exactOptional(finite),
    ok: v.boolean(),
    /** Too few loads were made while all others were at work: this says nothing of so many lanes. */
    notMeasured: v.exactOptional(v.boolean()),
  }),
});

const request = v.object({
  name: text,
  fetchStart: finite,
  connectStart: v.exactOptional(finite),
  connectEnd: v.exactOptional(finite),
  requestStart: v.exactOptional(finite),
  responseStart: v.exactOptional(finite),
  responseEnd: finite,
  bytes: v.exactOptional(finite),
});

const studyLoad = v.object({
  ...loadSchema.entries,
  lane: count,
  lanes: count,
  intended: v.object({
    carrier: v.picklist(['none', 'gateway', 'http2', 'legacy']),
    connections: v.exactOptional(count),
    depth: count,
    preferences,
  }),
  requests: v.exactOptional(v.array(request)),
  dropped: v.exactOptional(v.object({ down: count, up: count })),
  deliveredBytes: v.exactOptional(v.array(finite)),
});

/** A load as it came, valid or void. */
export const loadLine = v.object({
  load: studyLoad as unknown as v.GenericSchema<unknown, StudyLoad>,
  session: count,
  /** What the load took besides its own load time, ms: applying, waiting until it is over, reading. */
  overheadMs: v.exactOptional(finite),
  /** Try of this cell, from 0. */
  attempt: count,
  /** Why the capture that was wanted of it is not there. */
  captureMissing: v.exactOptional(text),
});

/** Any line of the log; told apart by the member that it has. */
export const studyLogLine = v.union([loadLine, linkLine, interferenceLine, sessionLine, studyLine]);
export type StudyLogLine = v.InferOutput<typeof studyLogLine>;
export type StudyLine = v.InferOutput<typeof studyLine>['study'];
export type SessionLine = v.InferOutput<typeof sessionLine>['session'];
export type LinkLine = v.InferOutput<typeof linkLine>['link'];
export type InterferenceLine = v.InferOutput<typeof interferenceLine>['interference'];
export type LoadLine = v.InferOutput<typeof loadLine>;
