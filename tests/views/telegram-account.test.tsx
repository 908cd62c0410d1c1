import { act, fireEvent, render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { type AnyMachineSnapshot, fromPromise } from "xstate";
import { ConnectedAccount } from "../../src/machines/telegram-account/telegram-account.machine.ts";
import { AccountHealth } from "../../src/views/connect-telegram/AccountHealth.tsx";
import { account, telegramAccountMachine, telegramAccountModel } from "../machines/telegram-account.model.ts";
import { press } from "../support/gestures.ts";
import { seen } from "../support/screen.ts";
import { over, walkEveryView } from "../support/walk-view.tsx";

const button = (name: string | RegExp) => () => screen.queryByRole("button", { name });

const see = ({ context }: AnyMachineSnapshot) => {
  expect(screen.queryByRole("region", { name: "Account health" }) !== null).toEqual(context.account !== null);
  expect(seen(context.problem)).toEqual(context.problem !== null);
};

walkEveryView({
  machine: telegramAccountMachine,
  model: telegramAccountModel,
  show: over(ConnectedAccount, telegramAccountModel, <AccountHealth />),
  gestures: {
    "cap.submit": {
      control: button(/^Sav/),
      act: (control, { dailyCap }) => {
        fireEvent.change(screen.getByLabelText("New contacts a day, at most"), { target: { value: String(dailyCap) } });
        fireEvent.click(control);
      },
    },
    "sending.resume": press(button("Resume sending")),
  },
  see,
});

it("keeps the focus in the daily limit when it is saved", async () => {
  let saved = account;
  const logic = telegramAccountMachine.provide({
    actors: {
      fetchAccount: fromPromise(async () => saved),
      saveDailyCap: fromPromise<unknown, { dailyCap: number }>(async ({ input }) => {
        saved = { ...saved, daily_cap: input.dailyCap };
      }),
    },
  });
  render(
    <ConnectedAccount.Provider logic={logic}>
      <AccountHealth />
    </ConnectedAccount.Provider>,
  );
  const limit = await screen.findByLabelText<HTMLInputElement>("New contacts a day, at most");
  limit.focus();
  fireEvent.change(limit, { target: { value: "50" } });
  await act(async () => fireEvent.submit(limit));
  expect([saved.daily_cap, limit.value, document.activeElement]).toEqual([50, "50", limit]);
});
