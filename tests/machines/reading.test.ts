import { expect, it } from "vitest";
import { createReading } from "../../src/machines/reading/reading.machine.ts";
import { fakePage, openJourney } from "../support/page.ts";
import { readingInvariants, walkEveryPath } from "../support/invariants.ts";
import { readingModel } from "./reading.model.ts";

walkEveryPath(readingModel, {
  ...readingInvariants("", "read", "value"),
  shown: { holds: ({ context }) => expect(context.value).toEqual(5) },
});

it("logs what failed to load", async () => {
  const page = fakePage();
  const read = () => Promise.reject(new Error("503"));
  await openJourney(createReading({ ...page, read, what: "the number of stages" }));
  expect(page.logged).toEqual(["the number of stages could not be read"]);
});
