/** The published lists against what ESR 140.12 and 153.8 have of their names, as read out of both builds. */
import { expect, it } from 'vitest';
import { groupCounts } from '../../../../src/core/audit/audit.ts';
import { auditList } from '../../../../src/core/audit/audit-list.ts';
import { parsePreferenceList } from '../../../../src/core/audit/preference-list.ts';
import { lastSeenIn } from '../../../../src/lab/firefox/names-gone.ts';
import { ACCEPTANCE_LISTS, buildFixture, fixtureFacts, READ_BUILDS, tweakList, userJsOf } from '../../../support/tweak-lists.ts';

/** Lines of each list by verdict, as the two builds have them. */
const COUNTS: Readonly<Record<(typeof READ_BUILDS)[number], Readonly<Record<(typeof ACCEPTANCE_LISTS)[number], object>>>> = {
  '140.12': {
    'betterfox-130': { dead: 0, default: 0, marker: 0 },
    'betterfox-152': { dead: 0, default: 0, marker: 0 },
    'arkenfox-2026-08': { dead: 5, default: 35, marker: 29 },
    folklore: { dead: 9, default: 0, marker: 0 },
  },
  '153.8': {
    'betterfox-130': { dead: 2, default: 1, marker: 0 },
    'betterfox-152': { dead: 1, default: 0, marker: 0 },
    'arkenfox-2026-08': { dead: 7, default: 45, marker: 29 },
    folklore: { dead: 10, default: 0, marker: 0 },
  },
};

const audited = (list: (typeof ACCEPTANCE_LISTS)[number], version: (typeof READ_BUILDS)[number]) => {
  const build = fixtureFacts(buildFixture(version));
  return auditList(parsePreferenceList(userJsOf(tweakList(list))), {
    build,
    lastSeen: (name) => lastSeenIn(name, Number.parseInt(version, 10)),
  });
};

it.each(ACCEPTANCE_LISTS.flatMap((list) => READ_BUILDS.map((version) => [list, version] as const)))('%s in %s', (list, version) => {
  const { names } = buildFixture(version);
  const lines = audited(list, version);
  const last = new Map(tweakList(list));
  for (const { name, value, group, findings } of lines) {
    if (name.startsWith('_')) expect(group, name).toBe('marker');
    else if (value !== last.get(name)) expect(findings[0].kind, name).toBe('superseded');
    else {
      const held = names[name];
      expect(group === 'dead', name).toBe(held?.state === 'absent');
      expect(group === 'default', name).toBe(held?.state === 'default' && held.value === value);
    }
  }
  const { dead, default: isDefault, marker } = groupCounts(lines);
  expect({ dead, default: isDefault, marker }).toEqual(COUNTS[version][list]);
});

it('names the version that had a preference last', () => {
  const predictor = audited('betterfox-130', '153.8').find(({ name }) => name === 'network.predictor.enabled');
  expect(predictor?.findings).toEqual([{ kind: 'dead', platform: 'linux', version: '153.8.0', lastSeen: '140' }]);
  expect(audited('betterfox-130', '140.12').find(({ name }) => name === 'network.predictor.enabled')?.group).not.toBe('dead');
});
