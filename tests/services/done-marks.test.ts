import { expect, it, vi } from "vitest";
import { createDoneMarks } from "../../src/app/done-marks.ts";
import { refusedWith } from "../support/model.ts";
import { fakePage } from "../support/page.ts";

function start(markDone: (input: { leadId: string; isDone: boolean }) => Promise<void>) {
  const page = fakePage();
  const marks = createDoneMarks(page, { markDone });
  const changes: unknown[] = [];
  const leave = marks.events.subscribe("inbox.changed", (data) => changes.push(data));
  return { marks, notices: page.notices, changes, leave, undo: () => page.undos.at(-1)?.() };
}

it("marks a conversation done, notifies the lists, and undoes it", async () => {
  const calls: unknown[] = [];
  const { marks, notices, changes, undo, leave } = start(async (call) => void calls.push(call));
  await marks.mark("1");
  expect([notices, changes]).toEqual([["Marked done until they write again."], [{ id: "1" }]]);
  undo();
  await vi.waitFor(() => expect(notices.at(-1)).toEqual("Back in Waiting."));
  expect(changes).toEqual([{ id: "1" }, { id: "1" }]);
  leave();
  await marks.mark("2", "message-7");
  expect(changes).toHaveLength(2);
  expect(calls).toEqual([
    { leadId: "1", isDone: true },
    { leadId: "1", isDone: false },
    { leadId: "2", isDone: true, upTo: "message-7" },
  ]);
});

it("reports a failed mark, and refreshes", async () => {
  let error: unknown = new TypeError("offline");
  const { marks, notices, changes } = start(() => Promise.reject(error));
  await marks.mark("1");
  error = refusedWith(404, { code: "not_found", message: "There is no such lead." });
  await marks.mark("1");
  expect(notices).toEqual([
    ["warning", "No response from the server. The conversation may have been marked done."],
    ["warning", "There is no such lead."],
  ]);
  expect(changes).toHaveLength(2);
});

it("refreshes every list when an undo gets no response", async () => {
  const { marks, notices, changes, undo } = start(async ({ isDone }) => {
    if (!isDone) throw new TypeError("offline");
  });
  await marks.mark("1");
  undo();
  const warning = ["warning", "No response from the server. The conversation may be back in Waiting."];
  await vi.waitFor(() => expect(notices.at(-1)).toEqual(warning));
  expect(changes).toEqual([{ id: "1" }, {}]);
});
