/**
 * Returns a worker's fair share of accounts: as even as the workers' capacities allow.
 * @param most the worker's own capacity
 * @param ceilings the capacities of all live workers, including this one
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
