/** A load of a study as it is kept: what a report has of it, and what only the studies look at. */

import type { PreferenceValue } from '../../core/profiles/knob.ts';
import type { Carrier } from '../../core/profiles/profile.ts';
import type { MeasuredLoad } from '../../core/report/report.ts';
import type { CaptureAnalysis } from '../capture/capture-analysis.ts';
import type { LoadWindow } from '../capture/load-window.ts';

/** Times in ms after the document's fetchStart, as Resource Timing names them. */
export interface StudyRequest {
  /** Name in the recipe; empty for the document. */
  readonly name: string;
  readonly fetchStart: number;
  /** Absent: the connection was there already. */
  readonly connectStart?: number;
  readonly connectEnd?: number;
  readonly requestStart?: number;
  readonly responseStart?: number;
  readonly responseEnd: number;
  /** On the wire, headers included. */
  readonly bytes?: number;
}

export interface StudyLoad extends MeasuredLoad {
  /** Number of the lane, from 0. */
  readonly lane: number;
  /** Lanes at work side by side. */
  readonly lanes: number;
  /** What was to be in effect; `readBack` and `observed` say what was. */
  readonly intended: {
    readonly carrier: Carrier;
    /** Absent: what this Firefox ships. */
    readonly connections?: number;
    readonly depth: number;
    readonly preferences: Readonly<Record<string, PreferenceValue>>;
  };
  /** The document first. Absent: the load is void, or the record lacks the timing of a request. */
  readonly requests?: readonly StudyRequest[];
  /** Packets that the link lost in each direction, by its queue or at random. */
  readonly dropped?: { readonly down: number; readonly up: number };
  /** IP bytes that left the link towards the client in every 100 ms after the load began, headers included. */
  readonly deliveredBytes?: readonly number[];
}

/** The packets of one load, as they passed the server. */
export interface StudyCapture {
  readonly page: string;
  readonly link: string;
  readonly profileId: string;
  readonly block: number;
  readonly analysis: CaptureAnalysis;
  /** Which part of it is the load; absent: nothing tells. */
  readonly window?: LoadWindow;
}
