/** The pictures of a small capture, as they are written. Look at them when they change: `npx vitest run test/golden/capture.test.ts -u`. */
import { describe, expect, it } from 'vitest';
import { analyseCapture, captureJson } from '../../src/lab/capture/capture-analysis.ts';
import { connectionRowsSvg } from '../../src/lab/capture/connection-rows-svg.ts';
import { loadComparisonSvg } from '../../src/lab/capture/load-comparison-svg.ts';
import { timeSequenceSvg } from '../../src/lab/capture/time-sequence-svg.ts';
import { xmlFault } from '../support/well-formed.ts';
import { smallLoad } from '../unit/lab/capture/small-load.ts';

const analysis = analyseCapture(smallLoad());
const [first] = analysis.connections;
if (!first) throw new Error('the small load has no connection');

describe('of a small capture', () => {
  it.each([
    { name: 'time-sequence', svg: timeSequenceSvg(first, { title: 'A small load', subtitle: 'link RTT 100 ms' }) },
    { name: 'connection-rows', svg: connectionRowsSvg(analysis, { title: 'A small load' }) },
    {
      name: 'load-comparison',
      svg: loadComparisonSvg(
        ['cold', 'warm'].map((group) => ({ label: 'two connections', group, analysis })),
        { title: 'A small load, twice', subtitle: 'link RTT 100 ms' },
      ),
    },
  ])('the $name picture', async ({ name, svg }) => {
    expect(xmlFault(svg)).toBeUndefined();
    await expect(svg).toMatchFileSnapshot(`capture-${name}.svg`);
  });

  it('the JSON', async () => {
    await expect(`${JSON.stringify(captureJson(analysis), undefined, 1)}\n`).toMatchFileSnapshot('capture.json');
  });
});
