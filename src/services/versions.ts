/** Remembers the version that the next save is based on: the `ETag` of the last read or save. */
export function createVersions() {
  let version: string | null = null;
  return {
    /** The headers of a save; none if the server sends no versions. */
    headers: (): Record<string, string> => (version === null ? {} : { "If-Match": version }),
    /** Stores the version of a response; resolves to its data. */
    keep: <T>(answer: { data: T; version?: string }): T => {
      version = answer.version ?? null;
      return answer.data;
    },
  };
}
export type Versions = ReturnType<typeof createVersions>;
