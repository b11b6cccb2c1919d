/**
 * The policies.json of a Firefox: our part is added with everything else kept, and removed again to the byte. The previous file, and a record of what
 * we wrote, are kept in files beside it.
 */
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as v from 'valibot';
import { PlumbfoxError } from '../../core/errors.ts';
import { readJsonObject } from '../../core/profiles/json-text.ts';
import { withoutOurs } from '../../core/profiles/merge-policies.ts';
import { hashOf } from '../files/checked-file.ts';
import { makeFolders, removeEmptyFolders } from '../files/checked-path.ts';
import { writeOwnFile } from '../files/own-file.ts';
import { clearLeftovers, readChecked, replaceFile } from '../files/replace-file.ts';

/** Everybody may read policies, as Firefox reads them as its user. */
const POLICY_MODE = 0o644;

const hash = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));
const recordSchema = v.object({
  format: v.literal(1),
  /** SHA-256 of the file as we wrote it. */
  after: hash,
  /** SHA-256 of the file without our part, which is kept as the backup; `null`: there was no file. */
  before: v.nullable(hash),
  madeFolders: v.array(v.string()),
});
type PolicyRecord = v.InferOutput<typeof recordSchema>;

/** Path of the backup of the previous policies.json. */
export const backupOf = (path: string): string => `${path}.before-plumbfox`;
/** Path of the copied extension package: every user may read it and only the owner may write it. */
export const packageOf = (path: string): string => `${path}.plumbfox-lab.xpi`;
const recordOf = (path: string): string => `${path}.plumbfox-record`;

/** Reads the record; `undefined`: none. @throws PlumbfoxError `bad-input` when it is damaged, or as `readChecked`. */
async function readPolicyRecord(path: string, uid: number): Promise<PolicyRecord | undefined> {
  const file = await readChecked(recordOf(path), { owner: uid });
  if (file === undefined) return undefined;
  try {
    return v.parse(recordSchema, JSON.parse(file.content.toString()));
  } catch (error) {
    const message = `${recordOf(path)} is damaged; compare ${path} with ${backupOf(path)}, and remove the record`;
    throw new PlumbfoxError('bad-input', message, { cause: error });
  }
}

/** Writes the record; `undefined` removes it. */
const writePolicyRecord = (path: string, uid: number, record: PolicyRecord | undefined): Promise<void> =>
  putBeside(recordOf(path), uid, record && Buffer.from(`${JSON.stringify(record, null, 2)}\n`));

/** Writes a file of ours beside the policies.json; `undefined` removes it. */
const putBeside = (path: string, uid: number, content: Buffer | undefined): Promise<void> =>
  writeOwnFile({ path, content, uid, mode: POLICY_MODE });

export interface PolicyTarget {
  /** Absolute path of the policies.json. */
  readonly path: string;
  readonly uid: number;
  readonly extensionId: string;
  /** The extension package, to be copied to `packageOf`; `undefined`: the policy installs none, or from elsewhere. */
  readonly extension?: Buffer | undefined;
}

interface InstalledPolicy {
  /** SHA-256 of the file now. */
  readonly hash: string;
  /** Path of the backup; `undefined` if there was no file before. */
  readonly backup: string | undefined;
}

/**
 * Adds our part to the policies.json.
 * @param make - Makes the file's new text from the text without our part.
 * @throws PlumbfoxError `bad-input` where what is there cannot be read, or as `replaceFile`; the file is the previous one then.
 */
export async function installPolicy(target: PolicyTarget, make: (before: string | undefined) => string): Promise<InstalledPolicy> {
  const { path, uid, extension } = target;
  const current = await readChecked(path, { owner: uid });
  const record = await readPolicyRecord(path, uid);
  if (current === undefined && (await hasFormer(target, record))) {
    const message = `${path} is gone, and its content before Plumbfox is in ${backupOf(path)}; restore or remove that file, and try again`;
    throw new PlumbfoxError('bad-input', message);
  }
  const before = await withoutUs(target, current, record);
  const content = Buffer.from(inFile(path, () => make(before && utf8Of(before))));
  const madeFolders = [...(record?.madeFolders ?? []), ...makeFolders(dirname(path), uid)];
  await putBeside(backupOf(path), uid, before);
  await writePolicyRecord(path, uid, { format: 1, after: hashOf(content), before: before ? hashOf(before) : null, madeFolders });
  if (extension !== undefined) await putBeside(packageOf(path), uid, extension);
  const verify = (bytes: Buffer) => {
    readJsonObject(utf8Of(bytes));
  };
  const hash = await replaceFile({ path, content, expected: current?.hash, uid, verify, mode: POLICY_MODE });
  await removeUnnamedPackage(path, uid);
  return { hash, backup: before && backupOf(path) };
}

