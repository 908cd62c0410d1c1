import { fireEvent, screen, within } from "@testing-library/react";
import { expect } from "vitest";
import { createActor } from "xstate";
import { NotificationsView } from "../../src/views/notifications/NotificationsView.tsx";
import { notificationsModel } from "../machines/notifications.model.ts";
import { button, press, toChart } from "../support/screen.ts";
import type { WalkedView } from "../support/walk-view.tsx";

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

export const notificationsWalk: WalkedView = {
  model: notificationsModel,
  show: (logic, options) => (
    <NotificationsView notifications={createActor(logic as typeof notificationsModel.machine, options).start()} />
  ),
  gestures: {
    "toast.show": toChart,
    "question.ask": toChart,
    "offer.show": toChart,
    "warning.show": toChart,
    "question.withdraw": toChart,
    // Holding and releasing is hovering and leaving, which the screen cannot disable.
    "offer.hold": () => fireEvent.pointerEnter(screen.getByRole("button", { name: "Undo" })),
    "offer.release": () => fireEvent.pointerLeave(screen.getByRole("button", { name: "Undo" })),
    "offer.accept": press("Undo"),
    "offer.dismiss": press(dismissBesideUndo),
    "warning.dismiss": press(dismissBeside("[role=alert]")),
    "toast.dismiss": press(() => (isBesideUndo() ? null : dismissBeside("[role=status]")())),
    "question.answer": press(({ isConfirmed }) =>
      screen.queryByRole("button", { name: isConfirmed ? "OK" : "Cancel" }),
    ),
  },
  see(state) {
    expect(screen.getByRole("status").textContent).toEqual(state.context.toast ?? "");
    const { toast, offer } = state.context;
    const isHeadline = toast !== null && toast === offer?.headline;
    expect(document.querySelector("[aria-live=polite]")?.textContent).toEqual(isHeadline ? "" : (offer?.message ?? ""));
    expect(button("Undo") !== null).toEqual(state.matches({ offer: "open" }));
    expect(screen.queryByRole("alert")?.textContent ?? null).toEqual(state.context.warning);
    expect(document.querySelectorAll("[role=status] button, [aria-live] button, [role=alert] button").length).toEqual(
      0,
    );
    const question = state.context.questions[0];
    expect(screen.queryByRole("alertdialog", { name: question?.message ?? "" }) !== null).toEqual(Boolean(question));
    expect(button("Cancel") !== null).toEqual(question?.kind === "confirm");
  },
};
