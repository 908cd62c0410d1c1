import { expect, it } from "vitest";
import { reasonMessage } from "../../domain/refusal-messages.ts";
import { english } from "../support/english.ts";

it("a message that failed says whether the person, the message or its file is at fault", () => {
  const problem = (reason: string) => english(reasonMessage({ state: "failed", reason }) ?? "");
  expect(problem("USER_IS_BLOCKED")).toBe("Not sent: this person blocked you.");
  expect(problem("MESSAGE_EMPTY")).toBe("Not sent. The message is empty.");
  expect(problem("UPLOAD_FAILED")).toBe(
    "Not sent. The picture or video could not be uploaded to Telegram. Attach it once more, or another one, and try again.",
  );
});
