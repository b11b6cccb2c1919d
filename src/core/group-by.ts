/** `Map.groupBy` of ES2024, which Node 20 does not have: members by key, keys and members in order of first appearance. */
export function groupBy<K, T>(members: Iterable<T>, keyOf: (member: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const member of members) {
    const key = keyOf(member);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [member]);
    else group.push(member);
  }
  return groups;
}
