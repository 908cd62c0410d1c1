import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { refuse, refuseInput } from "./problem.ts";

/** Returns the ETag of a response body. */
const versionOf = (content: unknown): string =>
  `"${createHash("sha256").update(JSON.stringify(content)).digest("base64url").slice(0, 22)}"`;

/** The versions of a request: the one in `If-Match` that a save is based on, and the one after it. */
export type Versions<Stored> = {
  /**
   * Checks that a save is based on the stored version, or names none. Call it under the lock of the save.
   * @throws ProblemError 409 `stale` with the stored version as `current`
   */
  require: (read: () => Promise<Stored>) => Promise<void>;
  /** Sets the response's `ETag` to the stored version. */
  setETag: (stored: Stored) => void;
};

/**
 * Reads the version that a request names.
 * @param shown converts the stored value to the body of a read
 * @param compared returns the part that can conflict
 */
export function createVersions<Stored>(
  request: Pick<FastifyRequest, "headers">,
  reply: Pick<FastifyReply, "header">,
  shown: (stored: Stored) => unknown = (stored) => stored,
  compared: (stored: Stored) => unknown = (stored) => stored,
): Versions<Stored> {
  // Proxies that compress a response mark its ETag as weak.
  const given = request.headers["if-match"]?.split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return {
    require: async (read) => {
      if (given === undefined || given.includes("*")) return;
      const stored = await read();
      const version = versionOf(compared(stored));
      if (!given.includes(version)) throw stale(shown(stored), version);
    },
    setETag: (stored) => void reply.header("etag", versionOf(compared(stored))),
  };
}

const stale = (current: unknown, version: string) => refuse(409, "stale", null, { current, version });

const MARK = /^"([0-9a-f]{64})"$/;

/**
 * Returns a check whether a stored text is the one that the caller edited. `If-Match` is the SHA-256 of that text in hex, in quotes; of an
 * empty text if there was none. Without the header every text passes.
 * @throws ProblemError 422 when the header has another form
 */
export function readTypedOver({ headers }: Pick<FastifyRequest, "headers">): (stored: string | null) => boolean {
  const given = headers["if-match"];
  if (given === undefined) return () => true;
  const [, mark] = MARK.exec(given) ?? [];
  if (mark === undefined) throw refuseInput("If-Match", "bad_if_match");
  return (stored) =>
    createHash("sha256")
      .update(stored ?? "")
      .digest("hex") === mark;
}

/** Returns a 412: the stored text is no longer the one that the caller edited. */
export const versionConflict = () => refuse(412, "changed_meanwhile");
