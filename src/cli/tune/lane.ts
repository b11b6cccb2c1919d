/** Chooses and opens the lane of a run: packets where namespaces can be made, else the relay, or the real network. The notes name which. */
import { type Lane, realLane } from '../../lab/lane/lane.ts';
import { packetLane } from '../../lab/lane/packet-lane.ts';
import { relayLane } from '../../lab/lane/relay-lane.ts';
import { findPrivilege } from '../../lab/link/namespace-process.ts';
import { addressPage, type RunPage, recipePage } from '../../lab/run/measure-one.ts';
import { ownPages, type TuneArguments } from './arguments.ts';

export interface OpenedLane {
  readonly lane: Lane;
  readonly pages: readonly RunPage[];
  /** What a reader must know, in the report too. */
  readonly notes: readonly string[];
  /** For the person at the terminal only: addresses do not go into the report. */
  readonly remarks: readonly string[];
}

/** @param addresses - To be measured on the real network; without them the network is emulated. */
export async function openTuneLane(options: TuneArguments, addresses: readonly string[] | undefined): Promise<OpenedLane> {
  if (addresses) return openRealLane(addresses);
  const { lane, notes } = await openEmulatedLane(options);
  try {
    await lane.servePages(ownPages(options.pages));
    await lane.serve([options.servedBy]);
  } catch (error) {
    await lane.close();
    throw error;
  }
  return {
    lane,
    pages: options.pages.map((page) => recipePage(page, lane.pageUrl, options)),
    notes: [...notes, ...visitNotes(options)],
    remarks: [],
  };
}

const visitNotes = ({ visit }: TuneArguments): readonly string[] =>
  visit === 'second'
    ? ['Every load is a second visit: names, alternative services and TLS sessions of the first are remembered, and no connection is open.']
    : [];

async function openRealLane(addresses: readonly string[]): Promise<OpenedLane> {
  return {
    lane: await realLane(),
    pages: addresses.map(addressPage),
    notes: [
      'Measured on the real network, without emulation (real): requests were not counted at the servers, the link is estimated from the loads, and only plain-http addresses can have depth.',
    ],
    remarks: addresses.map((address, index) => `page-${index + 1} is ${address}`),
  };
}

async function openEmulatedLane(options: TuneArguments): Promise<Pick<OpenedLane, 'lane' | 'notes'>> {
  const privilege = options.relay ? undefined : await findPrivilege();
  if (privilege && privilege.kind !== 'none') return { lane: await packetLane({ prefix: privilege.prefix }), notes: [] };
  const why = privilege ? privilege.reason : 'asked for with --relay';
  return {
    lane: await relayLane(),
    notes: [
      `The links are emulated by the relay (relay), which delays and slows connections but emulates no packets: no loss, no slow start, no queue. Reason: ${why}.`,
    ],
  };
}
