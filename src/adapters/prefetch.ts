/**
 * Prefetching, the one network setting that an ordinary extension may change: `privacy.network.networkPredictionEnabled`. It stands for three
 * preferences (Firefox 153 ext-privacy.js): off is `network.prefetch-next` false, `network.http.speculative-parallel-limit` 0 and
 * `network.dns.disablePrefetch` true; on is the opposite, with the limit as shipped. Firefox saves the previous values, restores them when this is
 * cleared or the permission is withdrawn, and leaves unchanged what something else has changed since.
 */
import * as v from 'valibot';
import { PlumbfoxError } from '../core/errors.ts';
import { browser } from './browser.ts';

/** `ours`: set by Plumbfox. `free`: Plumbfox may set it. `others`: another extension has set it. `locked`: by a policy, or for good. */
type Control = 'ours' | 'free' | 'others' | 'locked';

export interface PrefetchSetting {
  readonly enabled: boolean;
  readonly control: Control;
  /** The value before Plumbfox set it; absent: it has not. */
  readonly before?: boolean;
}

interface Setting {
  get(details: object): Promise<unknown>;
  set(details: { readonly value: boolean }): Promise<unknown>;
  clear(details: object): Promise<unknown>;
}

const PERMISSION = { permissions: ['privacy' as const] };
/** The previous value is in `storage.local`, since it must outlive Firefox as the setting does. */
const BEFORE_KEY = 'networkPredictionBefore';

const answerSchema = v.object({
  value: v.nullish(v.boolean()),
  levelOfControl: v.picklist([
    'not_controllable',
    'controlled_by_other_extensions',
    'controllable_by_this_extension',
    'controlled_by_this_extension',
  ]),
});

const CONTROLS: Readonly<Record<v.InferOutput<typeof answerSchema>['levelOfControl'], Control>> = {
  not_controllable: 'locked',
  controlled_by_other_extensions: 'others',
  controllable_by_this_extension: 'free',
  controlled_by_this_extension: 'ours',
};

/** Whether this Firefox has the setting: it drops permissions that it does not know from the manifest. */
export function mayOfferPrefetch(): boolean {
  return browser.runtime.getManifest().optional_permissions?.some((name) => name === 'privacy') === true;
}

/** Must be called straight from a click. @returns whether the permission was given. */
export function requestPrefetchPermission(): Promise<boolean> {
  return browser.permissions.request(PERMISSION);
}

/** The setting as it is now; `undefined`: there is no permission for it. */
export async function readPrefetch(): Promise<PrefetchSetting | undefined> {
  const api = setting();
  if (api === undefined) return undefined;
  const { value, levelOfControl } = v.parse(answerSchema, await api.get({}));
  const control = CONTROLS[levelOfControl];
  const before = control === 'ours' ? await rememberedBefore() : undefined;
  return { enabled: value === true, control, ...(before !== undefined && { before }) };
}

/**
 * Changes the setting and reads it back. The value from before Plumbfox is restored rather than set.
 * @throws PlumbfoxError `environment` where another extension or a policy controls it, or Firefox did not keep it.
 */
export async function setPrefetch(enabled: boolean): Promise<void> {
  const { api, now } = await required();
  if (now.control === 'others')
    throw new PlumbfoxError('environment', 'Another extension has set this: change it there, or remove that extension');
  if (now.control === 'locked') throw new PlumbfoxError('environment', 'An enterprise policy has locked this');
  const before = now.control === 'ours' ? now.before : now.enabled;
  if (enabled === before) return clearPrefetch();
  if (before !== undefined) await browser.storage.local.set({ [BEFORE_KEY]: before });
  await api.set({ value: enabled });
  const { now: after } = await required();
  if (after.enabled !== enabled || after.control !== 'ours') throw new PlumbfoxError('environment', 'Firefox did not keep the change');
}

/** Restores the previous value. @throws PlumbfoxError `environment` where something else has changed it. */
export async function clearPrefetch(): Promise<void> {
  const { api, now } = await required();
  await api.clear({});
  const { now: after } = await required();
  await browser.storage.local.remove(BEFORE_KEY);
  if (now.before !== undefined && after.enabled !== now.before) {
    throw new PlumbfoxError('environment', 'These preferences were changed outside Plumbfox since, so they were left as they are');
  }
}

async function required(): Promise<{ readonly api: Setting; readonly now: PrefetchSetting }> {
  const [api, now] = [setting(), await readPrefetch()];
  if (api === undefined || now === undefined) throw new PlumbfoxError('environment', 'Plumbfox may not change this: allow it first');
  return { api, now };
}

/** The namespace exists once the permission is given, where Firefox has it. */
function setting(): Setting | undefined {
  const { privacy } = browser as { privacy?: { network?: { networkPredictionEnabled?: Setting } } };
  return privacy?.network?.networkPredictionEnabled;
}

async function rememberedBefore(): Promise<boolean | undefined> {
  const held = await browser.storage.local.get(BEFORE_KEY);
  return v.parse(v.object({ [BEFORE_KEY]: v.optional(v.boolean()) }), held)[BEFORE_KEY];
}
