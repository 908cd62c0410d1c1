import { createHash } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { refuse, refuseInput } from "../core/problem.ts";

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

/** 412: what was typed over is not what stands there. */
export const changedMeanwhile = () => refuse(412, "changed_meanwhile");
