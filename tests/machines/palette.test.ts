import { describe, expect, it } from "vitest";
import { createActor, waitFor } from "xstate";
import { COMMANDS } from "../../src/commands/commands.ts";
import { findCommands, fitOf } from "../../src/commands/find.ts";
import { KEYED, deedOfKey } from "../../src/commands/keyed.ts";
import { offerDeeds, offeredDeed } from "../../src/commands/offers.ts";
import { SCREENS } from "../../src/commands/screens.ts";
import { createPalette, paletteMachine, selectFound, selectKnown } from "../../src/machines/palette/index.ts";
import type { Invariants } from "../support/invariants.ts";
import { walkEveryPath } from "../support/walk-suite.ts";
import { leadNumber } from "./board.model.ts";
import { paletteModel } from "./palette.model.ts";

const invariants: Invariants<typeof paletteMachine> = {
  "*": { accepts: ["query.change"] },
  searching: {
    after: {
      start: ({ context }) => expect(context).toEqual({ query: "", found: null, known: [] }),
      "query.change": ({ event, before, context }) => expect(context).toEqual({ ...before, query: event.query }),
      "reading.retry": ({ before, context }) => expect(context).toEqual(before),
    },
    holds: ({ context, calls }) => expect(calls).toEqual({ findPeople: { query: context.query.trim() } }),
  },
  found: {
    after: {
      "done findPeople": ({ event, before, context }) => {
        expect(context.found).toEqual(event.output);
        const known = [...event.output.people, ...before.known].map(({ id }) => id);
        expect(context.known.map(({ id }) => id)).toEqual([...new Set(known)]);
      },
      // Spaces around the same words ask for nothing new.
      "query.change": ({ before, context }) => {
        expect(context.query.trim()).toEqual(before.query.trim());
        expect(context.found).toEqual(before.found);
      },
    },
    holds: ({ context, calls }) => expect([context.found?.query, calls]).toEqual([context.query.trim(), {}]),
  },
  unread: { after: ["error findPeople", "query.change"], accepts: ["reading.retry"] },
};

walkEveryPath(paletteMachine, paletteModel, invariants);

describe("people in the palette", () => {
  it("are looked up with each letter, whom the server named earlier is known before it answers, and an older answer is dropped", async () => {
    const asked: string[] = [];
    const answers: (() => void)[] = [];
    const people = {
      find: ({ query }: { query: string }) => {
        asked.push(query);
        const named = [leadNumber(asked.length, "s1")];
        return new Promise<typeof named>((resolve) => answers.push(() => resolve(named)));
      },
    };
    const palette = createActor(createPalette({ people, logger: { warn: () => {} } })).start();
    const isFound = () => waitFor(palette, (snapshot) => snapshot.matches("found"));
    answers[0]?.();
    await isFound();
    for (const query of ["a", "an", "an "]) palette.send({ type: "query.change", query });
    expect(selectFound(palette.getSnapshot())).toEqual(null);
    expect(selectKnown(palette.getSnapshot())).toEqual([leadNumber(1, "s1")]);
    answers[2]?.();
    await isFound();
    answers[1]?.();
    await Promise.resolve();
    expect(asked).toEqual(["", "a", "an"]);
    expect(selectFound(palette.getSnapshot())).toEqual([leadNumber(3, "s1")]);
    expect(selectKnown(palette.getSnapshot()).map(({ id }) => id)).toEqual(["3", "1"]);
    palette.stop();
  });
});

describe("the one list of commands", () => {
  it("holds every screen of the menu, the board, and every key once", () => {
    const paths = COMMANDS.flatMap((command) => (command.kind === "screen" ? [command.path] : []));
    const sections = ["people", "keys", "webhooks"].map((section) => `/settings#${section}`);
    expect(paths).toEqual([...SCREENS.map(({ path }) => path), "/board", ...sections]);
    expect(new Set(COMMANDS.map(({ id }) => id)).size).toEqual(COMMANDS.length);
    expect(new Set(KEYED.map(({ keys }) => keys)).size).toEqual(KEYED.length);
    expect(["j", "k", "e", "r", "s", "?", "x", "Esc"].map(deedOfKey)).toEqual([
      "inbox.next",
      "inbox.previous",
      "inbox.waiting",
      "inbox.reply",
      "inbox.stage",
      "sheet.open",
      null,
      null,
    ]);
  });

  it("is found by the beginning of a name first, then by a word of it, then by other words", () => {
    const names = findCommands("stage", () => true).map(({ name }) => name);
    expect(names.slice(0, 3)).toEqual(["Stages", "Stage", "Add a stage"]);
    expect(findCommands("night", () => true).map(({ name }) => name)).toEqual(["Dark theme"]);
    expect([fitOf("Ann Lee", "an"), fitOf("Ann Lee", "lee"), fitOf("Ann Lee", "e n"), fitOf("Ann Lee", "x")]).toEqual([
      0,
      1,
      2,
      null,
    ]);
  });

  it("does what the screen that is shown offers, and nothing once it is left", () => {
    const done: string[] = [];
    const end = offerDeeds({ "inbox.reply": () => done.push("reply") });
    offeredDeed("inbox.reply")?.();
    expect(offeredDeed("inbox.next")).toEqual(null);
    end();
    expect(offeredDeed("inbox.reply")).toEqual(null);
    expect(done).toEqual(["reply"]);
  });
});
