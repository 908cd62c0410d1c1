import { act, fireEvent, render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { ConnectedAccount } from "../../src/machines/telegram-account/telegram-account.machine.ts";
import { AccountHealth } from "../../src/views/connect-telegram/AccountHealth.tsx";
import { account, telegramAccountModel } from "../machines/telegram-account.model.ts";
import { answering } from "../support/model.ts";
import { button, over, press, seen } from "../support/screen.ts";
import { walkEveryView } from "../support/walk-view.tsx";

walkEveryView({
  model: telegramAccountModel,
  show: over(ConnectedAccount, <AccountHealth />),
  gestures: {
    "cap.submit": {
      control: () => button(/^Sav/),
      act: (control, { dailyCap }) => {
        fireEvent.change(screen.getByLabelText("New contacts a day, at most"), { target: { value: String(dailyCap) } });
        fireEvent.click(control);
      },
    },
    "sending.resume": press("Resume sending"),
  },
  see(state) {
    const { context } = state;
    expect(seen("The account's health could not be read.")).toEqual(
      state.hasTag("loadFailed") || state.hasTag("outdated"),
    );
    expect(screen.queryByRole("region", { name: "Account health" }) !== null).toEqual(context.account !== null);
    expect(seen(context.problem)).toEqual(context.problem !== null);
  },
});

it("keeps the focus in the daily limit when it is saved", async () => {
  let saved = account;
  const logic = answering(telegramAccountModel.machine, {
    fetchAccount: () => saved,
    saveDailyCap: ({ dailyCap }: { dailyCap: number }) => (saved = { ...saved, daily_cap: dailyCap }),
  });
  render(over(ConnectedAccount, <AccountHealth />)(logic));
  const limit = await screen.findByLabelText<HTMLInputElement>("New contacts a day, at most");
  limit.focus();
  fireEvent.change(limit, { target: { value: "50" } });
  await act(async () => fireEvent.submit(limit));
  expect([saved.daily_cap, limit.value, document.activeElement]).toEqual([50, "50", limit]);
});

it("reads thousands separators in the daily limit, and refuses decimals", async () => {
  const saved: number[] = [];
  const logic = answering(telegramAccountModel.machine, {
    fetchAccount: () => account,
    saveDailyCap: ({ dailyCap }: { dailyCap: number }) => (saved.push(dailyCap), { ...account, daily_cap: dailyCap }),
  });
  render(over(ConnectedAccount, <AccountHealth />)(logic));
  const limit = await screen.findByLabelText<HTMLInputElement>("New contacts a day, at most");
  for (const text of ["1,5", "1.000", "1,500"]) {
    fireEvent.change(limit, { target: { value: text } });
    expect(seen("Write a whole number from 1 to 10,000.")).toEqual(text !== "1,500");
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await act(async () => fireEvent.submit(limit));
  }
  expect(saved).toEqual([1_500]);
});
