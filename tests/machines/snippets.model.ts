import type { Snippet } from "../../domain/snippet.ts";
import { createSnippets } from "../../src/machines/snippets/snippets.machine.ts";
import { done, failedWrites, modelOf } from "../support/model.ts";
import { fakePage } from "../support/page.ts";

export const priceList: Snippet = { id: "1", title: "Price list", text: "Dear {first_name|friend}", media: null };
export const snippetsModel = modelOf(createSnippets(fakePage()), {
  unreported: ["askConfirmation"],
  events: [
    ...done("fetchSnippets", [priceList]),
    { type: "snippet.edit", id: "1" },
    { type: "snippet.delete", id: "1" },
    { type: "form.change", change: { title: "Greeting" } },
    { type: "form.change", change: { text: "Hello" } },
    { type: "form.submit" },
    ...failedWrites("saveSnippet"),
    ...done("askConfirmation", true, false),
    ...failedWrites("removeSnippet"),
  ],
  // The list is refreshed only while nothing is being saved.
  allow: (snapshot, event) => {
    if (event.type.startsWith("xstate.")) return true;
    if (event.type.startsWith("reading."))
      return snapshot.matches({ work: "resting" }) && snapshot.context.problem === null;
    return !snapshot.matches({ list: "loading" }) && !snapshot.matches({ list: "loadFailed" });
  },
});
