import { expect, it } from "vitest";
import { createActor, waitFor } from "xstate";
import { createReading } from "../../src/machines/reading/reading.machine.ts";
import { fakePage } from "../support/page.ts";
import { readingInvariants } from "../support/reading-invariants.ts";
import { walkEveryPath } from "../support/walk-suite.ts";
import { readingMachine, readingModel } from "./reading.model.ts";

walkEveryPath(readingMachine, readingModel, {
  ...readingInvariants("", "read", "value"),
  shown: { holds: ({ context }) => expect(context.value).toEqual(5) },
});

it("logs what could not be read", async () => {
  const page = fakePage();
  const read = () => Promise.reject(new Error("503"));
  const actor = createActor(createReading({ ...page, read, what: "the number of stages" })).start();
  await waitFor(actor, (snapshot) => snapshot.matches("loadFailed"));
  expect([actor.getSnapshot().context.value, page.logged]).toEqual([
    undefined,
    ["the number of stages could not be read"],
  ]);
});
