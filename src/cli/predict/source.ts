/** The contents of a file for a prediction: its pages, and the links it knows. */
import { basename } from 'node:path';
import { assertNever, PlumbfoxError } from '../../core/errors.ts';
import { parseRecipe, serversOf } from '../../lab/pages/page-recipe.ts';
import { recipeGraph } from '../../lab/pages/recipe-graph.ts';
import { asServed, commonServer } from '../../lab/pages/served-by.ts';
import { parseReport } from '../../protocol/parse-report.ts';
import { beginsWith, readInput } from '../files.ts';
import { harContents, type PredictContents, type PredictSource, reportContents } from './contents.ts';

type Kind = PredictSource['source']['kind'];

/**
 * @param pageIds - Of a HAR with several pages those to take; `undefined`: its first. Those of a report are all taken.
 * @throws PlumbfoxError `bad-input`, one line that names the file and says what to do.
 */
export async function readPredictSource(path: string, pageIds: readonly string[] | undefined): Promise<PredictSource> {
  const json = await readJsonFile(path);
  const kind = kindOf(json, path);
  try {
    return { ...contentsOf(json, { kind, path, pageIds }), source: { kind, file: path } };
  } catch (error) {
    if (error instanceof PlumbfoxError) throw new PlumbfoxError(error.kind, `${path}: ${error.message}`, { cause: error });
    throw error;
  }
}

interface Choice {
  readonly kind: Kind;
  readonly path: string;
  readonly pageIds: readonly string[] | undefined;
}

function contentsOf(json: unknown, { kind, path, pageIds }: Choice): PredictContents {
  switch (kind) {
    case 'har':
      return harContents(json, { name: basename(path), pageIds });
    case 'report':
      return reportContents(parseReport(json));
    case 'recipe':
      return recipeContents(json, path);
    default:
      return assertNever(kind);
  }
}

/**
 * A page recipe, as `plumbfox import-har` writes one: one page as the lab serves it, and no link.
 * @param file - As it was named: `tune --pages` takes it too.
 * @throws PlumbfoxError `bad-input`, one line.
 */
export function recipeContents(json: unknown, file: string): PredictContents {
  const recipe = parseRecipe(json);
  const { server } = commonServer(serversOf(recipe));
  return {
    pages: [{ name: recipe.name, page: recipeGraph(recipe), inferred: [] }],
    links: [],
    loadedBy: 'lab',
    labPages: [{ page: recipe.name, asked: file, protocol: asServed(server) }],
    recorded: [],
    notes: [
      recipe.servers === undefined
        ? 'A recipe is predicted as the lab serves it: over plain HTTP/1.1.'
        : `A recipe is predicted over the protocols of its record. tune serves it over one: --protocol ${asServed(server)}.`,
    ],
    linkNotes: [],
  };
}

function kindOf(json: unknown, path: string): Kind {
  const members = typeof json === 'object' && json !== null && !Array.isArray(json) ? json : {};
  if ('log' in members) return 'har';
  if ('format' in members) return 'report';
  if ('resources' in members) return 'recipe';
  const slip = 'recommendation' in members ? ': it looks like what --json prints; the report is the file report.json' : '';
  throw new PlumbfoxError('bad-input', `${path} is neither a HAR nor a report of Plumbfox, nor a page recipe${slip}`);
}

const UTF16_MARKS = [
  [0xff, 0xfe],
  [0xfe, 0xff],
];

/**
 * Reads a JSON file, plain or gzipped.
 * @throws PlumbfoxError `bad-input`, one line, when it cannot be read, is too large, or is no JSON.
 */
export async function readJsonFile(path: string): Promise<unknown> {
  const bytes = bytesOf(path);
  if (UTF16_MARKS.some((mark) => beginsWith(bytes, mark))) throw refusal(path, 'is UTF-16 text: save it as UTF-8');
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  if (text.trim() === '') throw refusal(path, 'is empty');
  try {
    return JSON.parse(text);
  } catch (error) {
    throw refusal(path, 'is not valid JSON, so it is neither a HAR nor a report of Plumbfox', error);
  }
}

function bytesOf(path: string): Buffer {
  try {
    return readInput(path, { gzip: true });
  } catch (error) {
    const { code } = (error as { readonly cause?: NodeJS.ErrnoException }).cause ?? {};
    throw code === 'EISDIR' ? refusal(path, 'is a folder: name the report.json or report.json.gz in it') : error;
  }
}

function refusal(path: string, why: string, cause?: unknown): PlumbfoxError {
  return new PlumbfoxError('bad-input', `${path} ${why}`, { cause });
}
