/** A study: what is to be measured and what it is to answer, declared in one file. `plumbfox lab run` does the rest. */

import * as v from 'valibot';
import type { GatewayVisit } from '../../core/gateway-policy.ts';
import { preferenceValueSchema } from '../../core/profiles/knob.ts';
import { carrierSchema, type Profile } from '../../core/profiles/profile.ts';
import { measuredLoadSchema } from '../../core/report/report.ts';
import { count, finite, type Shape } from '../../core/schema.ts';
import type { CaptureAnalysis } from '../capture/capture-analysis.ts';
import type { CaptureWindow } from '../capture/load-window.ts';
import type { LinkSpec } from '../link/link-spec.ts';
import type { PageRecipe } from '../pages/page-recipe.ts';
import type { ServedBy } from '../pages/served-by.ts';
import type { OriginalFigure, StudyFindings, StudyPicture, StudyTable } from './findings.ts';

export interface StudyPage {
  /** Unique in the study; the recipe's own name where it is served in one way only. */
  readonly name: string;
  readonly recipe: PageRecipe;
  readonly servedBy: ServedBy;
  /** `warm`: the same page was loaded just before over the same connections, under fresh addresses. `cold`: no connection is open. */
  readonly connections: 'cold' | 'warm';
}

export interface Study {
  /** The name of its file. */
  readonly id: string;
  /** One sentence that ends in a question mark. */
  readonly question: string;
  /** The study it repeats: who, what, when, where published. */
  readonly source: string;
  readonly pages: readonly StudyPage[];
  /** Published studies name the congestion control that they were measured with (`sendingWith`): with another one they are other studies. */
  readonly links: readonly LinkSpec[];
  /** The baseline among them. The control (c6-d1 through the gateway) and firefox-default join by themselves where one needs the gateway. */
  readonly profiles: readonly Profile[];
  readonly baseline: string;
  /** Times every profile takes its turn on every page and link, unless `--repeats` says otherwise. */
  readonly repeats: number;
  /** Scenarios (page and link) that are not measured; absent: all are. */
  readonly without?: (page: StudyPage, link: LinkSpec) => boolean;
  /** How far the gateway knows the sites of its pages; absent: not at all, as at people's first visits. */
  readonly gatewayVisit?: GatewayVisit;
  /** Longest a load may take, s. */
  readonly timeoutS: number;
  /** How long the run published in docs/results took on two processors, links checked and lanes tried, minutes. Absent: none is published. */
  readonly tookMinutes?: number;
  /** What CI runs of it: small enough for two minutes. */
  readonly cut: {
    readonly pages: readonly string[];
    readonly links: readonly string[];
    readonly profiles: readonly string[];
    readonly repeats: number;
  };
  /** Figures of the study it repeats, each by a key under which the findings have ours. */
  readonly original?: Readonly<Record<string, OriginalFigure>>;
  /** Pure: from the valid loads to answer, tables and pictures. Loads may be missing. */
  readonly findings: (data: StudyData) => StudyFindings;
  /** Pictures that show cells of its tables, so that they can be drawn of a published page; absent: none does. */
  readonly tablePictures?: (tables: readonly StudyTable[]) => readonly StudyPicture[];
  /** Question and findings are about no page in particular, so they hold for others too (`--pages`). Absent: only for its own. */
  readonly holdsForOtherPages?: true;
}

export interface StudyData {
  readonly study: Study;
  /** What was measured: the study's own, or fewer (`--only`). */
  readonly pages: readonly StudyPage[];
  readonly links: readonly LinkSpec[];
  /** The valid loads, in the order they were made. */
  readonly loads: readonly StudyLoad[];
  /** Captures of valid loads (`--capture`); absent: none was made. One of each page, link and profile is enough for a picture. */
  readonly captures?: readonly StudyCapture[];
}

const time = v.exactOptional(finite);
const studyRequestSchema = v.object({
  /** Name in the recipe; empty for the document. */
  name: v.string(),
  fetchStart: finite,
  /** Absent: the connection was there already. */
  connectStart: time,
  connectEnd: time,
  requestStart: time,
  responseStart: time,
  responseEnd: finite,
  /** On the wire, headers included. */
  bytes: v.exactOptional(finite),
});
/** Times in ms after the document's fetchStart, as Resource Timing names them. */
export type StudyRequest = Shape<typeof studyRequestSchema>;

export const studyLoadSchema = v.object({
  ...measuredLoadSchema.entries,
  /** Number of the lane, from 0. */
  lane: count,
  /** Lanes at work side by side. */
  lanes: count,
  /** What was to be in effect; `readBack` and `observed` say what was. */
  intended: v.object({
    carrier: carrierSchema,
    /** Absent: Firefox's own value. */
    connections: v.exactOptional(count),
    depth: count,
    preferences: v.record(v.string(), preferenceValueSchema),
  }),
  /** The document first. Absent: the load is excluded, or the record lacks the timing of a request. */
  requests: v.exactOptional(v.array(studyRequestSchema)),
  /** Packets that the link lost in each direction, by its queue or at random. */
  dropped: v.exactOptional(v.object({ down: count, up: count })),
  /** IP bytes that left the link towards the client in every 100 ms after the load began, headers included. */
  deliveredBytes: v.exactOptional(v.array(finite)),
});
/** A load of a study, as its log has it. */
export type StudyLoad = Shape<typeof studyLoadSchema>;

/** The packets of one load, as they passed the server. */
export interface StudyCapture {
  readonly page: string;
  readonly link: string;
  readonly profileId: string;
  readonly block: number;
  readonly analysis: CaptureAnalysis;
  /** Which part of it is the load; absent: not known. */
  readonly window?: CaptureWindow;
}
