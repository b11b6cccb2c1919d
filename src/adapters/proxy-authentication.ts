/** Answers the gateway's challenge with the secret of the current route, and no other challenge. */
import { browser } from './browser.ts';
import { keptAs } from './failure-notes.ts';
import { readRunState } from './run-state.ts';

/** The gateway's user name (HTTP Basic proxy authentication). */
const USER = 'plumbfox';

interface Challenge {
  readonly isProxy: boolean;
  readonly challenger: { readonly host: string; readonly port: number };
}

/** Registers the listener, in the build whose manifest permits it (lab). Call at the top level. */
export function answerProxyChallenges(): void {
  if (!browser.runtime.getManifest().permissions?.includes('webRequestAuthProvider')) return;
  const listener = async ({ isProxy, challenger }: Challenge) => {
    if (!isProxy) return {};
    const { route } = await readRunState().catch(async (error: unknown) => {
      // Firefox then asks the person for the password; the popup says why.
      await keptAs('routeFailure')(error);
      return { route: undefined };
    });
    if (route === undefined || challenger.host !== route.host || challenger.port !== route.port) return {};
    return { authCredentials: { username: USER, password: route.secret } };
  };
  browser.webRequest.onAuthRequired.addListener(listener, { urls: ['<all_urls>'] }, ['blocking']);
}
