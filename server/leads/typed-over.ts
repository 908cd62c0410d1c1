import { createHash } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { invalid, ProblemError } from "../core/problem.ts";

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
  if (mark === undefined) throw invalid("If-Match must hold the SHA-256 of the text in 64 hex digits, in quotes.");
  return (stored) =>
    createHash("sha256")
      .update(stored ?? "")
      .digest("hex") === mark;
}

/** 412: what was typed over is not what stands there. */
export const changedMeanwhile = () =>
  new ProblemError(
    412,
    "changed_meanwhile",
    "This was changed by somebody else meanwhile. Read the lead again, and send what is to stand there with both.",
  );
