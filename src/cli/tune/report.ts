/** Provenance, profiles, pages and loads of a run, for its report. */
import { arch, release } from 'node:os';
import { estimateLink } from '../../core/measure/links/estimate-link.ts';
import { isMeasurable, measureLoad } from '../../core/measure/measure-load.ts';
import { carrierFor, preferencesFor } from '../../core/profiles/carrier.ts';
import { CONTROL_ID } from '../../core/profiles/presets.ts';
import { BASELINE_ID, type Profile } from '../../core/profiles/profile.ts';
import { pageOfLoads } from '../../core/report/build-report.ts';
import type { MeasuredLoad, Provenance, ReportLink, ReportPage, ReportProfile } from '../../core/report/report.ts';
import { PLUMBFOX_VERSION } from '../../core/version.ts';
import { labPreferences } from '../../lab/firefox/lab-preferences.ts';
import type { LaneFacts, StartLane } from '../../lab/lane/lane-protocol.ts';
import { congestionControlsOf, fallbackNotes } from '../../lab/link/link-spec.ts';
import { weatherOf } from '../../lab/link/weather.ts';
import type { MachineLoad } from '../../lab/run/machine-load.ts';
import type { RunLoad } from '../../lab/run/measure-one.ts';
import type { TuneArguments } from './arguments.ts';
import type { OpenedLane } from './lane.ts';

/** `intended` is as the lab applies it, where a gateway is available. */
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

export interface MeasuredRun {
  readonly options: Pick<TuneArguments, 'seed' | 'links' | 'profiles' | 'servedBy' | 'command'>;
  /** With which the run was to end; absent: it ended before that was known. */
  readonly plannedBlocks?: number | undefined;
  readonly opened: Pick<OpenedLane, 'notes'> & { readonly lane: Pick<OpenedLane['lane'], 'kind' | 'congestionControl'> };
  readonly facts: LaneFacts;
  readonly start: Pick<StartLane, 'preferences'>;
  readonly machine: Pick<MachineLoad, 'recorded'>;
}

/** The preferences are those of the measuring browser, its own for this run included; each profile lists its own knobs. */
export function provenance({ options, opened, facts, start, machine, plannedBlocks }: MeasuredRun): Provenance {
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
    ...(plannedBlocks !== undefined && { plannedBlocks }),
    ...(options.command !== undefined && { command: [...options.command] }),
    machineLoad: machine.recorded(),
    ...(senders === undefined ? {} : { congestionControl: senders }),
    ...(options.profiles.some((profile) => carrierFor(profile, { gateway: true }) === 'gateway') && { gateway: 'first-visit' as const }),
    labPreferences: { ...labPreferences([options.servedBy]), ...start.preferences },
    notes: [
      ...opened.notes,
      ...fallbackNotes(options.links, usual),
      ...(facts.applier === 'driver'
        ? ['This Firefox refuses Experiments: profiles were switched by the driver, not by the extension.']
        : []),
    ],
  };
}

/** Name of the link in reports: always exactly one. */
export const REAL_LINK = 'real-network';

/** Each page with its content, as its valid loads show it. */
export function realNetworkPages(pages: readonly ReportPage[], loads: readonly RunLoad[]): readonly ReportPage[] {
  return pages.map((page) => {
    const valid = loads.filter(({ measured }) => measured.page === page.name && measured.validity.state === 'valid');
    return {
      ...page,
      ...pageOfLoads(
        page.name,
        valid.flatMap(({ record }) => (record === undefined ? [] : [record])),
      ),
    };
  });
}

export function realNetworkLoads(loads: readonly RunLoad[]): {
  readonly loads: readonly MeasuredLoad[];
  readonly links: readonly ReportLink[];
} {
  // Behind the gateway the browser connects to this machine, which says nothing about the network.
  const direct = loads.flatMap(({ record }) => (record?.requests.every(({ wire }) => wire?.proxied !== true) ? [record] : []));
  const link = estimateLink(direct);
  return {
    links: [
      { name: REAL_LINK, kind: 'real', basis: 'estimated', ...(link && { measured: { rttMs: link.rttMs, downKbps: link.downKbps } }) },
    ],
    loads: loads.map(({ measured, record }) =>
      record && isMeasurable(record) ? { ...measured, measures: measureLoad(record, { link }) } : measured,
    ),
  };
}
