import type { Exchange } from './exchange.ts';
import type { GatewayFallback, GatewayOriginCounters } from './gateway-counters.ts';
import type { GatewaySetting } from './gateway-options.ts';
import { type Doubt, OriginPool, type OriginPoolOptions } from './origin-pool.ts';
import { type Endpoint, parseHttpAuthority } from './request-target.ts';

/** `setting` holds until `configure` changes it. */
type OriginPoolsOptions = Omit<OriginPoolOptions, 'origin' | 'endpoint'>;

/** Remembered spellings of authorities: more than the servers of any page, and a bound for a gateway that runs for weeks. */
const KEPT_AUTHORITIES = 1024;

export interface Origin extends Endpoint {
  /** `http://host[:port]`, normalised. */
  readonly origin: string;
}

/** The pools of all origins, created when first needed. */
export class OriginPools {
  readonly #options: OriginPoolsOptions;
  #setting: Required<GatewaySetting>;
  readonly #pools = new Map<string, OriginPool>();
  readonly #authorities = new Map<string, Origin | undefined>();

  constructor(options: OriginPoolsOptions) {
    this.#options = options;
    this.#setting = options.setting;
  }

  /** The origin of an authority as written in a request; `undefined` if it is not valid. */
  originOf(authority: string): Origin | undefined {
    if (this.#authorities.has(authority)) return this.#authorities.get(authority);
    const origin = parseHttpAuthority(authority);
    if (this.#authorities.size >= KEPT_AUTHORITIES) this.#authorities.clear();
    this.#authorities.set(authority, origin);
    return origin;
  }

  submit(origin: Origin, exchange: Exchange): void {
    let pool = this.#pools.get(origin.origin);
    if (pool === undefined) {
      const { setting: _first, ...options } = this.#options;
      pool = new OriginPool({ ...options, origin: origin.origin, endpoint: origin, setting: this.#setting });
      this.#pools.set(origin.origin, pool);
    }
    pool.submit(exchange);
  }

  /** Resets origins that are not among these. */
  keep(origins: ReadonlySet<string>): void {
    for (const [origin, pool] of this.#pools) if (!origins.has(origin)) pool.beginAnew();
  }

  configure(setting: Required<GatewaySetting>): void {
    this.#setting = setting;
    for (const pool of this.#pools.values()) pool.configure(setting);
  }

  takeDoubts(): readonly Doubt[] {
    return [...this.#pools.values()].flatMap((pool) => pool.takeDoubt() ?? []);
  }

  retire(): void {
    for (const pool of this.#pools.values()) pool.retire();
  }

  async drop(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.drop()));
  }

  counters(): { readonly origins: readonly GatewayOriginCounters[]; readonly fallbacks: readonly GatewayFallback[] } {
    const pools = [...this.#pools.values()];
    return {
      origins: pools.map((pool) => pool.counters()).filter((c) => c.requests > 0 || c.peakConnections > 0 || c.connectionsFailed > 0),
      fallbacks: pools.flatMap((pool) => pool.fallback ?? []),
    };
  }

  resetCounters(): void {
    for (const [origin, pool] of this.#pools) {
      if (pool.disposable) this.#pools.delete(origin);
      else pool.resetCounters();
    }
  }
}
