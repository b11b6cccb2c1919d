/**
 * Lantern, the simulator of Lighthouse, for comparison alone: fetched from npm where it is asked for, into a cache folder outside of this
 * project's own packages. Nothing else needs it.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PlumbfoxError } from '../../../src/core/errors.ts';
import type { Lantern } from './lantern.ts';

/** The package that Lighthouse 13.5.0 takes its simulator from, at the version it takes (BSD-3-Clause). */
const PACKAGE = '@paulirish/trace_engine';
export const LANTERN_VERSION = '0.0.65';
const FOLDER = 'node_modules/.cache/plumbfox-lantern';
const MODULE = 'models/trace/lantern/lantern.js';

/** @throws PlumbfoxError `environment` when npm cannot fetch it, or what it fetched is not what is known. */
export async function loadLantern(): Promise<Lantern> {
  const folder = resolve(FOLDER, LANTERN_VERSION);
  if (!existsSync(folder)) install(folder);
  const root = `${folder}/node_modules/${PACKAGE}`;
  const version: unknown = JSON.parse(readFileSync(`${root}/package.json`, 'utf8')).version;
  const lantern: unknown = await import(pathToFileURL(`${root}/${MODULE}`).href);
  if (version !== LANTERN_VERSION || !isLantern(lantern)) {
    throw new PlumbfoxError('environment', `${folder} holds no Lantern ${LANTERN_VERSION}; remove it and try again`);
  }
  return lantern;
}

/** In a folder of its own first: one that was left half-way never counts as installed. */
function install(folder: string): void {
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  const quiet = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  const npm = spawnSync('npm', ['install', ...quiet, '--prefix', unfinished, `${PACKAGE}@${LANTERN_VERSION}`], { encoding: 'utf8' });
  if (npm.status !== 0) {
    const [why = 'npm did not start'] = npm.stderr?.trim().split('\n') ?? [];
    throw new PlumbfoxError('environment', `Lantern (${PACKAGE} ${LANTERN_VERSION}) could not be fetched from npm: ${why}`);
  }
  renameSync(unfinished, folder);
}

function isLantern(module: unknown): module is Lantern {
  const { Graph, Simulation } = module as Partial<Lantern>;
  return (
    typeof Graph?.NetworkNode === 'function' &&
    typeof Graph.CPUNode === 'function' &&
    typeof Simulation?.Simulator === 'function' &&
    typeof Simulation.DNSCache?.rttMultiplier === 'number'
  );
}
