import { MtPeerNotFoundError, tl } from "@mtcute/core";
import { PEER_NOT_KNOWN } from "../../domain/send-outcome.ts";
import { TelegramCallError } from "./call-error.ts";

/** mtcute's error as Telegram wrote it ('FLOOD_WAIT_5', where mtcute's `text` says 'FLOOD_WAIT_%d'); null when it is no refusal. */
export function callErrorOf(error: unknown): TelegramCallError | null {
  if (error instanceof TelegramCallError) return error;
  if (error instanceof MtPeerNotFoundError) return new TelegramCallError(400, PEER_NOT_KNOWN, { cause: error });
  if (!(error instanceof tl.RpcError)) return null;
  const [, written = error.text] = /^Telegram API error -?\d+: (.+)$/.exec(error.message) ?? [];
  return new TelegramCallError(error.code, written, { cause: error });
}
