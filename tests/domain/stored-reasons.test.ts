import { expect, it } from "vitest";
import { readReason, reasonOf } from "../../domain/stored-reasons.ts";

it.each(['archive_broken {"reason":"of a newer version"}', "archive_unknown", "webhook {cut off}"])(
  "shows an unknown stored reason as it is: %s",
  (stored) => expect(readReason(stored)).toEqual({ code: null, params: {}, text: stored }),
);

it("shows the server's English when a reason has parameters of a newer server", () => {
  const answer = { reason: "Broken anew.", reason_code: "archive_broken", reason_params: { reason: "anew" } };
  expect(reasonOf(answer, "reason")).toEqual("Broken anew.");
});
