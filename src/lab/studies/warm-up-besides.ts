/** The survey's figures beside ours, and why they differ (levy5307/blog issue 40; values of 1 kB read 100 times over one connection). */
import type { SeedComparison } from './study-findings.ts';
import { firstWithSetUpMs, objectBytes, type SequenceCell } from './warm-up-sequences.ts';
import { bytesText, msText } from './warm-up-tables.ts';

const NOT_MEASURED = 'not measured';
const OTHER_DISTANCE = "the survey's far servers answer after 1.5 ms; a browser's are 20 and 200 ms away";

export function besidesTheSurvey(cells: readonly SequenceCell[]): readonly SeedComparison[] {
  const find = (far: boolean, bytes: number, buffer: number | undefined, connections: 'cold' | 'warm') =>
    cells.find(
      ({ page, link }) =>
        link.rttMs >= FAR_FROM === far &&
        objectBytes(page) === bytes &&
        link.receiveBufferBytes === buffer &&
        page.connections === connections,
    );
  return [
    {
      what: 'far, buffer of 4 kB, 1 kB: first and second request',
      seed: '12.1 ms, 1.9 ms: 6.5 times',
      ours: coldText(find(true, 1024, 4096, 'cold')),
      why: `${OTHER_DISTANCE}; a handshake is one round trip of two, and 1 kB needs no window: the survey finds near by that looking up its tables beforehand takes the longest request from 137 to 37 ms, and a web server has none`,
    },
    {
      what: 'the same after a request made only to warm the connection up',
      seed: '3.7 ms, 1.9 ms: 2.0 times',
      ours: warmText(find(true, 1024, 4096, 'warm')),
      why: "over a warm connection nothing is left to do but to ask; what the survey's first request still waits for, it does not say",
    },
    {
      what: 'far there, near here, buffer of 512 B, 1 kB: average',
      seed: '190 ms, 100 to 200 times as long as with 4 kB and more; falls to 1.6 ms after some hundred requests',
      ours: averageText(find(false, 1024, 512, 'cold'), find(false, 1024, undefined, 'cold')),
      why: 'here it is tcp_rmem, which Linux takes as it is: a window of 256 bytes, then of 128, and a sender waits 200 ms and more before it fills so small a one; of SO_RCVBUF Linux makes 2,304 bytes at least, and the survey does not say how it set its own; nor does a buffer grow here',
    },
    {
      what: 'far, buffers of 4 to 64 kB, 1 kB: average',
      seed: '1.75 to 1.83 ms: no difference',
      ours: spanText(cells.filter((cell) => objectBytes(cell.page) === 1024 && isSurveyed(cell) && cell.link.rttMs >= FAR_FROM)),
      why: '1 kB fits the smallest of them; what does not fit tells them apart, see the objects of 64 kB',
    },
    {
      what: 'near, buffers of 512 B to 64 kB, 1 kB: average',
      seed: '0.20 to 0.21 ms, whatever the buffer',
      ours: spanText(cells.filter((cell) => objectBytes(cell.page) === 1024 && isSurveyed(cell) && cell.link.rttMs < FAR_FROM)),
      why: 'as far: 1 kB fits every buffer but the smallest, of which the survey may have had 2,304 bytes, see above',
    },
  ];
}

/** ms; between the two round-trip times of the study. */
const FAR_FROM = 100;

const isSurveyed = ({ link, page }: SequenceCell): boolean => link.receiveBufferBytes !== undefined && page.connections === 'cold';

function coldText(cell: SequenceCell | undefined): string {
  if (cell === undefined) return NOT_MEASURED;
  const first = firstWithSetUpMs(cell);
  return `${msText(first)} ms with the handshake, ${msText(cell.secondMs)} ms: ${(first / cell.secondMs).toFixed(1)} times`;
}

function warmText(cell: SequenceCell | undefined): string {
  if (cell === undefined) return NOT_MEASURED;
  return `${msText(cell.firstMs)} ms, ${msText(cell.secondMs)} ms: ${(cell.firstMs / cell.secondMs).toFixed(1)} times`;
}

function averageText(cell: SequenceCell | undefined, own: SequenceCell | undefined): string {
  if (cell === undefined) return NOT_MEASURED;
  const factor = own === undefined ? '' : `, ${(cell.averageMs / own.averageMs).toFixed(0)} times as long as with the kernel's own buffer`;
  return `${msText(cell.averageMs)} ms${factor}`;
}

function spanText(cells: readonly SequenceCell[]): string {
  if (cells.length === 0) return NOT_MEASURED;
  return cells.map(({ link, averageMs }) => `${bytesText(link.receiveBufferBytes ?? 0)} ${msText(averageMs)} ms`).join(', ');
}
