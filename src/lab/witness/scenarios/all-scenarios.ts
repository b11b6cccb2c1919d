/** The scenarios by the names under which witnesses refer to them. */
import type { ScenarioId } from '../../../core/profiles/witnesses.ts';
import type { Scenario } from '../scenario.ts';
import * as http1 from './http1.ts';
import * as http2 from './http2.ts';

export const SCENARIOS: Readonly<Record<ScenarioId, Scenario>> = {
  'held-pictures': http1.heldPictures,
  'held-pictures-by-proxy': http1.heldPicturesByProxy,
  'held-pictures-of-many-servers': http1.heldPicturesOfManyServers,
  'paced-pictures': http1.pacedPictures,
  'picture-after-idling': http1.pictureAfterIdling,
  'picture-after-pause': http1.pictureAfterPause,
  'http2-requests': http2.http2Requests,
  'initial-window': http2.initialWindow,
  'session-window': http2.sessionWindow,
  'header-table': http2.headerTable,
  'no-old-priorities': http2.noOldPriorities,
  'held-streams': http2.heldStreams,
  'upload-frames': http2.uploadFrames,
  'two-names': http2.twoNames,
  'slow-picture': http2.slowPicture,
  'session-after-idling': http2.sessionAfterIdling,
  'priority-headers': http2.priorityHeaders,
  'urgency-spread': http2.urgencySpread,
};
