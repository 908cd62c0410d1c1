import { fireEvent, screen } from "@testing-library/react";
import { expect } from "vitest";
import type { AnyMachineSnapshot } from "xstate";
import { ConnectedAccount } from "../../src/machines/telegram-account/telegram-account.machine.ts";
import { AccountHealth } from "../../src/views/connect-telegram/AccountHealth.tsx";
import { telegramAccountMachine, telegramAccountModel } from "../machines/telegram-account.model.ts";
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
