import { expect, it } from "vitest";
import { reasonMessage } from "../../domain/refusal-messages.ts";
import { english } from "../support/english.ts";

it("a message that failed says whether the person, the message or its file is at fault", () => {
  const words = (reason: string) => english(reasonMessage({ state: "failed", reason }) ?? "");
  expect(words("USER_IS_BLOCKED")).toBe("Not sent: this person blocked you.");
  expect(words("MESSAGE_EMPTY")).toBe("Not sent. The message is empty.");
  expect(words("UPLOAD_FAILED")).toBe(
    "Not sent. The picture or video could not be uploaded to Telegram. Attach it once more, or another one, and try again.",
  );
});
