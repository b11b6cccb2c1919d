/** Facts of a run as its report states them. */
import { arch, release } from 'node:os';
import { carrierFor } from '../../core/profiles/carrier-for.ts';
import { preferencesFor } from '../../core/profiles/preferences-for.ts';
import { BASELINE_ID, CONTROL_ID } from '../../core/profiles/presets.ts';
import type { Profile } from '../../core/profiles/profile.ts';
import type { Provenance, ReportProfile } from '../../core/report/report.ts';
import { PLUMBFOX_VERSION } from '../../core/version.ts';
import { labPreferences } from '../../lab/firefox/lab-preferences.ts';
import type { LaneFacts, StartLane } from '../../lab/lane/lane-protocol.ts';
import { congestionControlsOf, fallbackNotes } from '../../lab/link/congestion-control.ts';
import { weatherOf } from '../../lab/link/weather.ts';
import type { TuneArguments } from './arguments.ts';
import type { OpenedLane } from './lane.ts';

/** `intended` is as the lab applies it, where a gateway is at hand. */
export function reportProfile(profile: Profile): ReportProfile {
  const carrier = carrierFor(profile, { gateway: true });
  return {
    id: profile.id,
    title: profile.title,
    carrier,
    ...(profile.connections === undefined ? {} : { connections: profile.connections }),
    depth: profile.depth,
    intended: preferencesFor(profile, carrier),
    role: profile.id === BASELINE_ID ? 'baseline' : profile.id === CONTROL_ID ? 'control' : 'candidate',
  };
}

/** Of each part of a run only what its report tells. */
export interface RunFacts {
  readonly options: Pick<TuneArguments, 'seed' | 'links' | 'blocks'>;
  readonly opened: Pick<OpenedLane, 'notes'> & { readonly lane: Pick<OpenedLane['lane'], 'kind' | 'congestionControl'> };
  readonly facts: LaneFacts;
  readonly start: Pick<StartLane, 'preferences'>;
}

/** The preferences are those of the measuring browser, its own for this run included; the knobs stand with each profile. */
export function provenance({ options, opened, facts, start }: RunFacts): Provenance {
  const usual = opened.lane.congestionControl;
  const senders = congestionControlsOf(options.links, usual);
  return {
    plumbfox: PLUMBFOX_VERSION,
    firefox: { version: facts.browser.version, buildId: facts.browser.buildId },
    os: `${process.platform} ${release()} ${arch()}`,
    node: process.version,
    applier: facts.applier,
    seed: options.seed,
    ...(opened.lane.kind !== 'real' && weatherOf(options.links)),
    plannedBlocks: options.blocks,
    ...(senders === undefined ? {} : { congestionControl: senders }),
    labPreferences: { ...labPreferences(), ...start.preferences },
    notes: [
      ...opened.notes,
      ...fallbackNotes(options.links, usual),
      ...(facts.applier === 'driver'
        ? ['This Firefox refuses Experiments: profiles were switched by the driver, not by the extension.']
        : []),
    ],
  };
}
