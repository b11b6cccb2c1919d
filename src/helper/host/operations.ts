/** The operations of the native messaging host. A request holds only the operation and the profile, which the host's own catalogue has to hold. */
import { readProfile } from '../../core/profiles/presets.ts';
import type { Profile } from '../../core/profiles/profile.ts';
import { checkPriceAccepted } from '../../core/profiles/profile-price.ts';
import { SHIPPED } from '../../core/profiles/shipped.ts';
import type { HelperResult, HelperStatus } from '../../protocol/helper-messages.ts';
import { HelperError } from '../errors.ts';
import type { Probe } from '../probe/server.ts';
import type { FirefoxStart, FirefoxWithProfile } from '../profile/firefox-process.ts';
import type { ProfileChanges } from '../profile/profile-changes.ts';
import type { GatewayService } from './gateway-service.ts';
import type { HostOperations } from './session.ts';

/** The two numbers of a profile that the probe and the gateway need. */
interface Width {
  readonly connections: number;
  readonly depth: number;
}

export interface HostDeps {
  readonly version: string;
  readonly system: HelperResult<'hello'>['system'];
  readonly asking: () => Promise<FirefoxWithProfile | undefined>;
  readonly openProfile: (directory: string, askedBy: FirefoxStart) => Promise<ProfileChanges>;
  /** Starts a guard for the folder. */
  readonly watchOver: (directory: string) => Promise<void>;
  readonly openProbe: (width: Width) => Promise<Pick<Probe, 'port' | 'token' | 'pieces' | 'result' | 'close'>>;
  readonly openGateway: (width: Width) => Promise<GatewayService>;
}

interface OpenHost {
  readonly operations: HostOperations;
  /** Ends the probe and the gateway. */
  readonly close: () => Promise<void>;
}

export function openHost(around: HostDeps): OpenHost {
  const services = new Services(around);
  return {
    operations: { ...helloOperation(around), ...profileOperations(around), ...services.operations() },
    close: () => services.close(),
  };
}

function helloOperation({ version, system, asking }: HostDeps): Pick<HostOperations, 'hello'> {
  return { hello: async () => ({ helper: version, system, profileFound: (await asking()) !== undefined, progress: true }) };
}

type ProfileOperation = 'started' | 'status' | 'apply' | 'confirm' | 'revert';

function profileOperations(around: HostDeps): Pick<HostOperations, ProfileOperation> {
  const opened = async () => {
    const firefox = await found(around);
    return { firefox, changes: await around.openProfile(firefox.profileFolder, firefox.start) };
  };
  /** Another process guards a profile that waits for a confirmation or a restore. */
  const watched = async (firefox: FirefoxWithProfile, { phase }: HelperStatus) => {
    if (phase === 'pending' || phase === 'restoring') await around.watchOver(firefox.profileFolder);
  };
  return {
    started: async () => {
      const { firefox, changes } = await opened();
      const status = await changes.started(firefox.start);
      await watched(firefox, status);
      return status;
    },
    status: async () => (await opened()).changes.status(),
    apply: async ({ profileId, accepts = [] }) => {
      const profile = profileNamed(profileId);
      checkPriceAccepted(profile.preferences, accepts);
      const { firefox, changes } = await opened();
      const status = await changes.apply(profile);
      await watched(firefox, status);
      return status;
    },
    confirm: async () => (await opened()).changes.confirm(),
    revert: async () => {
      const { firefox, changes } = await opened();
      const { restored, leftAlone, status } = await changes.revert();
      await watched(firefox, status);
      return { restored: [...restored], leftAlone: [...leftAlone], status };
    },
  };
}

async function found({ asking, system }: HostDeps): Promise<FirefoxWithProfile> {
  const firefox = await asking();
  if (firefox !== undefined) return firefox;
  throw new HelperError(
    'no-firefox-profile',
    system === 'win32'
      ? 'On Windows the helper app cannot see which profile asks: close Firefox and use plumbfox apply --firefox-profile'
      : 'The profile folder of the Firefox that asks was not found, as in a snap or flatpak: close Firefox and use plumbfox apply --firefox-profile',
  );
}

function profileNamed(id: string): Profile {
  const profile = readProfile(id);
  if (profile === undefined) throw new HelperError('unknown-profile', `This version of the helper app has no profile ${id}`);
  return profile;
}

const widthOf = ({ connections = SHIPPED.perServer, depth }: Profile): Width => ({ connections, depth });

/** The probe and the gateway: at most one of each, and only while this host runs. */
class Services {
  readonly #around: HostDeps;
  #probe: Awaited<ReturnType<HostDeps['openProbe']>> | undefined;
  #gateway: { readonly service: GatewayService; readonly width: Width } | undefined;

  constructor(around: HostDeps) {
    this.#around = around;
  }

  operations(): Pick<
    HostOperations,
    `probe-${'open' | 'result' | 'close'}` | `gateway-${'open' | 'carry' | 'doubts' | 'counters' | 'close'}`
  > {
    return {
      'probe-open': async ({ profileId }) => {
        const width = widthOf(profileNamed(profileId));
        await this.#closeProbe();
        this.#probe = await this.#around.openProbe(width);
        const { port, token, pieces } = this.#probe;
        return { port, token, pieces };
      },
      'probe-result': async () => {
        if (this.#probe === undefined) throw new HelperError('bad-request', 'The probe is not open');
        const { arrived, connections, depth } = this.#probe.result();
        return { arrived, connections, depth };
      },
      'probe-close': async () => {
        await this.#closeProbe();
        return {};
      },
      'gateway-open': async ({ profileId }) => this.#openGateway(widthOf(profileNamed(profileId))),
      'gateway-carry': async ({ sites }) => {
        this.#openedGateway().carry(sites);
        return {};
      },
      'gateway-doubts': async () => ({ sites: [...this.#openedGateway().takeDoubts()] }),
      'gateway-counters': async () => this.#openedGateway().counters(),
      'gateway-close': async () => {
        await this.#closeGateway();
        return {};
      },
    };
  }

  async close(): Promise<void> {
    await Promise.all([this.#closeProbe(), this.#closeGateway()]);
  }

  #openedGateway(): GatewayService {
    if (this.#gateway === undefined) throw new HelperError('bad-request', 'The gateway is not open');
    return this.#gateway.service;
  }

  /** Requests in progress are not interrupted if the numbers stay the same. */
  async #openGateway(width: Width): Promise<HelperResult<'gateway-open'>> {
    const before = this.#gateway;
    const service = before?.service ?? (await this.#around.openGateway(width));
    const same = before === undefined || (before.width.connections === width.connections && before.width.depth === width.depth);
    if (!same) await service.configure(width);
    this.#gateway = { service, width };
    return { port: service.port, secret: service.secret, ...width };
  }

  async #closeProbe(): Promise<void> {
    const probe = this.#probe;
    this.#probe = undefined;
    await probe?.close();
  }

  async #closeGateway(): Promise<void> {
    const gateway = this.#gateway;
    this.#gateway = undefined;
    await gateway?.service.close();
  }
}
