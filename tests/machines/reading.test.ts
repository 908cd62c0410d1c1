import { describe, expect, it } from "vitest";
import { createActor, waitFor } from "xstate";
import { createReading, readingMachine } from "../../src/machines/reading/index.ts";
import type { Invariants } from "../support/invariants.ts";
import { readingInvariants } from "../support/reading-invariants.ts";
import { walkEveryPath } from "../support/walk-suite.ts";
import { readingModel } from "./reading.model.ts";

const isStill =
  (value: unknown) =>
  ({ context }: { context: { value: unknown } }) =>
    expect(context.value).toEqual(value);

const invariants: Invariants<typeof readingMachine> = {
  ...readingInvariants("", "read", "value"),
  shown: { holds: isStill(5) },
};

walkEveryPath(readingMachine, readingModel, invariants);

describe("one reading", () => {
  it("is logged by what it reads when it fails", async () => {
    const seen: unknown[] = [];
    const error = new Error("503");
    const logic = createReading({
      read: () => Promise.reject(error),
      what: "the number of stages",
      logger: { warn: (what, cause) => void seen.push([what, cause]) },
    });
    const actor = createActor(logic, { input: { what: "the number of stages" } }).start();
    await waitFor(actor, (snapshot) => snapshot.matches("unread"));
    expect(actor.getSnapshot().context.value).toEqual(undefined);
    expect(seen).toEqual([["the number of stages could not be read", error]]);
  });

  it("keeps its value when a refresh fails, until a retry brings a newer one", async () => {
    const answers = [async () => 5, () => Promise.reject(new Error("503")), async () => 6];
    const logic = createReading({
      read: () => (answers.shift() ?? (async () => null))(),
      what: "the number of stages",
      logger: { warn: () => {} },
    });
    const actor = createActor(logic, { input: { what: "the number of stages" } }).start();
    const valueIn = async (state: "current" | "outdated") =>
      (await waitFor(actor, (snapshot) => snapshot.matches({ shown: state }))).context.value;
    expect(await valueIn("current")).toEqual(5);
    actor.send({ type: "reading.refresh" });
    expect(await valueIn("outdated")).toEqual(5);
    actor.send({ type: "reading.retry" });
    expect(await valueIn("current")).toEqual(6);
  });
});
