/** What is remembered of a policies.json that we have written, beside it: what was there before, and what we made of it. */
import * as v from 'valibot';
import { PlumbfoxError } from '../../core/errors.ts';
import { putFile } from '../files/put-file.ts';
import { readChecked } from '../files/replace-file.ts';

/** Everybody may read policies: Firefox does so as whoever runs it. */
export const POLICY_MODE = 0o644;

const hash = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));
const recordSchema = v.object({
  format: v.literal(1),
  /** SHA-256 of the file as we wrote it. */
  after: hash,
  /** SHA-256 of what it was without us, which is kept as the backup; `null`: there was no file. */
  before: v.nullable(hash),
  madeFolders: v.array(v.string()),
});
export type PolicyRecord = v.InferOutput<typeof recordSchema>;

/** Where the policies.json that was there before lies. */
export const backupOf = (path: string): string => `${path}.before-plumbfox`;
/** Where the policy has the extension from when the package was copied for it: where all may read and only the owner may write. */
export const packageOf = (path: string): string => `${path}.plumbfox-lab.xpi`;
const recordOf = (path: string): string => `${path}.plumbfox-record`;

/** `undefined`: none. @throws PlumbfoxError `bad-input` when it is damaged, or as `readChecked`. */
export async function readPolicyRecord(path: string, uid: number): Promise<PolicyRecord | undefined> {
  const file = await readChecked(recordOf(path), { owner: uid });
  if (file === undefined) return undefined;
  try {
    return v.parse(recordSchema, JSON.parse(file.content.toString()));
  } catch (error) {
    const message = `${recordOf(path)} is damaged; compare ${path} with ${backupOf(path)}, and take the record away`;
    throw new PlumbfoxError('bad-input', message, { cause: error });
  }
}

/** `undefined`: takes it away. */
export const writePolicyRecord = (path: string, uid: number, record: PolicyRecord | undefined): Promise<void> =>
  putBeside(recordOf(path), uid, record && Buffer.from(`${JSON.stringify(record, null, 2)}\n`));

/** A file beside it, in place of whatever of ours is there; `undefined`: takes it away. */
export const putBeside = (path: string, uid: number, content: Buffer | undefined): Promise<void> =>
  putFile({ path, content, uid, mode: POLICY_MODE });
