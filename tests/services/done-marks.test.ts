import { expect, it, vi } from "vitest";
import { english } from "../support/english.ts";
import { createDoneMarks } from "../../src/app/done-marks.ts";

function start(markDone: (input: { leadId: string; isDone: boolean }) => Promise<void>) {
  const shown: string[] = [];
  let undo = () => {};
  const marks = createDoneMarks(
    {
      notifier: {
        toast(text, options) {
          shown.push(english(text));
          undo = options?.undo?.onPress ?? undo;
        },
        warn: (text) => shown.push(english(text)),
        alert: async () => {},
        confirm: async () => true,
      },
      logger: { warn: () => {} },
      events: { subscribe: () => () => {} },
    },
    { markDone },
  );
  const changes: unknown[] = [];
  const leave = marks.events.subscribe("inbox.changed", (data) => changes.push(data));
  return { marks, shown, changes, leave, undo: () => undo() };
}

it("marks a conversation done, notifies the lists, and undoes it", async () => {
  const calls: unknown[] = [];
  const { marks, shown, changes, undo, leave } = start(async (call) => void calls.push(call));
  await marks.mark("1");
  expect([shown, changes]).toEqual([["Marked done until they write again."], [{ id: "1" }]]);
  undo();
  await vi.waitFor(() => expect(shown.at(-1)).toEqual("Back in Waiting."));
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
  const { marks, shown, changes } = start(() => Promise.reject(error));
  await marks.mark("1");
  error = Object.assign(new Error("404"), {
    status: 404,
    body: { code: "not_found", message: "There is no such lead." },
  });
  await marks.mark("1");
  expect(shown).toEqual([
    "No response from the server. The conversation may have been marked done.",
    "There is no such lead.",
  ]);
  expect(changes).toHaveLength(2);
});

it("refreshes every list when an undo gets no response", async () => {
  const { marks, shown, changes, undo } = start(async ({ isDone }) => {
    if (!isDone) throw new TypeError("offline");
  });
  await marks.mark("1");
  undo();
  await vi.waitFor(() =>
    expect(shown.at(-1)).toEqual("No response from the server. The conversation may be back in Waiting."),
  );
  expect(changes).toEqual([{ id: "1" }, {}]);
});
