import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { PlumbfoxError } from '../core/errors.ts';
import type { ConnectMode, DispatchMode } from './dispatch-policy.ts';

/** The options that may change while the gateway runs. The ranges are those of `core/profiles/profile.ts`. */
export interface GatewaySetting {
  /** Upstream connections per origin, 1..255. */
  readonly connections: number;
  /** Requests that may be outstanding on one upstream connection, 1..64. */
  readonly depth: number;
  /** Default `appended`. */
  readonly dispatch?: DispatchMode;
  /** Default `on-demand`. */
  readonly connect?: ConnectMode;
}

export interface GatewayOptions extends GatewaySetting {
  /** Port on 127.0.0.1; 0 (the default) takes a free one. */
  readonly port?: number;
  /** Password of the proxy authentication, 16 to 128 of A-Z a-z 0-9 _ -; the default is 192 random bits. */
  readonly secret?: string;
  /**
   * `found`: those where the extension says that Firefox has found them (`carry`); it has Firefox send directly what is handed back. A list: these
   * origins, found by the system's name resolution; the gateway itself relays what it does not carry. `any`: at any address too, relayed likewise: the
   * lab's own servers.
   */
  readonly sites: 'found' | 'any' | readonly string[];
  /** Whether sites of a list may have private addresses. Default: they may not. */
  readonly reachesPrivate?: boolean;
}

const settingEntries = {
  connections: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(255)),
  depth: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(64)),
  dispatch: v.optional(v.picklist(['appended', 'bundled']), 'appended'),
  connect: v.optional(v.picklist(['on-demand', 'ahead']), 'on-demand'),
};
const settingSchema = v.object(settingEntries);
const optionsSchema = v.object({
  ...settingEntries,
  port: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(65_535)), 0),
  secret: v.optional(v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{16,128}$/)), () => randomBytes(24).toString('base64url')),
  sites: v.union([v.picklist(['found', 'any']), v.array(v.string())]),
  reachesPrivate: v.optional(v.boolean(), false),
});

/** @throws PlumbfoxError `bad-input` naming the member that is wrong. */
export function parseGatewaySetting(setting: GatewaySetting): Required<GatewaySetting> {
  return parse(settingSchema, setting);
}

/** @throws PlumbfoxError `bad-input` naming the member that is wrong. */
export function parseGatewayOptions(options: GatewayOptions): Required<GatewayOptions> {
  return parse(optionsSchema, options);
}

function parse<Schema extends v.GenericSchema>(schema: Schema, input: unknown): v.InferOutput<Schema> {
  const result = v.safeParse(schema, input);
  if (result.success) return result.output;
  const issue = result.issues[0];
  const member = v.getDotPath(issue) ?? 'options';
  // The secret itself is never put in a message.
  const detail = member === 'secret' ? 'must be 16 to 128 characters of A-Z a-z 0-9 _ -' : issue.message;
  throw new PlumbfoxError('bad-input', `Gateway ${member}: ${detail}`);
}
