/** The extension's own applier, reached through its messages. */
import type { Applier } from '../../core/profiles/applier.ts';
import type { ExtensionSession } from './extension-session.ts';

export function extensionApplier(extension: ExtensionSession): Applier {
  return {
    kind: 'experiment-api',
    takesEffect: 'live',
    apply: ({ connections, ...profile }, options) =>
      extension.request({
        kind: 'apply-profile',
        profile: { ...profile, ...(connections === undefined ? {} : { connections }), preferences: { ...profile.preferences } },
        ...(options?.route ? { route: { ...options.route } } : {}),
      }),
    readBack: () => extension.request({ kind: 'read-back' }),
    revert: () => extension.request({ kind: 'revert-profile' }),
  };
}
