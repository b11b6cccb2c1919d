/** The order in which the files change, so that whoever is stopped between two of them can be followed by another who sets it right. */
import { join } from 'node:path';
import { checkUserJs, putBlock } from '../../core/profiles/user-js-block.ts';
import { hashOf } from '../files/checked-file.ts';
import { changeFile, type ProfileFiles, readUserJs, type UserJsBefore } from './files.ts';
import { type ProfileRecord, readBackup, readRecord, removeRecord, writeBackup, writeRecord } from './record.ts';

/** What was user.js, then what we are going to write, then user.js itself. What fails has changed nothing, as far as the disk still permits. */
export async function writeUserJs(
  directory: string,
  options: {
    readonly files: ProfileFiles;
    readonly before: UserJsBefore;
    readonly block: string;
    readonly record: Omit<ProfileRecord, 'version' | 'userJs'>;
  },
): Promise<void> {
  const { files, before, block, record } = options;
  const put = putBlock(checkUserJs(before.bytes ?? ''), block);
  const former = before.bytes === undefined ? undefined : Buffer.from(before.bytes, 'latin1');
  const written = hashOf(Buffer.from(put.bytes, 'latin1'));
  const there = { written, record: await readRecord(directory), backup: await readBackup(directory) };
  try {
    await writeBackup(directory, former);
    await writeRecord(directory, {
      version: 1,
      ...record,
      userJs: {
        ...(former === undefined ? {} : { before: hashOf(former) }),
        written,
        blocks: [...new Set([put.block, ...(files.record?.userJs.blocks ?? [])])].slice(0, KEPT_BLOCKS),
      },
    });
    await changeFile(join(directory, 'user.js'), { from: files.userJs, to: put.bytes });
  } catch (error) {
    await putBack(directory, there).catch(() => {});
    throw error;
  }
}

/** The record of what is there, where what was to be there did not come. */
async function putBack(
  directory: string,
  there: { readonly written: string; readonly record: Awaited<ReturnType<typeof readRecord>>; readonly backup: Buffer | undefined },
): Promise<void> {
  if ((await readUserJs(directory)).hash === there.written || there.record === 'damaged') return;
  if (there.record === undefined) return removeRecord(directory);
  await writeRecord(directory, there.record);
  await writeBackup(directory, there.backup);
}

/** Ours, and those that may still be there: the one before it, and one more where that was not written either. */
const KEPT_BLOCKS = 3;