export interface UninstalledPolicy {
  /**
   * `restored`: the previous file, to the byte. `removed`: there was no file before, and there is none now. `taken-out`: the file was changed
   * since, so that only our part was removed. `gone`: the file was removed since, and the backup of the previous one is kept. `nothing`:
   * nothing of ours was there.
   */
  readonly outcome: 'restored' | 'removed' | 'taken-out' | 'gone' | 'nothing';
  /** Policies that we had set and that were changed since. */
  readonly leftAlone: readonly string[];
  /** Whether the policy had installed the extension, which Firefox keeps when the policy is gone (ESR 153, measured): a person has to remove it. */
  readonly extensionStays: boolean;
}

/** Removes our part from the policies.json. @throws PlumbfoxError as `installPolicy`. */
export async function uninstallPolicy(target: PolicyTarget): Promise<UninstalledPolicy> {
  const { path, uid } = target;
  const current = await readChecked(path, { owner: uid });
  const record = await readPolicyRecord(path, uid);
  const done = await revertPolicy(target, current, record);
  if (done.outcome !== 'gone') await putBeside(backupOf(path), uid, undefined);
  await writePolicyRecord(path, uid, undefined);
  await removeUnnamedPackage(path, uid);
  await clearLeftovers(dirname(path), { owner: uid });
  removeEmptyFolders(record?.madeFolders ?? [], uid);
  return done;
}

/** Removes the package, unless the policies name it: an administrator may have adopted our way of installing it. */
async function removeUnnamedPackage(path: string, uid: number): Promise<void> {
  const now = await readChecked(path, { owner: uid });
  if (now?.content.includes(pathToFileURL(packageOf(path)).href)) return;
  await putBeside(packageOf(path), uid, undefined);
}

type Current = Awaited<ReturnType<typeof readChecked>>;

async function revertPolicy(target: PolicyTarget, current: Current, record: PolicyRecord | undefined): Promise<UninstalledPolicy> {
  const { path, uid } = target;
  const nothing = { outcome: 'nothing', leftAlone: [], extensionStays: false } as const;
  if (current === undefined && (await hasFormer(target, record))) return { ...nothing, outcome: 'gone' };
  if (current === undefined || current.hash === record?.before) return nothing;
  const { text, removed, leftAlone } = inFile(path, () => withoutOurs(utf8Of(current.content), target.extensionId));
  if (removed.length === 0) return nothing;
  const extensionStays = removed.includes('ExtensionSettings');
  const former = await formerOf(target, current, record);
  const content = former === undefined ? Buffer.from(text) : former.content;
  await replaceFile({ path, content, expected: current.hash, uid, mode: POLICY_MODE });
  if (former === undefined) return { outcome: 'taken-out', leftAlone, extensionStays };
  return { outcome: content === undefined ? 'removed' : 'restored', leftAlone, extensionStays };
}

/** Whether the backup of the previous file exists. */
async function hasFormer({ path, uid }: PolicyTarget, record: PolicyRecord | undefined): Promise<boolean> {
  return record !== undefined && (await readChecked(backupOf(path), { owner: uid }))?.hash === record.before;
}

/** The content without our part. */
async function withoutUs(target: PolicyTarget, current: Current, record: PolicyRecord | undefined): Promise<Buffer | undefined> {
  if (current === undefined) return undefined;
  const former = await formerOf(target, current, record);
  if (former !== undefined) return former.content;
  const { text, removed } = inFile(target.path, () => withoutOurs(utf8Of(current.content), target.extensionId));
  return removed.length === 0 ? current.content : Buffer.from(text);
}

/** The previous content, if the file is as we wrote it and the backup is ours; else our part has to be removed from the text. */
async function formerOf({ path, uid }: PolicyTarget, current: { readonly hash: string }, record: PolicyRecord | undefined) {
  if (current.hash !== record?.after) return undefined;
  if (record.before === null) return { content: undefined };
  const backup = await readChecked(backupOf(path), { owner: uid });
  return backup?.hash === record.before ? backup : undefined;
}

/** Decodes UTF-8, with any byte order mark. @throws PlumbfoxError `bad-input` for anything else. */
export function utf8Of(content: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
  } catch (error) {
    throw new PlumbfoxError('bad-input', 'It is not UTF-8', { cause: error });
  }
}

/** Puts the file's name before the message of an error. */
export function inFile<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof PlumbfoxError) throw new PlumbfoxError(error.kind, `${path}: ${error.message}`, { cause: error });
    throw error;
  }
}
