import { describe, expect, it } from "vitest";
import type { UiText } from "../../domain/ui-text.ts";
import { COMMANDS } from "../../src/commands/commands.ts";
import { findCommands, matchRank } from "../../src/commands/find.ts";
import { SHORTCUTS, registerActions, registeredAction } from "../../src/commands/keyed.ts";
import { SCREENS } from "../../src/commands/screens.ts";
import { createPalette, selectFound } from "../../src/machines/palette/palette.machine.ts";
import { english } from "../support/english.ts";
import { fakePage, settle, startJourney } from "../support/page.ts";
import { isUnchanged, walkEveryPath } from "../support/invariants.ts";
import { leadNumber } from "./board.model.ts";
import { paletteModel } from "./palette.model.ts";

walkEveryPath(paletteModel, {
  "*": { accepts: ["query.change"] },
  searching: {
    after: {
      start: ({ context }) => expect(context).toEqual({ query: "", found: null, known: [] }),
      "query.change": ({ event, before, context }) => expect(context).toEqual({ ...before, query: event.query }),
      "reading.retry": isUnchanged,
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
      // A change that only adds or removes surrounding spaces sends no request.
      "query.change": ({ before, context }) => {
        expect(context.query.trim()).toEqual(before.query.trim());
        expect(context.found).toEqual(before.found);
      },
    },
    holds: ({ context, calls }) => expect([context.found?.query, calls]).toEqual([context.query.trim(), {}]),
  },
  loadFailed: { after: ["error findPeople", "query.change"], accepts: ["reading.retry"] },
});

it("searches on each letter, keeps earlier results, and drops outdated responses", async () => {
  const searches: (string | undefined)[] = [];
  const answers: (() => void)[] = [];
  const logic = createPalette(fakePage(), {
    listLeads: ({ q }) => {
      const page = { leads: [leadNumber(searches.push(q), "s1")], total: 1 };
      return new Promise((resolve) => answers.push(() => resolve(page)));
    },
  });
  const { go, snapshot, context } = startJourney(logic);
  answers[0]?.();
  await settle();
  await go(...["a", "an", "an "].map((query) => ({ type: "query.change", query }) as const));
  expect(selectFound(snapshot())).toEqual(null);
  for (const answer of [answers[2], answers[1]]) answer?.();
  await settle();
  expect(searches).toEqual([undefined, "a", "an"]);
  expect([selectFound(snapshot()), context().known.map(({ id }) => id)]).toEqual([[leadNumber(3, "s1")], ["3", "1"]]);
});

describe("the list of commands", () => {
  it("contains every screen of the menu, the board, and every key once", () => {
    const paths = COMMANDS.flatMap((command) => (command.kind === "screen" ? [command.path] : []));
    const sections = ["language", "people", "keys", "webhooks"].map((section) => `/settings#${section}`);
    expect(paths).toEqual([...SCREENS.map(({ path }) => path), "/board", ...sections]);
    expect(new Set(COMMANDS.map(({ id }) => id)).size).toEqual(COMMANDS.length);
    expect(new Set(SHORTCUTS.map(({ keys }) => keys)).size).toEqual(SHORTCUTS.length);
  });

  it("ranks the start of a name first, then its words, then other words", () => {
    const find = (typed: string) => findCommands(typed, () => true, english).map(({ name }) => name);
    expect(find("stage").slice(0, 3)).toEqual(["Stages", "Stage", "Add a stage"]);
    expect(find("night")).toEqual(["Dark theme"]);
    expect([
      matchRank("Ann Lee", "an"),
      matchRank("Ann Lee", "lee"),
      matchRank("Ann Lee", "e n"),
      matchRank("Ann Lee", "x"),
    ]).toEqual([0, 1, 2, null]);
  });

  it("finds a command by its English name in another language", () => {
    const local = (text: UiText) => `⟦${english(text).replaceAll(/[a-z]/g, "ж")}⟧`;
    for (const command of COMMANDS) {
      const found = findCommands(english(command.name), () => true, local);
      expect(found.map(({ command: { id } }) => id)).toContain(command.id);
    }
    expect(findCommands("⟦Lжж жжж⟧", () => true, local)[0]?.command.id).toEqual("account.leave");
  });

  it("runs the actions of the current screen only", () => {
    const done: string[] = [];
    const end = registerActions({ "inbox.reply": () => done.push("reply") });
    registeredAction("inbox.reply")?.();
    expect(registeredAction("inbox.next")).toEqual(null);
    end();
    expect(registeredAction("inbox.reply")).toEqual(null);
    expect(done).toEqual(["reply"]);
  });
});
