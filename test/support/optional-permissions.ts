/** What a person allows by a button of the popup, without the question that Firefox asks: a headless one shows none. */
import type { ChromeContext } from '../../src/lab/firefox/chrome-context.ts';
import { EXTENSION_ID } from '../../src/protocol/helper-messages.ts';

const ADD = `async ({ id, permissions }) => {
  const { ExtensionPermissions } = ChromeUtils.importESModule("resource://gre/modules/ExtensionPermissions.sys.mjs");
  await ExtensionPermissions.add(id, { permissions, origins: [] }, WebExtensionPolicy.getByID(id).extension);
  return null;
}`;

/** The extension must be installed. */
export const allowPermissions = (chrome: ChromeContext, permissions: readonly string[]): Promise<null> =>
  chrome.run(ADD, { id: EXTENSION_ID, permissions });
