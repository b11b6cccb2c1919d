/** What both halves of a time-sequence graph have in common. */
import type { Markup } from '../../core/report/markup.ts';
import type { ConnectionAnalysis } from './capture-analysis.ts';
import { PAGE, px, type Scale } from './picture-frame.ts';

/** Where things are, px. */
export const PLOT = { left: 78, right: 1020, sequence: [PAGE.contentY + 12, 486], outstanding: [522, 706] } as const;

export interface PanelSpan {
  readonly connection: ConnectionAnalysis;
  readonly fromMs: number;
  readonly toMs: number;
  readonly x: Scale;
  /** Upright lines of the axis of time, over the bands and under the curves. */
  readonly grid: Markup;
  /** End of the axis of bytes; absent: as much as there is. */
  readonly axisBytes: number | undefined;
}

/** From place to place, first along and then up or down; what does not move is left out. */
export function stepPath(places: readonly (readonly [number, number])[]): string {
  let path = '';
  let lastX = '';
  let lastY = '';
  for (const [x, y] of places) {
    const [atX, atY] = [px(x), px(y)];
    if (path === '') path = `M${atX} ${atY}`;
    else if (atY !== lastY) path += `${atX === lastX ? '' : `H${atX}`}V${atY}`;
    else continue;
    [lastX, lastY] = [atX, atY];
  }
  return path;
}
