import { describe, expect, it } from 'vitest';
import { openLanes } from '../../../../src/lab/study-run/run-study.ts';

/** Lanes that fail so often before they start, by number; the others start at once. */
function lanes(failures: Readonly<Record<number, number>>) {
  const tries: number[] = [];
  const said: string[] = [];
  const open = async (number: number) => {
    tries.push(number);
    const before = tries.filter((each) => each === number).length - 1;
    if (before < (failures[number] ?? 0)) throw new Error('The relay ended\nby itself');
    return `lane ${number}`;
  };
  return { tries, said, options: { open, notify: (line: string) => void said.push(line), atOnce: 2, interrupted: () => false } };
}

describe('lanes that are opened side by side', () => {
  it('are opened once more where they do not start, and come in their order', async () => {
    const { tries, said, options } = lanes({ 1: 1 });
    expect(await openLanes({ ...options, numbers: [1, 2, 3] })).toEqual(['lane 1', 'lane 2', 'lane 3']);
    expect(tries.toSorted()).toEqual([1, 1, 2, 3]);
    expect(said).toEqual(['Lane 1 does not start, and is opened again: The relay ended']);
  });

  it('are left out when they do not start the second time', async () => {
    const { tries, said, options } = lanes({ 2: 9 });
    expect(await openLanes({ ...options, numbers: [1, 2, 3] })).toEqual(['lane 1', 'lane 3']);
    expect(tries.filter((number) => number === 2)).toHaveLength(2);
    expect(said.at(-1)).toBe('Lane 2 does not start, and is not used: The relay ended');
  });

  it('are not opened any more once the study is interrupted, which is no fault of a lane', async () => {
    const { tries, said, options } = lanes({ 1: 9 });
    const opened = await openLanes({ ...options, atOnce: 1, numbers: [1, 2], interrupted: () => tries.length > 0 });
    expect({ opened, tries, said }).toEqual({ opened: [], tries: [1], said: [] });
  });
});
