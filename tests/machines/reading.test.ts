import { expect, it } from "vitest";
import { createReading } from "../../src/machines/reading/reading.machine.ts";
import { startJourney } from "../support/journey.ts";
import { fakePage, settle } from "../support/page.ts";
import { readingInvariants } from "../support/reading-invariants.ts";
import { walkEveryPath } from "../support/walk-suite.ts";
import { readingMachine, readingModel } from "./reading.model.ts";

walkEveryPath(readingMachine, readingModel, {
  ...readingInvariants("", "read", "value"),
  shown: { holds: ({ context }) => expect(context.value).toEqual(5) },
});

it("logs what failed to load", async () => {
  const page = fakePage();
  const read = () => Promise.reject(new Error("503"));
  startJourney(createReading({ ...page, read, what: "the number of stages" }));
  await settle();
  expect(page.logged).toEqual(["the number of stages could not be read"]);
});
