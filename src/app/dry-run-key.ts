/** Where this browser remembers since when a person's dry run has been on. */
export const dryRunKey = (userId: string): string => `leadloom.dry_run_since.${userId}`;
