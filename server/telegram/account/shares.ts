/**
 * How many accounts are a worker's fair share: as even as the workers' ceilings allow.
 * @param most the worker's own ceiling
 * @param ceilings of all workers that live, this one's among them
 */
export function fairShare(accounts: number, most: number, ceilings: readonly number[]): number {
  const rising = ceilings.toSorted((a, b) => a - b);
  let left = accounts;
  for (const [index, ceiling] of rising.entries()) {
    const even = Math.ceil(left / (rising.length - index));
    if (ceiling >= even) return Math.min(most, even);
    left -= ceiling;
  }
  return most;
}
