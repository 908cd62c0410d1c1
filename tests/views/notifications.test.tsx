import { act, fireEvent, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { type AnyMachineSnapshot, createActor } from "xstate";
import { createNotificationsPlace } from "../../src/app/notifications-place.tsx";
import { createNotifier, notificationsMachine } from "../../src/machines/notifications/index.ts";
import { NotificationsView } from "../../src/views/notifications/NotificationsView.tsx";
import { notificationsModel } from "../machines/notifications.model.ts";
import { press } from "../support/gestures.ts";
import { walkEveryView } from "../support/walk-view.tsx";

const seeNotices = (state: AnyMachineSnapshot) => {
  expect(screen.getByRole("status").textContent).toEqual(state.context.toast ?? "");
  expect(screen.queryByText("Reminder deleted") !== null).toEqual(state.matches({ offer: "open" }));
  expect(screen.queryByRole("button", { name: "Undo" }) !== null).toEqual(state.matches({ offer: "open" }));
  expect(screen.queryByRole("alert")?.textContent ?? null).toEqual(state.context.warning);
  expect(document.querySelectorAll("[role=status] button, [aria-live] button, [role=alert] button").length).toEqual(0);
  const question = state.context.questions[0];
  expect(screen.queryByRole("alertdialog", { name: question?.message ?? "" }) !== null).toEqual(Boolean(question));
  expect(screen.queryByRole("button", { name: "Cancel" }) !== null).toEqual(question?.kind === "confirm");
};

/** The button that closes the toast whose words stand in `spoken`. */
const dismissBeside = (spoken: string) => () => {
  const toast = document.querySelector(spoken)?.parentElement;
  return toast ? within(toast).queryByRole("button", { name: "Dismiss" }) : null;
};

let send: (event: never) => void = () => {};

walkEveryView({
  machine: notificationsMachine,
  model: {
    ...notificationsModel,
    // An alert has no Cancel.
    allow: (state, event) =>
      (notificationsModel.allow?.(state, event) ?? true) && !(event.type === "question.answer" && !state.can(event)),
  },
  show: (_services, options) => {
    const notifications = createActor(notificationsMachine, options).start();
    send = (event) => notifications.send(event);
    return <NotificationsView notifications={notifications} />;
  },
  gestures: {
    "toast.show": (event) => send(event as never),
    "question.ask": (event) => send(event as never),
    "offer.show": (event) => send(event as never),
    "warning.show": (event) => send(event as never),
    "question.withdraw": (event) => send(event as never),
    // To hold and release is to be over the offer or not, which nothing on the screen can forbid.
    "offer.hold": () => fireEvent.pointerEnter(screen.getByRole("button", { name: "Undo" })),
    "offer.release": () => fireEvent.pointerLeave(screen.getByRole("button", { name: "Undo" })),
    "offer.accept": press(() => screen.queryByRole("button", { name: "Undo" })),
    "offer.dismiss": press(dismissBeside("[aria-live=polite]")),
    "warning.dismiss": press(dismissBeside("[role=alert]")),
    "toast.dismiss": press(dismissBeside("[role=status]")),
    "question.answer": press(({ isConfirmed }) =>
      screen.queryByRole("button", { name: isConfirmed ? "OK" : "Cancel" }),
    ),
  },
  see: seeNotices,
});

describe("a question over the page", () => {
  it("is asked by the browser where the code of the page's own does not come", async () => {
    const asked: unknown[] = [];
    vi.spyOn(window, "confirm").mockImplementation((words) => asked.push(["confirm", words]) === 1);
    vi.spyOn(window, "alert").mockImplementation((words) => void asked.push(["alert", words]));
    const { notifier, notifications } = createNotifier();
    const Place = createNotificationsPlace(() => Promise.reject(new Error("no such file")));
    render(<Place notifications={notifications} />);
    const answers: unknown[] = [];
    for (const ask of [notifier.confirm, notifier.confirm, notifier.alert])
      await act(async () => void answers.push(await ask(`Sure ${answers.length}?`)));
    expect(answers).toEqual([true, false, undefined]);
    expect(asked).toEqual([
      ["confirm", "Sure 0?"],
      ["confirm", "Sure 1?"],
      ["alert", "Sure 2?"],
    ]);
  });

  it("takes the focus, and gives it back to where it was when answered", async () => {
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
});

it("what is said stands there in plain words where the code of the toasts does not come", async () => {
  const { notifier, notifications } = createNotifier();
  const Place = createNotificationsPlace(() => Promise.reject(new Error("no such file")));
  render(<Place notifications={notifications} />);
  await act(async () => {
    notifier.warn("A note was not saved.");
    notifier.toast("Reminder deleted.", { undo: { label: "Undo", onPress: () => {} } });
  });
  expect((await screen.findByRole("status")).textContent).toEqual("A note was not saved. Reminder deleted.");
});

describe("Ctrl+Z", () => {
  it("takes what is offered, and stays the textbox's own where somebody types", () => {
    const taken: string[] = [];
    const { notifier, notifications } = createNotifier();
    render(
      <>
        <input aria-label="Name" />
        <input type="checkbox" aria-label="Select" />
        <NotificationsView notifications={notifications} />
      </>,
    );
    const undo = (target: HTMLElement) => fireEvent.keyDown(target, { code: "KeyZ", key: "z", ctrlKey: true });
    expect(undo(document.body)).toEqual(true);
    act(() => notifier.toast("Held.", { undo: { label: "Undo", onPress: () => taken.push("held") } }));
    expect([undo(screen.getByRole("textbox")), taken]).toEqual([true, []]);
    expect([undo(screen.getByRole("checkbox")), taken]).toEqual([false, ["held"]]);
    expect([undo(document.body), taken]).toEqual([true, ["held"]]);
  });

  it("is the letter, wherever the keyboard has it, and its place where there is no such letter", () => {
    const taken: string[] = [];
    const { notifier, notifications } = createNotifier();
    render(<NotificationsView notifications={notifications} />);
    const offered = (key: string, code: string) => {
      act(() => notifier.toast("Held.", { undo: { label: "Undo", onPress: () => taken.push(`${key} at ${code}`) } }));
      fireEvent.keyDown(document.body, { key, code, ctrlKey: true });
    };
    offered("y", "KeyZ");
    offered("z", "KeyY");
    offered("я", "KeyZ");
    expect(taken).toEqual(["z at KeyY", "я at KeyZ"]);
  });
});
