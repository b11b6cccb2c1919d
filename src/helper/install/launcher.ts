/** The script that Firefox starts. A Firefox started from the desktop has another PATH than a terminal, so that Node is named by its place. */
import { quotedWord } from '../shell-word.ts';

/** Where Node often is, for when it has moved since: Homebrew's on Apple's processors, /usr/local, the distribution's. */
const ELSEWHERE = ['/opt/homebrew/bin/node', '/usr/local/bin/node', '/usr/bin/node'];

/** For `/bin/sh`. Both are absolute paths; any character may be in them. */
export function launcherScript({ node, program }: { readonly node: string; readonly program: string }): string {
  return `#!/bin/sh
# Made by "plumbfox helper install". Firefox starts it for the Plumbfox extension, and nobody else need.
# Nothing of a developer's settings may get between.
unset NODE_OPTIONS NODE_PATH NODE_REPL_EXTERNAL_MODULE NODE_V8_COVERAGE
for node in ${[node, ...ELSEWHERE].map(quotedWord).join(' ')} "$(command -v node)"; do
  [ -x "$node" ] && exec "$node" ${quotedWord(program)} "$@"
done
echo 'plumbfox-helper: Node is not where it was any more; run "plumbfox helper install" again' >&2
exit 127
`;
}

/** The Node that a launcher names first; `undefined`: it is none of ours. */
export function nodeOf(script: string): string | undefined {
  const found = /^for node in '((?:[^']|'\\'')*)'/m.exec(script)?.[1];
  return found?.replaceAll(`'\\''`, "'");
}
