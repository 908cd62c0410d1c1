import fs from "node:fs";
import { describe, expect, it } from "vitest";
import {
  channelMessage,
  contentMessage,
  eachRecipientMessage,
  notSentMessage,
  unreachableMessage,
} from "../../domain/refusal-messages.ts";
import { classifySendError, refusalOf } from "../../domain/send-outcome.ts";
import { english } from "../support/english.ts";

/** Each outcome with the codes and names of Telegram's errors that cause it. */
const table: Record<string, string> = {
  recipient:
    "400 USER_IS_BLOCKED, 403 CHAT_WRITE_FORBIDDEN, 406 PRIVACY_PREMIUM_REQUIRED, 403 ALLOW_PAYMENT_REQUIRED_50, " +
    "400 SOMETHING_TELEGRAM_ADDED_LATER, 403 SOMETHING_FORBIDDEN_LATER, 406 SOMETHING_REFUSED_LATER",
  content:
    "400 MESSAGE_EMPTY, 400 MESSAGE_TOO_LONG, 400 MEDIA_EMPTY, 400 PHOTO_INVALID_DIMENSIONS, 400 IMAGE_PROCESS_FAILED, " +
    "400 VIDEO_CONTENT_TYPE_INVALID, 400 DOCUMENT_INVALID, 400 ENTITY_BOUNDS_INVALID, 400 ENTITIES_TOO_LONG, " +
    "400 RANDOM_ID_EMPTY, 400 EXTERNAL_URL_INVALID, 400 WEBPAGE_MEDIA_EMPTY",
  upload:
    "400 FILE_REFERENCE_EXPIRED, 400 FILE_REFERENCE_INVALID, 400 FILE_PART_3_MISSING, 400 FILE_PARTS_INVALID, " +
    "400 FILE_PART_SIZE_INVALID, 400 MD5_CHECKSUM_INVALID",
  stopped: "400 PEER_FLOOD, 420 FROZEN_METHOD_INVALID, 403 USER_RESTRICTED",
  sessionLost: "401 AUTH_KEY_UNREGISTERED, 406 AUTH_KEY_DUPLICATED, 401 SOME_NEW_401",
  unsent: "503 ADDRESS_LATE, 503 UPLOAD_FAILED",
  inFlight: "500 RANDOM_ID_DUPLICATE",
  unknown: "500 INTERNAL, -503 Timeout, 400 TIMEOUT, 400 MSG_WAIT_FAILED, 303 USER_MIGRATE_2",
};

const cases = Object.entries(table).flatMap(([kind, errors]) => errors.split(", ").map((error) => ({ kind, error })));

describe("the outcome of a Telegram response", () => {
  it.each(cases)("$error is $kind", ({ kind, error }) => {
    const [code, text = ""] = error.split(" ");
    expect(classifySendError({ code: Number(code), text })).toEqual({ kind, reason: text });
  });

  it("is certain for every error that Telegram documents for sending", () => {
    const file = new URL("../../node_modules/@mtcute/core/tl/raw-errors.json", import.meta.url);
    const documented = JSON.parse(fs.readFileSync(file, "utf8")) as {
      errors: Record<string, { code: number }>;
      throws: Record<string, string[]>;
    };
    const names = ["messages.sendMessage", "messages.sendMedia"].flatMap((method) => documented.throws[method] ?? []);
    const kinds = names.map((name) => [
      name,
      classifySendError({ code: documented.errors[name]?.code ?? 400, text: name.replace("%d", "5") }).kind,
    ]);
    expect(kinds.length).toBeGreaterThan(100);
    expect(kinds.filter(([, kind]) => kind === "unknown")).toEqual([]);
  });

  it.each([
    ["FLOOD_WAIT_5", 5],
    ["FLOOD_PREMIUM_WAIT_3600", 3600],
    ["FLOOD_WAIT_86400", 86_400],
  ])("%s pauses the whole account", (text, seconds) => {
    expect(classifySendError({ code: 420, text })).toEqual({ kind: "wait", seconds, reason: text });
  });

  it("pauses only the chat in slow mode", () => {
    const text = "SLOWMODE_WAIT_30";
    expect(classifySendError({ code: 420, text })).toEqual({ kind: "chatWait", seconds: 30, reason: text });
  });

  it("is unknown, never failed, without a response", () => {
    const silence = [new Error("socket closed"), Object.assign(new Error("reset"), { code: "ECONNRESET" }), "x", null];
    const kinds = silence.map((each) => classifySendError(each).kind);
    expect(kinds).toEqual(["unknown", "unknown", "unknown", "unknown"]);
    expect(refusalOf(new Error("socket closed"))).toBeNull();
  });

  it("has a message", () => {
    expect(english(notSentMessage("USER_IS_BLOCKED"))).toBe("Not sent: this person blocked you.");
    expect(english(eachRecipientMessage("ALLOW_PAYMENT_REQUIRED_50"))).toBe("Each of them asks for paid messages.");
    expect(english(channelMessage("CHAT_WRITE_FORBIDDEN"))).toBe("The channel does not accept messages from you.");
    expect(english(unreachableMessage("TOPIC_CLOSED"))).toMatch(/^This person cannot be reached on Telegram, so /);
    expect(english(contentMessage("MESSAGE_TOO_LONG"))).toBe(
      "The message is too long for Telegram. Shorten it to 4,096 characters.",
    );
  });
});
