/** `plumbfox by-hand`: how to set a profile manually, or undo it, where no program may. */

import { assertNever, PlumbfoxError } from '../core/errors.ts';
import { aboutConfigSteps, aboutConfigUndo, type ManualStep, restartStep } from '../core/profiles/about-config.ts';
import { depthNotes } from '../core/profiles/carrier.ts';
import { ANDROID_PACKAGES, geckoviewConfigSteps, geckoviewConfigUndo } from '../core/profiles/geckoview-config-yaml.ts';
import { legacySteps, legacyUndo } from '../core/profiles/legacy-user-js.ts';
import type { Profile } from '../core/profiles/profile.ts';
import { priceLine, pricesOf } from '../core/profiles/profile-price.ts';
import { readOptions } from './arguments.ts';
import { givenProfile } from './given-profiles.ts';
import { jsonText, print, printNotices } from './output/terminal.ts';

const BROWSERS = ['desktop', 'android-nightly', 'android-release', 'pale-moon'] as const;
type ManualBrowser = (typeof BROWSERS)[number];

const TITLES: Readonly<Record<ManualBrowser, string>> = {
  desktop: 'Firefox on a desktop, manually in about:config',
  'android-nightly': 'Firefox for Android, manually in about:config',
  'android-release': 'Firefox for Android, with adb from a computer',
  'pale-moon': 'Pale Moon and Basilisk, manually in user.js',
};

export const MANUAL_HELP = `plumbfox by-hand: shows how to set a profile manually, or undo it, where no program may

  plumbfox by-hand --profile ID --for BROWSER [--package NAME] [--undo] [--json]

  --profile ID       the profile, such as c8-d1, c16-d1+PREFERENCE=VALUE, or a file
  --for BROWSER      desktop           about:config
                     android-nightly   about:config of Firefox Beta and Nightly for Android
                     android-release   any Firefox for Android, with adb from a computer
                     pale-moon         Pale Moon and Basilisk: user.js, pipelining included
  --package NAME     for android-release: the app (default: ${ANDROID_PACKAGES.release}; Beta: ${ANDROID_PACKAGES.beta}; Nightly: ${ANDROID_PACKAGES.nightly})
  --undo             show how to undo it
  --json             print the steps as one JSON document
`;

interface Asked {
  readonly profile: Profile;
  readonly browser: ManualBrowser;
  readonly app: string;
  readonly undo: boolean;
}

export async function byHand(args: readonly string[]): Promise<number> {
  const values = parse(args);
  if (values.help) return print(MANUAL_HELP);
  const { profile, notices } = givenProfile(values.profile, 'plumbfox by-hand --profile c8-d1 --for desktop');
  const asked = {
    profile,
    browser: browserOf(values.for),
    app: appOf(values),
    undo: values.undo === true,
  };
  const steps = stepsFor(asked);
  printNotices([...notices, ...(asked.undo ? [] : pricesOf(profile.preferences).map(priceLine))]);
  const notes = notesFor(asked);
  if (values.json) return print(jsonText({ profile: asked.profile.id, for: asked.browser, undo: asked.undo, notes, steps }));
  return print(manualText({ title: titleOf(asked), way: TITLES[asked.browser], notes, steps }));
}

function stepsFor({ profile, browser, app, undo }: Asked): readonly ManualStep[] {
  const platform = browser === 'desktop' ? 'desktop' : 'android';
  switch (browser) {
    case 'desktop':
    case 'android-nightly':
      return [...(undo ? aboutConfigUndo : aboutConfigSteps)(profile, { platform }), restartStep(platform)];
    case 'android-release':
      return undo ? geckoviewConfigUndo({ app }) : geckoviewConfigSteps(profile, { app });
    case 'pale-moon':
      return undo ? legacyUndo(profile) : legacySteps(profile);
    default:
      return assertNever(browser);
  }
}

function notesFor({ profile, browser, undo }: Asked): readonly string[] {
  if (undo) return [];
  const depth = browser === 'pale-moon' ? [] : depthNotes(profile, 'none');
  return browser === 'android-release'
    ? [...depth, 'A value that you set in about:config wins over the file. Removing the file removes its values.']
    : depth;
}

const titleOf = ({ profile, undo }: Asked): string => (undo ? `Undo ${profile.id}` : `${profile.id}: ${profile.title}`);

function browserOf(name: string | undefined): ManualBrowser {
  const found = BROWSERS.find((one) => one === name);
  if (found) return found;
  throw new PlumbfoxError(
    'bad-input',
    `--for takes a browser, one of ${BROWSERS.join(', ')}${name === undefined ? '' : `, not "${name}"`}`,
  );
}

function appOf(values: { readonly package?: string; readonly for?: string }): string {
  if (values.package !== undefined && values.for !== 'android-release') {
    throw new PlumbfoxError('bad-input', '--package goes with --for android-release only');
  }
  return values.package ?? ANDROID_PACKAGES.release;
}

function parse(args: readonly string[]) {
  const options = {
    profile: { type: 'string' },
    for: { type: 'string' },
    package: { type: 'string' },
    undo: { type: 'boolean' },
    json: { type: 'boolean' },
  } as const;
  return readOptions('by-hand', args, options);
}

/** Steps for a person as text for a terminal. */
interface ManualStatement {
  readonly title: string;
  readonly way: string;
  readonly notes: readonly string[];
  readonly steps: readonly ManualStep[];
}

/** Numbered; what is to be copied is on its own lines. */
function manualText({ title, way, notes, steps }: ManualStatement): string {
  const width = String(steps.length).length;
  const lines = steps.flatMap(({ text, copies }, at) => [
    '',
    `${String(at + 1).padStart(width)}. ${text}`,
    ...copies.flatMap((copy) => copy.text.trimEnd().split('\n')).map((line) => `      ${line}`),
  ]);
  return `${[title, way, ...notes, ...lines].join('\n')}\n`;
}
