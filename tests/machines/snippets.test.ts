import { expect, it } from "vitest";
import { createSnippets, snippetDraft } from "../../src/machines/snippets/snippets.machine.ts";
import {
  confirmationInvariant,
  confirmedInvariant,
  editsForm,
  isCalling,
  readingInvariants,
  walkEveryPath,
} from "../support/invariants.ts";
import { failureText } from "../support/model.ts";
import { fakePage, openJourney, returnToPage } from "../support/page.ts";
import { priceList, snippetsModel } from "./snippets.model.ts";

const blank = { title: "", text: "", media: undefined, lostMedia: "" };

walkEveryPath(snippetsModel, {
  ...readingInvariants("list.", "fetchSnippets", "snippets", {
    starts: ["done saveSnippet", "error saveSnippet", "done removeSnippet", "error removeSnippet"],
  }),
  "work.resting": {
    after: {
      start: null,
      "form.cancel": ({ context }) => expect(context.problem).toEqual(null),
      "done saveSnippet": ({ context }) => expect(context.problem).toEqual(null),
      "done askConfirmation": ({ event, context }) => {
        expect(event.output).toEqual(false);
        expect(context.snippets).toEqual([priceList]);
      },
      "error askConfirmation": ({ context }) => expect(context.snippets).toEqual([priceList]),
      "done removeSnippet": ({ context }) => expect(context.snippets).toEqual([]),
      "error removeSnippet": ({ context, event }) =>
        expect(context).toMatchObject({
          snippets: [priceList],
          problem: failureText(event, "The snippet may have been deleted."),
          about: "1",
        }),
    },
    accepts: ({ snippets }) => ["snippet.add", ...(snippets.length > 0 ? ["snippet.edit", "snippet.delete"] : [])],
    holds: ({ context: { active, form, refused } }) =>
      expect({ active, form, refused }).toEqual({ active: null, form: blank, refused: {} }),
  },
  "work.editing": {
    after: {
      "snippet.add": ({ context }) => expect([context.active, context.form]).toEqual([null, blank]),
      "snippet.edit": ({ context }) =>
        expect([context.active, context.form]).toEqual([
          priceList,
          { ...blank, title: "Price list", text: "Dear {first_name|friend}" },
        ]),
      "form.change": editsForm,
      "form.submit": ({ before, context }) => {
        const refused = {
          ...(before.form.title === "" && { title: "Enter a title." }),
          ...(before.form.text === "" && { text: "Enter a text or choose a file." }),
        };
        expect(refused).not.toEqual({});
        expect(context).toEqual({ ...before, problem: null, refused });
      },
      "error saveSnippet": ({ before, context, event }) =>
        expect(context).toEqual({
          ...before,
          problem: failureText(event, "The snippet may have been saved. Try again: it is not saved twice."),
          about: before.active?.id ?? null,
        }),
    },
    accepts: ["form.change", "form.cancel", "form.submit"],
  },
  "work.saving": {
    after: ["form.submit"],
    holds: ({ context: { form, active }, calls }) => {
      expect([form.title, form.text]).not.toContain("");
      const { title, text, media } = form;
      isCalling("saveSnippet", { title, text, media, id: active?.id ?? null })({ calls });
    },
  },
  "work.awaitingConfirmation": confirmationInvariant("Delete the snippet “Price list”?", ["snippet.delete"]),
  "work.deleting": confirmedInvariant("removeSnippet", { id: "1" }),
});

async function startSnippets() {
  const page = fakePage();
  const sent: unknown[] = [];
  const listed = [priceList];
  const logic = createSnippets(page, {
    snippets: {
      list: async () => [...listed],
      add: async (form) => (sent.push(form), priceList),
      change: async (form) => (sent.push(form), priceList),
      remove: async () => {},
    },
  });
  const journey = await openJourney(logic);
  return { ...journey, sent, listed, drafts: page.drafts };
}

it("adds and changes a snippet, and clears the draft", async () => {
  const { go, drafts, sent } = await startSnippets();
  for (const [id, open] of [
    [null, { type: "snippet.add" }],
    ["1", { type: "snippet.edit", id: "1" }],
  ] as const) {
    const draft = snippetDraft(drafts, id);
    draft.write({ title: "Greeting", text: "", lostMedia: "", isFileGone: false }, {});
    await go(open, { type: "form.change", change: { title: "Greeting", text: "Hello" } }, { type: "form.submit" });
    expect(draft.read()).toEqual(null);
  }
  const form = { title: "Greeting", text: "Hello", media: undefined };
  expect(sent).toEqual([form, { id: "1", ...form }]);
});

it("edits what another tab saved once the page returns", async () => {
  const { go, context, listed } = await startSnippets();
  listed[0] = { ...priceList, text: "New prices" };
  await returnToPage();
  await go({ type: "snippet.edit", id: "1" });
  expect(context().form.text).toEqual("New prices");
});

it("allows fewer characters with a picture, a picture alone, and no blank field", async () => {
  const { go, snapshot } = await startSnippets();
  await go({ type: "snippet.add" });
  const canSave = async (change: object) => {
    await go({ type: "form.change", change });
    return snapshot().can({ type: "form.submit" });
  };
  const picture = new File(["x"], "x.png", { type: "image/png" });
  expect(await canSave({ title: "Menu", text: "x".repeat(1_025), media: picture })).toEqual(false);
  expect(await canSave({ media: undefined })).toEqual(true);
  await go({ type: "form.change", change: { title: " ", text: " " } }, { type: "form.submit" });
  expect(Object.keys(snapshot().context.refused)).toEqual(["title", "text"]);
  void go({ type: "form.change", change: { title: "Menu", media: picture } }, { type: "form.submit" });
  expect(snapshot().value).toMatchObject({ work: "saving" });
});
