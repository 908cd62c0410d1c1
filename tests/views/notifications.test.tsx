import { i18n } from "@lingui/core";
import { useLocale } from "#language";
import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ReactNode } from "react";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createNotificationsContainer } from "../../src/app/notifications.tsx";
import { createNotifier } from "../../src/machines/notifications/notifier.ts";
import { rememberFocus } from "../../src/ui/lost-focus.ts";
import { NotificationsView } from "../../src/views/notifications/NotificationsView.tsx";
import { walkEveryView } from "../support/walk-view.tsx";
import { notificationsWalk } from "./notifications.walk.tsx";

walkEveryView(notificationsWalk);

describe("without the code of notifications", () => {
  const show = () => {
    const { notifier, notifications } = createNotifier();
    const Place = createNotificationsContainer(() => Promise.reject(new Error("no such file")));
    function Page() {
      useLocale();
      return <Place notifications={notifications} />;
    }
    render(<Page />);
    return notifier;
  };

  it("asks with the browser's own dialogs", async () => {
    const dialogs: unknown[] = [];
    vi.spyOn(window, "confirm").mockImplementation((text) => dialogs.push(`confirm: ${text}`) === 1);
    vi.spyOn(window, "alert").mockImplementation((text) => void dialogs.push(`alert: ${text}`));
    const notifier = show();
    const answers: unknown[] = [];
    for (const ask of [notifier.confirm, notifier.confirm, notifier.alert])
      await act(async () => void answers.push(await ask(`Sure ${answers.length}?`)));
    expect(answers).toEqual([true, false, undefined]);
    expect(dialogs).toEqual(["confirm: Sure 0?", "confirm: Sure 1?", "alert: Sure 2?"]);
  });

  it("shows messages as plain text", async () => {
    const notifier = show();
    await act(async () => {
      notifier.warn("A note was not saved.");
      notifier.toast("Reminder deleted.", { undo: { label: "Undo", onPress: () => {} } });
    });
    expect((await screen.findByRole("status")).textContent).toEqual("A note was not saved. Reminder deleted.");
  });

  it("translates a plain message again when the language changes", async () => {
    const notifier = show();
    const text = { id: "test.deleted", message: "Deleted {name}." };
    await act(async () => notifier.toast({ ...text, values: { name: "Ann" } }));
    expect((await screen.findByRole("status")).textContent).toEqual("Deleted Ann.");
    i18n.load("es", { [text.id]: [["name"], " eliminado."] });
    act(() => i18n.activate("es"));
    expect(screen.getByRole("status").textContent).toEqual("Ann eliminado.");
    act(() => i18n.activate("en"));
  });
});

it("moves the focus into a dialog, and returns it when the dialog is answered", async () => {
  const { notifier, notifications } = createNotifier();
  render(
    <>
      <button type="button">Delete Stage</button>
      <NotificationsView notifications={notifications} />
    </>,
  );
  const opener = screen.getByRole("button", { name: "Delete Stage" });
  opener.focus();
  let answer: Promise<boolean> = Promise.resolve(false);
  act(() => {
    answer = notifier.confirm("Are you sure you want to delete this stage?");
  });
  expect(document.activeElement?.textContent).toEqual("OK");
  await userEvent.click(screen.getByRole("button", { name: "OK" }));
  expect(await answer).toEqual(true);
  expect(document.activeElement).toEqual(opener);
});

it.each(["at once", "after the focus was lost"])(
  "returns the focus to a control that is disabled before a dialog that opens %s",
  async (when) => {
    onTestFinished(rememberFocus());
    const { notifier, notifications } = createNotifier();
    const page = (isBusy: boolean) => (
      <>
        <button type="button" disabled={isBusy}>
          Save Changes
        </button>
        <NotificationsView notifications={notifications} />
      </>
    );
    const { rerender } = render(page(false));
    const save = screen.getByRole("button", { name: "Save Changes" });
    save.focus();
    rerender(page(true));
    // As browsers do with the next frame.
    if (when !== "at once") save.blur();
    act(() => void notifier.alert("Failed to save stages"));
    await userEvent.click(screen.getByRole("button", { name: "OK" }));
    rerender(page(false));
    await waitFor(() => expect(document.activeElement).toEqual(save));
  },
);

