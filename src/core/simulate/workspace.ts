/** Memory that one simulation after another uses: to ask for it anew each time took a third of the time. */
import { EventHeap } from './event-heap.ts';
import { SegmentLog } from './segment-log.ts';

export class Workspace {
  readonly heap = new EventHeap();
  readonly log = new SegmentLog();

  clear(): void {
    this.heap.clear();
    this.log.clear();
  }
}
