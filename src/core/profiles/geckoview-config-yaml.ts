/**
 * A profile for any Firefox for Android, release builds too, by the file that GeckoView reads at its start while the app is the debug app:
 * https://firefox-source-docs.mozilla.org/mobile/android/geckoview/consumer/automation.html . Its values become defaults
 * (GeckoLoader.java, `MOZ_DEFAULT_PREFS`): a value set on about:config wins over them, and nothing of them stays once the file is gone.
 */
import { PlumbfoxError } from '../errors.ts';
import { type ManualStep, manualPreferences, manualStep } from './about-config.ts';
import type { Profile } from './profile.ts';
import { preferenceLiteral } from './user-pref.ts';

/** Names of the app by channel (mobile/android/fenix/app/build.gradle). */
export const ANDROID_PACKAGES = {
  release: 'org.mozilla.firefox',
  beta: 'org.mozilla.firefox_beta',
  nightly: 'org.mozilla.fenix',
} as const;

/** https://developer.android.com/build/configure-app-module#set-application-id ; it becomes part of commands and of a file's name. */
const PACKAGE = /^[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z][A-Za-z0-9_]*)+$/;
const MAX_PACKAGE = 200;

const FOLDER = '/data/local/tmp';

interface AppOptions {
  /** Name of the app, such as `org.mozilla.firefox`. */
  readonly app: string;
}

/** The file's name; GeckoView looks for this name. @throws PlumbfoxError `bad-input` for what cannot be an app's name. */
export function geckoviewConfigName(app: string): string {
  if (!PACKAGE.test(app) || app.length > MAX_PACKAGE) {
    throw new PlumbfoxError(
      'bad-input',
      `Not the name of an Android app, such as ${ANDROID_PACKAGES.release}: ${JSON.stringify(app.slice(0, 64))}`,
    );
  }
  return `${app}-geckoview-config.yaml`;
}

/**
 * The file, each line ended by LF.
 * @throws PreferenceRefused, PlumbfoxError `bad-input` as `checkProfile`, and for a profile that sets nothing.
 */
export function geckoviewConfigYaml(profile: Profile): string {
  const lines = [
    `# Plumbfox: ${profile.id}`,
    'prefs:',
    // Decimal integers, true, false and double-quoted strings are the same in YAML 1.1 as in a preference file.
    ...manualPreferences(profile, 'android').map(({ name, value }) => `  ${name}: ${preferenceLiteral(value)}`),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

/** The steps on a computer with adb. @throws as `geckoviewConfigYaml` and `geckoviewConfigName`. */
export function geckoviewConfigSteps(profile: Profile, { app }: AppOptions): readonly ManualStep[] {
  const file = geckoviewConfigName(app);
  return [
    manualStep('Turn on USB debugging on the phone (Settings, Developer options), and connect it to a computer that has adb.'),
    manualStep(`Save this as ${file} on the computer.`, { 'the file': geckoviewConfigYaml(profile) }),
    manualStep(
      'See what is there already. If the file is there, somebody else has made it: add these lines to it. If another app is named, it is the debug app, of which there is only one: write it down.',
      { 'the first command': `adb shell ls ${FOLDER}/${file}`, 'the second command': 'adb shell settings get global debug_app' },
    ),
    manualStep('Copy the file to the phone.', { 'the command': `adb push ${file} ${FOLDER}/` }),
    manualStep('Make Firefox the debug app, so that it reads the file whenever it starts.', {
      'the command': `adb shell am set-debug-app --persistent ${app}`,
    }),
    forceStop(app),
    manualStep('See that Firefox has read it: the log says “Adding prefs from debug config” with the values.', {
      'the command': 'adb logcat -d -s GeckoRuntime GeckoDebugConfig',
    }),
  ];
}

/** The steps that undo it. @throws PlumbfoxError `bad-input` as `geckoviewConfigName`. */
export function geckoviewConfigUndo({ app }: AppOptions): readonly ManualStep[] {
  const file = geckoviewConfigName(app);
  return [
    manualStep('Remove the file from the phone, or only these lines, if the file was there before.', {
      'the command': `adb shell rm ${FOLDER}/${file}`,
    }),
    manualStep('Let no app be the debug app any more; if you had written one down, set that one instead.', {
      'the command': 'adb shell am clear-debug-app',
    }),
    forceStop(app),
  ];
}

const forceStop = (app: string): ManualStep =>
  manualStep('End Firefox, and open it again.', { 'the command': `adb shell am force-stop ${app}` });
