import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { refuse, refuseInput } from "./problem.ts";

/** Returns the entity tag of what a read answers. */
const versionOf = (content: unknown): string =>
  `"${createHash("sha256").update(JSON.stringify(content)).digest("base64url").slice(0, 22)}"`;

/** The versions of one request: the one that a save is based on, as `If-Match` names it, and the one that it leaves behind. */
export type Versions<Stored> = {
  /**
   * Lets a save pass that is based on what is stored now, or that names no version. Call it under the lock of the save.
   * @throws ProblemError 409 `stale` with what is stored as `current`
   */
  require: (read: () => Promise<Stored>) => Promise<void>;
  /** Names the version of what is stored now in the `ETag` of the answer. */
  tell: (stored: Stored) => void;
};

/**
 * Reads the version that a request names.
 * @param shown turns what is stored into what a read answers
 * @param compared gives the part of it that a save can be in conflict over
 */
export function createVersions<Stored>(
  request: Pick<FastifyRequest, "headers">,
  reply: Pick<FastifyReply, "header">,
  shown: (stored: Stored) => unknown = (stored) => stored,
  compared: (stored: Stored) => unknown = (stored) => stored,
): Versions<Stored> {
  // Proxies that compress an answer mark its tag as weak.
  const given = request.headers["if-match"]?.split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return {
    require: async (read) => {
      if (given === undefined || given.includes("*")) return;
      const stored = await read();
      const version = versionOf(compared(stored));
      if (!given.includes(version)) throw stale(shown(stored), version);
    },
    tell: (stored) => void reply.header("etag", versionOf(compared(stored))),
  };
}

const stale = (current: unknown, version: string) => refuse(409, "stale", null, { current, version });

const MARK = /^"([0-9a-f]{64})"$/;

/**
 * Whether a stored text is the one that a change was typed over, as the caller says in `If-Match`: the SHA-256 of the text in hex, in
 * quotes, an empty text where there was none. Without the header every text is.
 * @throws ProblemError 422 when the header is no such mark
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
