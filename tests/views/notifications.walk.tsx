import { fireEvent, screen, within } from "@testing-library/react";
import { expect } from "vitest";
import { type AnyMachineSnapshot, createActor } from "xstate";
import { NotificationsView } from "../../src/views/notifications/NotificationsView.tsx";
import { notificationsMachine, notificationsModel } from "../machines/notifications.model.ts";
import { press } from "../support/gestures.ts";
import type { WalkedView } from "../support/walk-view.tsx";
import { button } from "../support/screen.ts";

const seeNotices = (state: AnyMachineSnapshot) => {
  expect(screen.getByRole("status").textContent).toEqual(state.context.toast ?? "");
  const { toast, offer } = state.context;
  const isHeadline = toast !== null && toast === offer?.headline;
  expect(document.querySelector("[aria-live=polite]")?.textContent).toEqual(isHeadline ? "" : (offer?.message ?? ""));
  expect(button("Undo") !== null).toEqual(state.matches({ offer: "open" }));
  expect(screen.queryByRole("alert")?.textContent ?? null).toEqual(state.context.warning);
  expect(document.querySelectorAll("[role=status] button, [aria-live] button, [role=alert] button").length).toEqual(0);
  const question = state.context.questions[0];
  expect(screen.queryByRole("alertdialog", { name: question?.message ?? "" }) !== null).toEqual(Boolean(question));
  expect(button("Cancel") !== null).toEqual(question?.kind === "confirm");
};

/** Returns the dismiss button of the toast whose text is in `spoken`. */
const dismissBeside = (spoken: string) => () => {
  const toast = document.querySelector(spoken)?.parentElement;
  return toast ? within(toast).queryByRole("button", { name: "Dismiss" }) : null;
};

/** Returns the dismiss button of the toast with the undo. */
const dismissBesideUndo = () => {
  const toast = button("Undo")?.parentElement;
  return toast ? within(toast).getByRole("button", { name: "Dismiss" }) : null;
};
const isBesideUndo = () => button("Undo")?.parentElement === screen.getByRole("status").parentElement;

let send: (event: never) => void = () => {};

export const notificationsWalk: WalkedView = {
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
    // Holding and releasing is hovering and leaving, which the screen cannot disable.
    "offer.hold": () => fireEvent.pointerEnter(screen.getByRole("button", { name: "Undo" })),
    "offer.release": () => fireEvent.pointerLeave(screen.getByRole("button", { name: "Undo" })),
    "offer.accept": press(() => button("Undo")),
    "offer.dismiss": press(dismissBesideUndo),
    "warning.dismiss": press(dismissBeside("[role=alert]")),
    "toast.dismiss": press(() => (isBesideUndo() ? null : dismissBeside("[role=status]")())),
    "question.answer": press(({ isConfirmed }) =>
      screen.queryByRole("button", { name: isConfirmed ? "OK" : "Cancel" }),
    ),
  },
  see: seeNotices,
};
