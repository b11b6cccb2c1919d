/** How the relay lane checks a link. */
import { expect, test } from 'vitest';
import { PlumbfoxError } from '../../../../src/core/errors.ts';
import { checkRelayedLink } from '../../../../src/lab/lane/relay-lane.ts';
import type { LinkSpec } from '../../../../src/lab/link/link-spec.ts';
import { parseLink } from '../../../../src/lab/link/parse-link.ts';

function relay(refuses = false) {
  const did: unknown[] = [];
  let inPlace: LinkSpec | undefined;
  const ends = {
    setLink: async (link: LinkSpec) => {
      if (refuses) throw new PlumbfoxError('environment', 'needs packets');
      inPlace = link;
      did.push(link);
    },
    measure: async () => {
      did.push('measured');
      return { rttMs: inPlace?.rttMs ?? 0, downKbps: inPlace?.downKbps ?? 0 };
    },
    flush: async () => void did.push('flushed'),
  };
  return { did, ends };
}

test('a link is measured without its jitter and trace, and has them afterwards', async () => {
  const asked = parseLink('4g-car');
  expect(asked).toMatchObject({ jitterMs: 10, downTrace: '4g-car' });
  const { did, ends } = relay();
  expect(await checkRelayedLink(asked, ends)).toEqual({ rttMs: 80, downKbps: asked.downKbps });
  const plain = { name: '4g-car', rttMs: 80, downKbps: asked.downKbps, upKbps: 4000, queue: 1000 };
  expect(did).toEqual([asked, plain, 'measured', 'flushed', asked]);
});

test('a link that needs packets is refused before anything is measured', async () => {
  const { did, ends } = relay(true);
  await expect(checkRelayedLink(parseLink('train-wifi'), ends)).rejects.toMatchObject({ kind: 'environment' });
  expect(did).toEqual([]);
});
