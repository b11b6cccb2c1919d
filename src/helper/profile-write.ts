/** The order in which the files change, so that whoever is stopped between two of them can be followed by another who sets it right. */
import { join } from 'node:path';
import { checkUserJs, putBlock } from '../core/profiles/user-js-block.ts';
import { hashOf } from './checked-file.ts';
import { changeFile, type ProfileFiles, type UserJsBefore } from './profile-files.ts';
import { type ProfileRecord, writeBackup, writeRecord } from './profile-record.ts';

/** What was user.js, then what we are going to write, then user.js itself. */
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
  await writeBackup(directory, former);
  await writeRecord(directory, {
    version: 1,
    ...record,
    userJs: {
      ...(former === undefined ? {} : { before: hashOf(former) }),
      written: hashOf(Buffer.from(put.bytes, 'latin1')),
      blocks: [...new Set([put.block, ...(files.record?.userJs.blocks ?? [])])].slice(0, KEPT_BLOCKS),
    },
  });
  await changeFile(join(directory, 'user.js'), { from: files.userJs, to: put.bytes });
}

/** Ours, and those that may still be there: the one before it, and one more where that was not written either. */
const KEPT_BLOCKS = 3;
