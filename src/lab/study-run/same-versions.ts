/** Whether a run that is taken up again measures with what it was begun with. Pure. */
import type { SessionLine } from './study-log-lines.ts';

/** What may not change in the middle of a run. */
export type RunVersions = Pick<SessionLine, 'firefox' | 'applier' | 'congestionControl' | 'servers'>;

/** @returns what differs, in words; `undefined`: nothing does, or nothing was measured before. */
export function otherVersions(before: RunVersions | undefined, now: RunVersions): string | undefined {
  if (before === undefined) return undefined;
  const names = [...new Set([...Object.keys(before.servers), ...Object.keys(now.servers)])];
  const pairs: readonly (readonly [string, string | undefined, string | undefined])[] = [
    ['Firefox', `${before.firefox.version} (${before.firefox.buildId})`, `${now.firefox.version} (${now.firefox.buildId})`],
    ['the applier', before.applier, now.applier],
    ['congestion control', before.congestionControl, now.congestionControl],
    ...names.map((name) => [name, before.servers[name], now.servers[name]] as const),
  ];
  const other = pairs.find(([, was, is]) => was !== is);
  return other && `${other[0]} was ${other[1] ?? 'not there'}, now it is ${other[2] ?? 'not there'}`;
}
