import { fireEvent, render, screen, within } from "@testing-library/react";
import { useState } from "react";
import { describe, expect, it } from "vitest";
import type { Snippet } from "../../domain/snippet.ts";
import { SnippetSourceProvider, useSnippetPicker } from "../../src/views/conversation/SnippetPicker.tsx";
import { Snippets } from "../../src/machines/snippets/snippets.machine.ts";
import { PlaceholderPreview, SampleLeadProvider } from "../../src/views/preview/PlaceholderPreview.tsx";
import { SnippetsView } from "../../src/views/snippets/SnippetsView.tsx";
import { priceList, snippetsModel } from "../machines/snippets.model.ts";
import { button, fill, over, press, seen, submit, textbox as field } from "../support/screen.ts";
import { walkEveryView } from "../support/walk-view.tsx";

walkEveryView({
  model: snippetsModel,
  show: over(Snippets, <SnippetsView />),
  gestures: {
    "snippet.add": press("Add Snippet"),
    "snippet.edit": press("Edit Price list"),
    "snippet.delete": press("Delete Price list"),
    "form.change": fill(
      (event) => field("title" in (event["change"] as object) ? "Title" : "Text"),
      (event) => Object.values(event["change"] as Record<string, string>)[0] ?? "",
    ),
    "form.cancel": press("Cancel"),
    "form.submit": submit("Save Snippet"),
  },
  see(state) {
    const { context } = state;
    const isEditing = state.matches({ work: "editing" }) || state.matches({ work: "saving" });
    const isShown = state.matches({ list: "shown" });
    expect(seen("The snippets could not be read.")).toEqual(state.matches({ list: "loadFailed" }));
    const listed = screen.queryAllByRole("listitem").map((item) => within(item).getByRole("heading").textContent);
    expect(listed).toEqual(isShown ? context.snippets.map(({ title }: Snippet) => title) : []);
    expect(field("Title")?.value ?? null).toEqual(isEditing ? context.form.title : null);
    expect(field("Text")?.value ?? null).toEqual(isEditing ? context.form.text : null);
    expect(seen(context.problem)).toEqual(context.problem !== null);
    // A disabled button would lose the focus to the confirmation for good.
    if (isShown && !isEditing && context.active !== null)
      expect(button(`Delete ${context.active.title}`)).toMatchObject({ disabled: false });
  },
});

describe("a preview with a lead", () => {
  const ada = async () => ({ name: "Ada Lovelace", username: null, stage: "Interested" });
  const show = (text: string, sample = ada) =>
    render(
      <SampleLeadProvider value={sample}>
        <PlaceholderPreview text={text} />
      </SampleLeadProvider>,
    );

  it("fills in known values, and fallbacks for the rest", async () => {
    const { container } = show("Hi {first_name}, {username|friend} of {stage}. {other}");
    expect(await screen.findByText("Hi Ada, friend of Interested. {other}")).not.toBe(null);
    expect(container.textContent).toContain("Ada Lovelace would read:");
  });

  it("is not shown for a text without placeholders", () => {
    expect(show("Hello you").container.textContent).toEqual("");
  });

  it.each([
    ["Hello {you}, {you}", "{you} is not known and goes out as written."],
    ["{Name} {x|y} of {stage}", "{Name}, {x|y} are not known and go out as written."],
  ])("of %j lists unknown and known placeholders", async (text, words) => {
    show(text);
    expect(screen.getByRole("status").textContent).toEqual(`${words} Known: {name} {first_name} {username} {stage}`);
    if (text.includes("{stage}")) await screen.findByText(/would read:/);
  });

  it("says what happens when there are no leads yet", async () => {
    show("Hi {name}", (async () => null) as never);
    expect(await screen.findByText("{name} is filled in for each person when it is sent.")).not.toBe(null);
  });
});

describe("'/' in the reply box", () => {
  const menu: Snippet = { id: "2", title: "Menu", text: "Today: soup", media: null };

  function Box({ onPick }: { onPick: (text: string) => void }) {
    const [text, setText] = useState("");
    const picker = useSnippetPicker(text, (picked) => {
      setText(picked.text);
      onPick(picked.text);
    });
    return (
      <>
        {picker.list}
        <textarea
          aria-label="Reply"
          {...picker.attributes}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => void picker.onKey(event)}
        />
      </>
    );
  }
  const open = () => {
    const picked: string[] = [];
    const source = {
      list: async () => [priceList, menu],
      prepare: async ({ text }: Snippet) => ({ text: `${text}!`, file: null }),
    };
    render(
      <SnippetSourceProvider value={source}>
        <Box onPick={(text) => picked.push(text)} />
      </SnippetSourceProvider>,
    );
    const box = screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Reply" });
    const type = (value: string) => fireEvent.change(box, { target: { value } });
    const options = () => screen.queryAllByRole("option").map((option) => option.textContent);
    return { picked, box, type, options };
  };

  it("finds snippets by title and text, and inserts the chosen one", async () => {
    const { picked, box, type, options } = open();
    type("Hello /");
    expect(options()).toEqual([]);
    type("/");
    await screen.findByRole("option", { name: /Menu/ });
    expect(options()).toHaveLength(2);
    type("/soup");
    expect(options()).toEqual(["MenuToday: soup"]);
    type("/");
    fireEvent.keyDown(box, { key: "ArrowDown" });
    expect(screen.getByRole("option", { selected: true }).textContent).toEqual("MenuToday: soup");
    fireEvent.keyDown(box, { key: "Enter" });
    await screen.findByDisplayValue("Today: soup!");
    expect([picked, options()]).toEqual([["Today: soup!"], []]);
  });

  it("is sent as typed without a match, or after the list was closed", async () => {
    const { box, type, options } = open();
    type("/");
    await screen.findByRole("option", { name: /Menu/ });
    fireEvent.keyDown(box, { key: "Escape" });
    expect(options()).toEqual([]);
    type("/start");
    expect([options(), box.value]).toEqual([[], "/start"]);
    expect(fireEvent.keyDown(box, { key: "Enter" })).toEqual(true);
  });
});
