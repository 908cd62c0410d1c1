import { msg } from "@lingui/core/runtime-macro";
import { act, render, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { expect, it } from "vitest";
import { useFocusKeeper } from "../../src/ui/focus.ts";
import { useFocusOnError, Refusal } from "../../src/ui/form.tsx";
import { Banner } from "../../src/ui/Banner.tsx";
import { FileInput } from "../../src/ui/FileInput.tsx";
import { passFocusToNewRow } from "../../src/ui/lost-focus.ts";
import { LoadError } from "../../src/ui/LoadError.tsx";
import { Toast } from "../../src/ui/Toast.tsx";
import type { UiText, UiTextOrString } from "../../domain/ui-text.ts";
import { ItemForm } from "../../src/views/shell/ItemForm.tsx";

function List({ names, disabledName = "" }: { names: string[]; disabledName?: string }) {
  const keeper = useFocusKeeper("li");
  return (
    <main>
      <h1 tabIndex={-1}>People</h1>
      {names.length > 0 && (
        <ul ref={keeper}>
          {names.map((name) => (
            <li key={name}>
              <button type="button" disabled={name === disabledName}>{`Rename ${name}`}</button>
              <button type="button">{`Delete ${name}`}</button>
            </li>
          ))}
        </ul>
      )}
      <button type="button">Elsewhere</button>
    </main>
  );
}
const focus = (name: string) => act(() => screen.getByRole("button", { name }).focus());
const focused = () => document.activeElement?.textContent;

it("moves a removed row's focus to the next row, the previous, or the heading", async () => {
  // The focus finds the same control of the next row, even if another control of the row was disabled.
  const { rerender } = render(<List names={["Ann", "Ben", "Cleo", "Dora"]} disabledName="Ben" />);
  focus("Delete Ben");
  rerender(<List names={["Ann", "Cleo", "Dora"]} />);
  await waitFor(() => expect(focused()).toEqual("Delete Cleo"));
  rerender(<List names={["Ann"]} />);
  await waitFor(() => expect(focused()).toEqual("Delete Ann"));
  rerender(<List names={[]} />);
  await waitFor(() => expect(focused()).toEqual("People"));
});

it("keeps a focus that the user has moved in the meantime", async () => {
  const { rerender } = render(<List names={["Ann", "Ben"]} />);
  focus("Delete Ann");
  focus("Elsewhere");
  rerender(<List names={["Ben"]} />);
  await new Promise((resolve) => setTimeout(resolve));
  expect(focused()).toEqual("Elsewhere");
});

function Reading({ hasFailed }: { hasFailed: boolean }) {
  return (
    <main>
      <h1 tabIndex={-1}>People</h1>
      <section>
        <a href="/leads">Leads</a>
        {hasFailed && <LoadError isShort what="the leads" onRetry={() => {}} />}
      </section>
      {hasFailed && (
        <Banner tone="bad" actions={<button type="button">Again</button>}>
          Failed
        </Banner>
      )}
    </main>
  );
}

it("moves the focus of a removed 'Try again' to its surroundings, or the heading", async () => {
  const { rerender } = render(<Reading hasFailed />);
  focus("Try again: the leads");
  rerender(<Reading hasFailed={false} />);
  await waitFor(() => expect(focused()).toEqual("Leads"));
  rerender(<Reading hasFailed />);
  focus("Again");
  rerender(<Reading hasFailed={false} />);
  await waitFor(() => expect(focused()).toEqual("People"));
});

function Attachment() {
  const [file, setFile] = useState<File | null>(new File(["x"], "offer.png", { type: "image/png" }));
  return <FileInput label="Image or video" file={file} onFile={setFile} />;
}

function Undone() {
  const [message, setMessage] = useState<string | null>("Reminder deleted.");
  const action = { label: "Undo", onPress: () => setMessage(null) };
  return <Toast announced="status" message={message} onDismiss={() => setMessage(null)} action={action} />;
}

it.each([
  ["Remove file", Attachment, "INPUT"],
  ["Undo", Undone, "H1"],
  ["Dismiss", Undone, "H1"],
])("moves the focus of '%s', which is removed when pressed, to what stays", async (name, Content, stays) => {
  render(
    <main>
      <h1 tabIndex={-1}>People</h1>
      <section>
        <Content />
      </section>
    </main>,
  );
  focus(name);
  act(() => screen.getByRole("button", { name }).click());
  await waitFor(() => expect(document.activeElement?.tagName).toEqual(stays));
});

function Pages({ names, hasOlder }: { names: string[]; hasOlder: boolean }) {
  return (
    <main>
      <h1 tabIndex={-1}>People</h1>
      <ol>
        {names.map((name) => (
          <li key={name}>{name}</li>
        ))}
      </ol>
      {hasOlder && (
        <button ref={passFocusToNewRow} type="button">
          Older
        </button>
      )}
    </main>
  );
}

it("moves the focus of 'Older' to the first row of the last page, or the heading", async () => {
  const { rerender } = render(<Pages names={["Ann"]} hasOlder />);
  focus("Older");
  act(() => screen.getByRole("button", { name: "Older" }).click());
  rerender(<Pages names={["Ann", "Ben"]} hasOlder />);
  act(() => screen.getByRole("button", { name: "Older" }).click());
  rerender(<Pages names={["Ann", "Ben", "Cleo", "Dora"]} hasOlder={false} />);
  await waitFor(() => expect(focused()).toEqual("Cleo"));
  rerender(<Pages names={["Ann"]} hasOlder />);
  focus("Older");
  rerender(<Pages names={["Ann"]} hasOlder={false} />);
  await waitFor(() => expect(focused()).toEqual("People"));
});

function Form({ marks }: { marks: Record<string, string> }) {
  const form = useFocusOnError(marks);
  return (
    <>
      <form ref={form}>
        <input aria-label="Title" aria-invalid={"title" in marks || undefined} />
        <input aria-label="Text" aria-invalid={"text" in marks || undefined} />
        <button type="button">Save</button>
      </form>
      <button type="button">Elsewhere</button>
    </>
  );
}

it("focuses the first invalid field on each attempt, unless the user has left", () => {
  const { rerender } = render(<Form marks={{}} />);
  const at = () => document.activeElement?.getAttribute("aria-label") ?? focused();
  focus("Save");
  rerender(<Form marks={{ text: "Write it." }} />);
  expect(at()).toEqual("Text");
  focus("Save");
  rerender(<Form marks={{ title: "Name it.", text: "Write it." }} />);
  expect(at()).toEqual("Title");
  focus("Elsewhere");
  rerender(<Form marks={{ text: "Too long." }} />);
  expect(at()).toEqual("Elsewhere");
});

it("shows a form's refusal only if none of its fields shows it", () => {
  const isText = msg`Must be a text.`;
  const announcedFor = (
    refused: Record<string, UiText>,
    problem: UiTextOrString = msg`${{ field: "Name" }}: ${{ problem: isText }}`,
  ) => {
    const { container, unmount } = render(<Refusal problem={problem} refused={refused} fields={["name"]} />);
    const text = container.textContent;
    unmount();
    return text;
  };
  expect(announcedFor({ name: isText })).toEqual("");
  expect(announcedFor({ name: isText }, isText)).toEqual("");
  expect(announcedFor({ color: isText }, msg`${{ field: "Color" }}: ${{ problem: isText }}`)).toEqual(
    "Color: Must be a text.",
  );
  expect(announcedFor({}, "Not saved.")).toEqual("Not saved.");
});

it("focuses the first field of an item's form when it opens", () => {
  const refusal = { problem: null, refused: {}, fields: [] };
  render(
    <ItemForm refusal={refusal} saveLabel="Save" isSaving={false} canSave send={() => {}}>
      <button type="button">Choose a file</button>
      <input aria-label="Title" />
      <input aria-label="Text" />
    </ItemForm>,
  );
  expect(document.activeElement).toBe(screen.getByRole("textbox", { name: "Title" }));
});
