/** What a Firefox does to the preference files of its profile, without the browser: reads both at its start, saves one at its end. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findKnob } from '../../src/core/profiles/catalogue.ts';
import type { PreferenceValue } from '../../src/core/profiles/knob.ts';
import { parsePreferenceFile } from '../../src/core/profiles/preference-statements.ts';

export interface PretendedFirefox {
  /** User values, as they are in force. */
  readonly values: Map<string, PreferenceValue>;
  /** Writes prefs.js, as Firefox does at its end and now and then: in order, without what equals its default. */
  readonly save: () => Promise<void>;
}

export async function startPretendedFirefox(profile: string): Promise<PretendedFirefox> {
  const values = new Map<string, PreferenceValue>();
  for (const name of ['prefs.js', 'user.js']) {
    for (const statement of parsePreferenceFile(await readFile(join(profile, name), 'latin1').catch(() => '')).statements) {
      values.set(statement.name, statement.value);
    }
  }
  const save = async () => {
    const lines = [...values]
      .filter(([name, value]) => findKnob(name)?.defaults.desktop !== value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, value]) => `user_pref("${name}", ${saved(value)});\n`);
    await writeFile(join(profile, 'prefs.js'), `// Mozilla User Preferences\n\n${lines.join('')}`, 'latin1');
  };
  return { values, save };
}

/** As libpref's StrEscape: every other byte is written as it is. */
const saved = (value: PreferenceValue): string =>
  typeof value === 'string' ? `"${value.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\r', '\\r')}"` : String(value);
