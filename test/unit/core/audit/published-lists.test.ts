/** The published lists against what ESR 140.12 and 153.7 have of their names, as read out of both builds. */
import { expect, it } from 'vitest';
import { groupCounts } from '../../../../src/core/audit/audit.ts';
import { auditList } from '../../../../src/core/audit/audit-list.ts';
import { parsePreferenceList } from '../../../../src/core/audit/preference-list.ts';
import { lastSeenIn } from '../../../../src/lab/firefox/names-gone.ts';
import { ACCEPTANCE_LISTS, buildFixture, fixtureFacts, READ_BUILDS, tweakList, userJsOf } from '../../../support/tweak-lists.ts';

const audited = (list: string, version: (typeof READ_BUILDS)[number]) => {
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
  expect(groupCounts(lines)).toMatchSnapshot();
});

it('names the version that had a preference last', () => {
  const predictor = audited('betterfox-130', '153.7').find(({ name }) => name === 'network.predictor.enabled');
  expect(predictor?.findings).toEqual([{ kind: 'dead', platform: 'linux', version: '153.7.0', lastSeen: '140' }]);
  expect(audited('betterfox-130', '140.12').find(({ name }) => name === 'network.predictor.enabled')?.group).toBe('other');
});
