/** The steps by which a person installs the helper on Windows, where Firefox finds it by the registry. Written by the book; not seen by us. */

import { hostManifest, MANIFEST_NAME } from '../helper/install/registration.ts';
import { HELPER_HOST } from '../protocol/helper-messages.ts';

/** https://developer.mozilla.org/docs/Mozilla/Add-ons/WebExtensions/Native_manifests#manifest_location */
const KEY = `HKCU:\\Software\\Mozilla\\NativeMessagingHosts\\${HELPER_HOST}`;

/** PowerShell, to be pasted as a whole. */
export function windowsInstallation({ node, program }: { readonly node: string; readonly program: string }): string {
  // The launcher lies beside its manifest, where Windows looks for a path without a folder.
  const manifest = JSON.stringify({ ...hostManifest('plumbfox-helper.bat') }, null, 2);
  return `Paste this into PowerShell; it needs no administrator:

$folder = "$env:LOCALAPPDATA\\Plumbfox"
New-Item -ItemType Directory -Force $folder | Out-Null
Copy-Item ${quoted(program)} "$folder\\plumbfox-helper.mjs"
Set-Content -Encoding ascii "$folder\\plumbfox-helper.bat" ${quoted(`@"${node}" "%~dp0plumbfox-helper.mjs" %*`)}
Set-Content -Encoding ascii "$folder\\${MANIFEST_NAME}" @'
${manifest}
'@
New-Item -Force '${KEY}' -Value "$folder\\${MANIFEST_NAME}" | Out-Null

To take it away again:

Remove-Item '${KEY}'
Remove-Item -Recurse "$env:LOCALAPPDATA\\Plumbfox"

On Windows the helper serves the probe and the gateway; it cannot see which profile asks. To write a profile, close Firefox and use
plumbfox apply --firefox-profile DIR.
`;
}

/** A string that PowerShell takes as it is. */
const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
