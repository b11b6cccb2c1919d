/** Makes one change to a profile, as the helper does: DIRECTORY POLICIES OPERATION PROFILE [PROCESS of the Firefox that has it open]. */
import { findProfile } from '../../src/core/profiles/presets.ts';
import { openProfile } from '../../src/helper/profile/profile-changes.ts';

const [directory = '', systemPolicies = '', operation, id = '', running] = process.argv.slice(2);
const askedBy = running === undefined ? undefined : { processId: Number(running), began: '1' };
const changes = await openProfile(directory, { now: () => 0, systemPolicies, ...(askedBy && { askedBy }) });
if (operation === 'confirm') await changes.confirm();
else if (operation === 'revert') await changes.revert();
else {
  const profile = findProfile(id);
  if (profile === undefined) throw new Error(`There is no profile ${id}`);
  await changes.apply(profile);
}
