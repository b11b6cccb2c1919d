// @ts-check
// What is mutated, and which tests are held against it: those that mirror the module, not the whole suite, so that a module is judged by its own.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @typedef {object} MutatedModule
 * @property {string} name
 * @property {number} bar of 100: how many of the mutants tried must be killed, those argued to be equivalent aside
 * @property {readonly string[]} files
 * @property {readonly string[]} tests
 */

/** @type {(folder: string, names: RegExp) => readonly string[]} */
const under = (folder, names) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => names.test(name))
    .map((name) => join(folder, name))
    .toSorted();

/** @type {(folder: string, names?: RegExp) => readonly string[]} */
const testsUnder = (folder, names = /./) => under(folder, /\.test\.ts$/).filter((path) => names.test(path));

/** @type {readonly MutatedModule[]} */
export const MODULES = [
  {
    name: 'redaction',
    bar: 90,
    files: [
      ...under('src/core/report', /^(hide-origins|small-cells)\.ts$/),
      ...under('src/core/field', /^address-key\.ts$/),
      ...under('src/core/measure', /^stored-url\.ts$/),
    ],
    tests: [
      ...testsUnder('test/unit/core/report', /hide-origins|small-cells/),
      ...testsUnder('test/unit/core/field', /address-key/),
      ...testsUnder('test/unit/core/measure', /stored-url/),
    ],
  },
  {
    name: 'importer',
    bar: 90,
    files: [
      ...under('src/lab/pages', /^import/),
      ...under('src/core/har', /\.ts$/),
      // Schemas.
      ...under('src/core/compare', /^comparison\.ts$/),
      ...under('src/core/report', /^report\.ts$/),
      ...under('src/core/measure', /^(load-measures|page-timing)\.ts$/),
      ...under('src/protocol', /^(parse-report|stored-records|figure-chunk|record-mirror)\.ts$/),
    ],
    tests: [
      ...testsUnder('test/unit/lab/pages', /\/import-/),
      // Neither how long it takes, which is measured, nor whole loads over other links: seconds for each mutant.
      ...testsUnder('test/unit/core/har', /\/(?!growth|from-)[^/]*$/),
      ...testsUnder('test/unit/protocol'),
      ...testsUnder('test/unit/core/report', /parse-report/),
      // Not the fuzzing of everything that is imported: seconds for each mutant.
      ...testsUnder('test/property', /\/figure-chunk\.test/),
    ],
  },
  {
    name: 'gateway framing',
    bar: 85,
    files: [
      ...under('src/gateway', /^(response-order|hop-by-hop|sniffed-start|request-target|proxy-authorization|repetition|plain-answer)\.ts$/),
      ...under('src/helper/host', /^native-frames\.ts$/),
    ],
    tests: [
      ...testsUnder('test/unit/gateway'),
      ...testsUnder('test/unit/helper', /native-frames/),
      ...testsUnder('test/property', /gateway-dispatch|host-session/),
    ],
  },
  {
    name: 'statistics',
    bar: 90,
    files: under('src/core/stats', /\.ts$/),
    tests: [...testsUnder('test/unit/core/stats'), ...testsUnder('test/property/stats')],
  },
  {
    name: 'measure',
    bar: 85,
    files: under('src/core/measure', /^(?!stored-url|load-measures|page-timing).*\.ts$/),
    tests: [
      ...testsUnder('test/unit/core/measure'),
      ...testsUnder('test/property/measure'),
      ...testsUnder('test/unit/protocol', /stored-/),
    ],
  },
];