it("leaves the focus where the user moved it before the control was enabled", async () => {
  const { notifier, notifications } = createNotifier();
  const page = (isBusy: boolean, hasRow: boolean) => (
    <>
      <button type="button" disabled={isBusy}>
        Save Changes
      </button>
      {hasRow && <button type="button">Delete</button>}
      <NotificationsView notifications={notifications} />
    </>
  );
  const { rerender } = render(page(false, true));
  screen.getByRole("button", { name: "Save Changes" }).focus();
  act(() => {
    rerender(page(true, true));
    void notifier.alert("Failed to save stages");
  });
  await userEvent.click(screen.getByRole("button", { name: "OK" }));
  screen.getByRole("button", { name: "Delete" }).focus();
  rerender(page(false, false));
  // An observer would have run by then.
  await act(async () => {});
  expect(document.activeElement).toEqual(document.body);
});

it("moves the focus to the heading when the control is removed after the dialog", async () => {
  const { notifier, notifications } = createNotifier();
  const page = (button: ReactNode) => (
    <main>
      <h1 tabIndex={-1}>Bulk Message Sender</h1>
      {button}
      <NotificationsView notifications={notifications} />
    </main>
  );
  const { rerender } = render(page(<button type="button">Cancel Send</button>));
  screen.getByRole("button", { name: "Cancel Send" }).focus();
  act(() => {
    rerender(
      page(
        <button type="button" disabled>
          Cancel Send
        </button>,
      ),
    );
    void notifier.alert("✅ Bulk job cancelled and deleted.");
  });
  await userEvent.click(screen.getByRole("button", { name: "OK" }));
  rerender(page(null));
  await waitFor(() => expect(document.activeElement?.textContent).toEqual("Bulk Message Sender"));
});

it("returns the focus after a confirmation and an alert in a row", async () => {
  onTestFinished(rememberFocus());
  const { notifier, notifications } = createNotifier();
  const page = (isBusy: boolean) => (
    <>
      <button type="button" disabled={isBusy}>
        Delete Stage
      </button>
      <NotificationsView notifications={notifications} />
    </>
  );
  const { rerender } = render(page(false));
  const opener = screen.getByRole("button", { name: "Delete Stage" });
  opener.focus();
  rerender(page(true));
  opener.blur();
  act(() => void notifier.confirm("Are you sure you want to delete this stage?"));
  await userEvent.click(screen.getByRole("button", { name: "OK" }));
  act(() => void notifier.alert("Failed to delete stage"));
  await userEvent.click(screen.getByRole("button", { name: "OK" }));
  rerender(page(false));
  await waitFor(() => expect(document.activeElement).toEqual(opener));
});

it("runs Undo on Ctrl+Z, except in text fields", () => {
  const taken: string[] = [];
  const { notifier, notifications } = createNotifier();
  render(
    <>
      <input aria-label="Name" />
      <input type="checkbox" aria-label="Select" />
      <NotificationsView notifications={notifications} />
    </>,
  );
  /** Returns whether the browser still handles the key. */
  const undo = (target: HTMLElement, key = "z", code = "KeyZ") =>
    fireEvent.keyDown(target, { key, code, ctrlKey: true });
  const offer = (what: string) =>
    act(() => notifier.toast("Held.", { undo: { label: "Undo", onPress: () => taken.push(what) } }));
  expect(undo(document.body)).toEqual(true);
  offer("held");
  expect([undo(screen.getByRole("textbox")), taken]).toEqual([true, []]);
  expect([undo(screen.getByRole("checkbox")), taken]).toEqual([false, ["held"]]);
  expect([undo(document.body), taken]).toEqual([true, ["held"]]);
  // The letter counts, wherever the keyboard has it; on layouts without the letter, the key's position counts.
  for (const [key, code] of [
    ["y", "KeyZ"],
    ["z", "KeyY"],
    ["я", "KeyZ"],
  ] as const) {
    offer(`${key} at ${code}`);
    undo(document.body, key, code);
  }
  expect(taken).toEqual(["held", "z at KeyY", "я at KeyZ"]);
});

it("translates an open alert again when the language changes", async () => {
  const { notifier, notifications } = createNotifier();
  function Page() {
    useLocale();
    return <NotificationsView notifications={notifications} />;
  }
  render(<Page />);
  const text = { id: "test.greeting", message: "Good morning, {name}" };
  act(() => void notifier.alert({ ...text, values: { name: "Ann" } }));
  expect((await screen.findByRole("alertdialog")).textContent).toContain("Good morning, Ann");
  i18n.load("es", { [text.id]: ["Buenos días, ", ["name"]] });
  act(() => i18n.activate("es"));
  expect(screen.getByRole("alertdialog").textContent).toContain("Buenos días, Ann");
  act(() => i18n.activate("en"));
});
