// @ts-check
// Which of the long files of tests in Firefox have their turn in this run of `npm test`: all of them take 41 minutes on two processors, beside 15 of the rest, and 30 are
// allowed. Every file has its turn in one of three runs; the tree that is tested says in which, so that the same tree always runs the same files.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** @typedef {'browser' | 'lab'} FirefoxProject */

/**
 * Seconds that each long file took, of a run on two processors: two at a time in `browser`, one at a time in `lab`. Files of less than 25 s are not
 * here, and are always run.
 * @type {Readonly<Record<FirefoxProject, Readonly<Record<string, number>>>>}
 */
export const LONG_FILES = {
  browser: {
    'popup-card': 277,
    'trial-gateway': 258,
    'tune-faults': 242,
    'lab-faults': 190,
    'extension-trial-restart': 159,
    'extension-trial': 131,
    'extension-record-loss': 113,
    'extension-prediction': 112,
    'extension-recorder': 106,
    accessibility: 105,
    'lab-origins': 104,
    'extension-helper': 99,
    'extension-long-work': 99,
    'report-html': 97,
    'extension-gateway': 89,
    welcome: 88,
    'witness/tls': 87,
    'extension-stopped': 82,
    'extension-late-events': 75,
    'helper-restore': 73,
    'policy-profiles': 72,
    'extension-upgrade': 67,
    german: 67,
    'gateway-soak': 66,
    'gateway-harm': 63,
    'extension-field-popup': 63,
    'dashboard-history': 59,
    'witness/scheduling': 56,
    'helper-files': 48,
    'audit-lists': 48,
    'profile-expression': 46,
    'extension-export': 46,
    'extension-store-caps': 44,
    controls: 44,
    'extension-soak': 44,
    'extension-package': 43,
    'witness/connecting': 42,
    'controls-live': 42,
    'extension-applier-experiment-api': 41,
    'extension-growth': 39,
    'witness/speculation': 39,
    'dashboard-data': 39,
    'extension-crash': 38,
    'witness/clamps': 38,
    'gateway-asides': 36,
    'extension-trial-popup': 35,
    'witness/http1': 35,
    'own-world': 34,
    'witness/http2': 34,
    'witness/dns': 34,
    'controls-by-hand': 31,
    'extension-event-page': 31,
    'extension-killed': 31,
    'extension-field-store': 31,
    'witness/cache': 30,
    injection: 28,
    'extension-left-early': 25,
  },
  lab: {
    'extension-trial-verdict': 184,
    'tune-writes': 129,
    'lab-run': 116,
    'tune-search': 79,
    'lab-far-link': 51,
    'lab-link': 50,
    'extension-field-links': 48,
    'lab-switch': 41,
    tune: 35,
  },
};

/** @param {string} name */
const pathOf = (name) => `test/browser/${name}.test.ts`;

/**
 * Paths of the long files of a project, the longest first.
 * @param {FirefoxProject} project
 */
export const longFiles = (project) => Object.keys(LONG_FILES[project]).map(pathOf);

export const TURNS = 3;

/**
 * The files of a turn, as many seconds in each as in the others: the longest first, each to the turn that has least.
 * @param {Readonly<Record<string, number>>} seconds
 * @returns {readonly (readonly string[])[]} names, a list for each turn
 */
export function turnsOf(seconds) {
  const turns = Array.from({ length: TURNS }, () => ({ /** @type {string[]} */ files: [], seconds: 0 }));
  for (const [file, each] of Object.entries(seconds).toSorted(([, a], [, b]) => b - a)) {
    const least = turns.reduce((a, b) => (b.seconds < a.seconds ? b : a));
    least.files.push(file);
    least.seconds += each;
  }
  return turns.map(({ files }) => files);
}

/**
 * @param {FirefoxProject} project
 * @param {number} turn from 0
 * @returns {readonly string[]} paths of the files that wait for another run
 */
export const leftOutOf = (project, turn) =>
  turnsOf(LONG_FILES[project])
    .filter((_, at) => at !== turn)
    .flat()
    .map(pathOf);

/**
 * The turn of this tree, from 0: by the committed tree, which a shallow clone has too; where there is no git, by the version in package.json. Absent
 * where nothing waits: PLUMBFOX_TURNS=all, or PLUMBFOX_FULL=1, which makes long sets whole besides.
 * @returns {number | undefined}
 */
export function turnNow() {
  if (process.env.PLUMBFOX_FULL === '1' || process.env.PLUMBFOX_TURNS === 'all') return undefined;
  const { status, stdout } = spawnSync('git', ['rev-parse', 'HEAD^{tree}'], { encoding: 'utf8' });
  const tree = status === 0 ? stdout.trim() : JSON.parse(readFileSync('package.json', 'utf8')).version;
  return createHash('sha256').update(tree).digest().readUInt32BE() % TURNS;
}
