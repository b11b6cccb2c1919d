/**
 * The preferences that enterprise policies hold by a name of their own: browser/modules/policies/Policies.sys.mjs and ProxyPolicies.sys.mjs as they lie
 * in the omni.ja of Firefox ESR 153.8. `HttpAllowlist` sets permissions and `DisableSystemAddonUpdate` a feature: neither holds a preference.
 */
import { isObject } from './json-text.ts';
import type { PreferenceValue } from './knob.ts';

/** A preference that a policy sets on the branch of Firefox's own values. */
export interface PolicyHeld {
  readonly policy: string;
  readonly name: string;
  readonly value: PreferenceValue;
  readonly locks: boolean;
}

type Held = readonly [string, PreferenceValue | undefined, boolean];

/** Group policy has 0 and 1 where JSON has false and true. */
const truth = (value: unknown): boolean | undefined =>
  value === true || value === 1 ? true : value === false || value === 0 ? false : undefined;
const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const joined = (value: unknown, by: string): string | undefined => (Array.isArray(value) ? value.join(by) : undefined);
const not = (value: boolean | undefined): boolean | undefined => (value === undefined ? undefined : !value);

const TLS_VERSIONS: Readonly<Record<string, number>> = { tls1: 1, 'tls1.1': 2, 'tls1.2': 3, 'tls1.3': 4 };
const tlsVersion = (value: unknown): number | undefined => TLS_VERSIONS[String(value)];

/** `nsIProtocolProxyService.PROXYCONFIG_*`. */
const PROXY_TYPES: Readonly<Record<string, number>> = { none: 0, manual: 1, autoConfig: 2, autoDetect: 4, system: 5 };

const POLICIES: Readonly<Record<string, (value: unknown) => readonly Held[]>> = {
  NetworkPrediction: (value) => [
    ['network.dns.disablePrefetch', not(truth(value)), true],
    ['network.dns.disablePrefetchFromHTTPS', not(truth(value)), true],
  ],
  DNSOverHTTPS: dnsOverHttps,
  DisableEncryptedClientHello: (value) =>
    truth(value) === true
      ? [
          ['network.dns.echconfig.enabled', false, true],
          ['network.dns.http3_echconfig.enabled', false, true],
        ]
      : [],
  PostQuantumKeyAgreementEnabled: (value) => [
    ['network.http.http3.enable_kyber', truth(value), true],
    ['security.tls.enable_kyber', truth(value), true],
    ['media.webrtc.enable_pq_hybrid_kex', truth(value), true],
  ],
  SSLVersionMin: (value) => [['security.tls.version.min', tlsVersion(value), true]],
  SSLVersionMax: (value) => [['security.tls.version.max', tlsVersion(value), true]],
  CaptivePortal: (value) => [['network.captive-portal-service.enabled', truth(value), true]],
  HttpsOnlyMode: (value) => {
    if (value === 'disallowed') return [['dom.security.https_only_mode', false, true]];
    return value === 'enabled' || value === 'force_enabled' ? [['dom.security.https_only_mode', true, value === 'force_enabled']] : [];
  },
  Proxy: proxy,
};

function dnsOverHttps(value: unknown): readonly Held[] {
  if (!isObject(value)) return [];
  const locks = truth(value.Locked) ?? false;
  const enabled = truth(value.Enabled);
  const mode = enabled === undefined ? undefined : truth(value.Fallback) === false ? 3 : enabled ? 2 : 5;
  return [
    ['network.trr.mode', mode, locks],
    ['network.trr.uri', text(value.ProviderURL), locks],
    ['network.trr.excluded-domains', joined(value.ExcludedDomains, ','), locks],
  ];
}

function proxy(value: unknown): readonly Held[] {
  if (!isObject(value)) return [];
  const locks = truth(value.Locked) ?? false;
  const shared = truth(value.UseHTTPProxyForAllProtocols) === true;
  const dns = truth(value.UseProxyForDNS);
  return [
    ['network.proxy.type', PROXY_TYPES[String(value.Mode)], locks],
    ['network.proxy.autoconfig_url', text(value.AutoConfigURL), locks],
    ['network.proxy.socks_remote_dns', dns, locks],
    ['network.proxy.socks5_remote_dns', dns, locks],
    ['network.proxy.no_proxies_on', text(value.Passthrough), locks],
    ...address('http', text(value.HTTPProxy), locks),
    ...address('ssl', text(shared ? value.HTTPProxy : value.SSLProxy), locks),
    ...address('socks', text(value.SOCKSProxy), locks),
  ];
}

function address(type: string, value: string | undefined, locks: boolean): readonly Held[] {
  const [, host, port] = /^(.+?)(?::(\d{1,5}))?$/.exec(value ?? '') ?? [];
  return [
    [`network.proxy.${type}`, host, locks],
    [`network.proxy.${type}_port`, port === undefined ? undefined : Number(port), locks],
  ];
}

/** What the policies hold by name, in the order of the file. */
export function namedPolicies(policies: Readonly<Record<string, unknown>>): readonly PolicyHeld[] {
  return Object.entries(policies).flatMap(([policy, value]) =>
    (Object.hasOwn(POLICIES, policy) ? (POLICIES[policy]?.(value) ?? []) : []).flatMap(([name, held, locks]) =>
      held === undefined ? [] : [{ policy, name, value: held, locks }],
    ),
  );
}
