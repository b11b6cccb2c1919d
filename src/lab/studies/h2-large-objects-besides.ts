/** The commit's figures beside ours. Pure. */
import { percent } from '../../core/compare/plain-words.ts';
import type { LargeObjectCell } from './h2-large-objects-cells.ts';
import { isRated } from './h2-large-objects-effects.ts';
import { IN_WINDOWS, megabits } from './h2-large-objects-words.ts';
import type { SeedComparison } from './study-findings.ts';

export function besidesTheCommit(cells: readonly LargeObjectCell[], baseline: string): readonly SeedComparison[] {
  const shipped = cells.filter(isRated).filter(({ profile, page }) => profile.id === baseline && page.servedBy === 'http2');
  const shown = shipped.map(({ page, link, rate }) => `${page.name} over ${link.name}: ${percent(rate.variation)}`).join(', ');
  return [
    {
      what: 'swings of large objects over HTTP/2',
      seed: '"unexplained performance variations", gone with the fix ("a much more stable bit rate")',
      ours: shown === '' ? 'not measured' : `variation of the rate ${IN_WINDOWS} with what Firefox ships: ${shown}`,
      why: 'the fault was memory moved within the proxy up to 10,000 times a second, seen at tens of Gbit/s; it is repaired in every HAProxy since 2.0, and these links are a thousand times slower',
    },
    {
      what: 'rate at which it was seen',
      seed: '60 Gbit/s (one realignment in 15 s once repaired)',
      ours: shown === '' ? 'not measured' : `${[...new Set(shipped.map(({ link }) => megabits(link.downKbps)))].join(' and ')}`,
      why: 'a browser on the links of people; what can swing here is the flow control between it and the proxy',
    },
  ];
}
