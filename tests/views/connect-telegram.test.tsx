import { act, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { type AnyMachineSnapshot, SimulatedClock } from "xstate";
import { activateLocale } from "../../src/language/activate.ts";
import {
  Telegram,
  selectCodeStep,
  selectQrStep,
  selectScreen,
  selectTab,
} from "../../src/machines/telegram/telegram.machine.ts";
import { Tabs } from "../../src/ui/Tabs.tsx";
import { ConnectedAccount } from "../../src/machines/telegram-account/telegram-account.machine.ts";
import { AccountHealth } from "../../src/views/connect-telegram/AccountHealth.tsx";
import { ConnectTelegramView } from "../../src/views/connect-telegram/ConnectTelegramView.tsx";
import { account, telegramAccountModel } from "../machines/telegram-account.model.ts";
import { telegramModel } from "../machines/telegram.model.ts";
import { button, over, press, seen, send, toChart } from "../support/screen.ts";
import { type PendingServices, pendingServices } from "../support/walk-machine.ts";
import { walkEveryView } from "../support/walk-view.tsx";

const input = { phone: null, login: null };

const settling = (services: PendingServices) => (id: string, output: unknown) =>
  act(async () => services.settle(id).resolve(output));

const screenWith = (health: typeof telegramAccountModel.machine) => (
  <ConnectTelegramView
    connected={
      <ConnectedAccount.Provider logic={health}>
        <AccountHealth />
      </ConnectedAccount.Provider>
    }
  />
);

/** Renders the screen with fakes. */
function show() {
  const [services, accountServices] = [pendingServices(), pendingServices()];
  render(
    over(Telegram, screenWith(telegramAccountModel.provide(accountServices)))(telegramModel.provide(services), {
      input,
      clock: new SimulatedClock(),
    }),
  );
  return { settle: settling(services), settleAccount: settling(accountServices) };
}

const user = userEvent.setup();
const fillAndClick = async (label: string, text: unknown, name: string) => {
  const field = screen.getByLabelText(label);
  await user.clear(field);
  await user.type(field, String(text));
  await user.click(screen.getByRole("button", { name }));
};

/** Returns the state that the screen shows, in the chart's terms. */
function shown() {
  if (screen.queryByText("Loading ...")) return { screen: "checking" };
  if (screen.queryByText(/^Leadloom is connected to Telegram/)) return { screen: "connected" };
  const tab = screen.getByRole("tab", { selected: true }).textContent === "Use QR" ? "qr" : "code";
  const codeStep = button("Send Login Code") ? "phone" : button("Confirm Code") ? "code" : "password";
  const qrStep = button("Start QR Login") ? "start" : button("Confirm Password") ? "password" : "approval";
  return { screen: "disconnected", tab, step: tab === "code" ? codeStep : qrStep };
}

function expected(state: AnyMachineSnapshot) {
  const telegram = state as Parameters<typeof selectScreen>[0];
  if (selectScreen(telegram) !== "disconnected") return { screen: selectScreen(telegram) };
  const tab = selectTab(telegram);
  return { screen: "disconnected", tab, step: tab === "code" ? selectCodeStep(telegram) : selectQrStep(telegram) };
}

const byName = (name: string) => () => button(name);

walkEveryView({
  model: {
    ...telegramModel,
    // A renewed QR code arrives the same way as the first one.
    allow: (_snapshot, event) => event.type !== "qr.renewed",
  },
  show: over(Telegram, screenWith(telegramAccountModel.provide(pendingServices()))),
  gestures: {
    // The open tab cannot be chosen.
    "tab.choose": press(({ tab }) =>
      screen.queryByRole("tab", { name: tab === "qr" ? "Use QR" : "Use Code", selected: false }),
    ),
    "phone.submit": send(byName("Send Login Code"), ({ phone }) => ({ "Phone number": phone })),
    "code.submit": send(byName("Confirm Code"), ({ code }) => ({ "Login code": code })),
    "password.submit": send(byName("Confirm Password"), ({ password }) => ({ "Telegram password": password })),
    "login.restart": press(byName("Use another phone number")),
    "qr.start": press(byName("Start QR Login")),
    "qr.cancel": press(byName("Cancel")),
    "account.disconnect": press(byName("Disconnect")),
    "connection.seen": toChart,
  },
  outOfReach: {
    "telegram.disconnected.qr.awaitingApproval | qr.renewed | 0":
      "it changes the picture alone, which no text of the screen tells",
  },
  see(state) {
    expect(shown()).toEqual(expected(state));
    expect(seen(state.context.message?.text)).toBe(state.context.message !== null);
    expect(screen.queryByRole("img", { name: /^QR code/ }) !== null).toBe(shown().step === "approval");
  },
});

async function toQr() {
  const { settle } = show();
  await settle("checkStatus", { connected: false, phone: null });
  await user.click(screen.getByRole("tab", { name: "Use QR" }));
  await user.click(screen.getByRole("button", { name: "Start QR Login" }));
  await settle("startQr", { kind: "started", qrUrl: "tg://login?token=abc" });
  return { settle, picture: screen.getByRole<HTMLImageElement>("img", { name: "QR code for the Telegram login" }) };
}

describe("the QR", () => {
  test("is drawn in the page at 220 by 220, without its address as text", async () => {
    const { picture } = await toQr();
    const size = ["width", "height"].map((name) => picture.getAttribute(name));
    expect([picture.tagName, ...size]).toEqual(["svg", "220", "220"]);
    for (const text of ["Scan this QR in your Telegram app:", "Waiting for approval…", /Tap 'Yes' in the app/])
      expect([text, seen(text)]).toEqual([text, true]);
    expect(document.body.innerHTML).not.toContain("token");
  });

  test("uses an external image service only when the installation configures one", async () => {
    vi.stubEnv("VITE_QR_IMAGE_SERVICE", "https://qr.example/?size=220x220&data={url}");
    onTestFinished(() => void vi.unstubAllEnvs());
    const { picture } = await toQr();
    expect(picture.src).toBe("https://qr.example/?size=220x220&data=tg%3A%2F%2Flogin%3Ftoken%3Dabc");
    expect([picture.width, picture.height]).toEqual([220, 220]);
  });

  test("is replaced by the password form of a two-step account, with its hint", async () => {
    const { settle } = await toQr();
    await settle("completeQr", { kind: "passwordNeeded", hint: "first cat" });
    expect(seen("Enter your Telegram password to finish login:")).toBe(true);
    expect(seen("Your hint: first cat")).toBe(true);
    expect(document.activeElement).toBe(screen.getByLabelText("Telegram password"));
  });
});

test("moves the focus from the phone to the code, and back to a refused code", async () => {
  const { settle } = show();
  await settle("checkStatus", { connected: false, phone: null });
  expect(screen.getByLabelText<HTMLInputElement>("Phone number").placeholder).toBe("+15551234567");
  await fillAndClick("Phone number", "+1555", "Send Login Code");
  await settle("requestCode", { kind: "codeSent" });
  expect(document.activeElement).toBe(screen.getByLabelText("Login code"));
  await fillAndClick("Login code", "1", "Confirm Code");
  await settle("checkCode", { kind: "refused", detail: "That code is old." });
  expect(document.activeElement).toBe(screen.getByLabelText("Login code"));
  expect(screen.getByRole("alert").textContent).toBe("❌ Invalid code or session expired.That code is old.");
});

describe("a connected account", () => {
  async function connected() {
    const shownScreen = show();
    await shownScreen.settle("checkStatus", { connected: true, phone: "+15550100" });
    return shownScreen;
  }
  const cardOf = (part: HTMLElement) => part.closest("section, div[class*=card]");

  test("shows its phone, and 'Disconnecting...' while it disconnects", async () => {
    const { settle } = await connected();
    expect(screen.getByText(/^Leadloom is connected to Telegram/).textContent).toBe(
      "Leadloom is connected to Telegram as +15550100",
    );
    const disconnect = screen.getByRole("button", { name: "Disconnect" });
    const stops = screen.getByText(
      "Disconnecting stops scheduled follow-ups, reminders and a running bulk message until you connect again.",
    );
    expect(disconnect.compareDocumentPosition(stops)).toEqual(Node.DOCUMENT_POSITION_FOLLOWING);
    expect(disconnect.getAttribute("aria-describedby")).toEqual(stops.id);
    await user.click(disconnect);
    expect(button("Disconnecting...")).not.toBe(null);
    await settle("disconnect", { kind: "refused", detail: null });
    expect(cardOf(screen.getByText("❌ Failed to disconnect."))).toEqual(
      cardOf(screen.getByRole("button", { name: "Disconnect" })),
    );
  });

  test("shows its health, and resumes after a stop", async () => {
    const { settleAccount } = await connected();
    await settleAccount("fetchAccount", account);
    expect(seen("Sending stopped")).toBe(true);
    expect(seen(/^Telegram limits how many people this account may write to\./)).toBe(true);
    await user.click(screen.getByRole("button", { name: "Resume sending" }));
    await settleAccount("resumeSending", undefined);
    await settleAccount("fetchAccount", { ...account, stopped_reason: null });
    expect(seen("Healthy")).toBe(true);
  });
});

test("moves between tabs by arrow keys in the direction of an Arabic page", async () => {
  await activateLocale("ar");
  const choose = vi.fn<(id: string) => void>();
  const items = ["code", "qr", "third"].map((id) => ({ id, label: id, content: id }));
  render(<Tabs label="ways" items={items} selected="code" onSelect={choose} />);
  await user.tab();
  await user.keyboard("{ArrowLeft}");
  expect(choose.mock.lastCall).toEqual(["qr"]);
  await activateLocale("en");
});
