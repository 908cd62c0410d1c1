import { act, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, test } from "vitest";
import {
  type AnyEventObject,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  SimulatedClock,
  fromCallback,
} from "xstate";
import type { telegramAccountMachine } from "../../src/machines/telegram-account/index.ts";
import {
  TelegramProvider,
  selectCodeStep,
  selectQrStep,
  selectScreen,
  selectTab,
  telegramMachine,
} from "../../src/machines/telegram/index.ts";
import { ConnectTelegramView } from "../../src/views/connect-telegram/ConnectTelegramView.tsx";
import { account, telegramAccountModel } from "../machines/telegram-account.model.ts";
import { telegramModel } from "../machines/telegram.model.ts";
import { pendingServices, play } from "../support/walk-machine.ts";
import { pathsOf } from "../support/walk-suite.ts";

const input = { phone: null };
const button = (name: string) => screen.queryByRole("button", { name });

/** Renders the screen over fakes; `tell` is news from the server. */
function show(clock = new SimulatedClock(), qrImageService: string | null = null) {
  const services = pendingServices();
  let tell = (_event: AnyEventObject) => {};
  const watcher = fromCallback<AnyEventObject>(({ sendBack }) => {
    tell = sendBack;
  });
  const machine = (telegramModel.provide(services) as typeof telegramMachine).provide({
    actors: { watchConnection: watcher },
  });
  const accountServices = pendingServices();
  const health = telegramAccountModel.provide(accountServices) as typeof telegramAccountMachine;
  render(
    <TelegramProvider logic={machine} options={{ input, clock }}>
      <ConnectTelegramView accountHealth={health} qrImageService={qrImageService} />
    </TelegramProvider>,
  );
  return { services, accountServices, clock, tell: (event: AnyEventObject) => tell(event) };
}

const user = userEvent.setup();
const fillAndClick = async (label: string, text: unknown, name: string) => {
  const field = screen.getByLabelText(label);
  await user.clear(field);
  await user.type(field, String(text));
  await user.click(screen.getByRole("button", { name }));
};

const gestures: Record<string, (event: AnyEventObject) => Promise<void>> = {
  "tab.choose": (event) => user.click(screen.getByRole("tab", { name: event["tab"] === "qr" ? "Use QR" : "Use Code" })),
  "phone.submit": (event) => fillAndClick("Phone number", event["phone"], "Send Login Code"),
  "code.submit": (event) => fillAndClick("Login code", event["code"], "Confirm Code"),
  "password.submit": (event) => fillAndClick("Telegram password", event["password"], "Confirm Password"),
  "login.restart": () => user.click(screen.getByRole("button", { name: "Use another phone number" })),
  "qr.start": () => user.click(screen.getByRole("button", { name: "Start QR Login" })),
  "qr.cancel": () => user.click(screen.getByRole("button", { name: "Cancel" })),
  "reading.retry": () => user.click(screen.getByRole("button", { name: "Try again" })),
  "account.disconnect": () => user.click(screen.getByRole("button", { name: "Disconnect" })),
};

/** What the screen shows, read back as the chart would say it. */
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

const isTabDisabled = (name: string) => screen.queryByRole("tab", { name })?.getAttribute("aria-disabled") === "true";

describe("the connect screen follows every path of the chart", () => {
  const paths = pathsOf(telegramMachine as AnyStateMachine, {
    ...telegramModel,
    // News of the QR come by the same way as the picture they replace; what a person cannot do is not played.
    allow: (snapshot, event) => event.type !== "qr.renewed" && snapshot.can(event),
  });

  it.each(paths)("%s", async (_name, steps) => {
    const { services, clock, tell } = show();
    for (const { event, state } of steps) {
      const gesture = gestures[event.type];
      if (gesture) await gesture(event);
      else await act(() => play(event, { services, clock, delays: telegramModel.delays ?? {}, user: tell }));
      expect(shown()).toEqual(expected(state));
      expect(screen.queryByText(state.context.message?.text ?? "nothing is said") !== null).toBe(
        state.context.message !== null,
      );
      expect(button("Try again") !== null).toBe(state.can({ type: "reading.retry" }));
      const isBusy = state.hasTag("busy");
      const step = shown().step;
      expect(isTabDisabled("Use Code")).toBe(
        shown().screen === "disconnected" && (isBusy || (shown().tab === "qr" && step !== "start")),
      );
      expect(isTabDisabled("Use QR")).toBe(shown().tab === "code" && step !== "phone");
      expect(screen.queryByRole("img", { name: /^QR code/ }) !== null).toBe(step === "approval");
    }
  });
});

async function toQr(qrImageService: string | null = null) {
  const shownScreen = show(new SimulatedClock(), qrImageService);
  const settle = (id: string, output: unknown) => act(async () => shownScreen.services.settle(id).resolve(output));
  await settle("checkStatus", { connected: false, phone: null });
  await user.click(screen.getByRole("tab", { name: "Use QR" }));
  await user.click(screen.getByRole("button", { name: "Start QR Login" }));
  await settle("startQr", { kind: "started", qrUrl: "tg://login?token=abc" });
  return settle;
}

describe("the QR", () => {
  test("is drawn in the page at 220 by 220, and its address stands nowhere as text", async () => {
    await toQr();
    const picture = screen.getByRole("img", { name: "QR code for the Telegram login" });
    expect([picture.tagName, picture.getAttribute("width"), picture.getAttribute("height")]).toEqual([
      "svg",
      "220",
      "220",
    ]);
    expect(screen.getByText("Scan this QR in your Telegram app:")).toBeTruthy();
    expect(screen.getByText("Waiting for approval…")).toBeTruthy();
    expect(screen.getByText(/Tap 'Yes' in the app/)).toBeTruthy();
    expect(document.body.innerHTML).not.toContain("token");
  });

  test("comes from an outside image service only where the installation names one", async () => {
    await toQr("https://qr.example/?size=220x220&data={url}");
    const picture = screen.getByRole<HTMLImageElement>("img", { name: "QR code for the Telegram login" });
    expect(picture.src).toBe("https://qr.example/?size=220x220&data=tg%3A%2F%2Flogin%3Ftoken%3Dabc");
    expect([picture.width, picture.height]).toEqual([220, 220]);
  });

  test("gives way to the password of a two-step account, asked with its hint", async () => {
    const settle = await toQr();
    await settle("completeQr", { kind: "passwordNeeded", hint: "first cat" });
    expect(screen.getByText("Enter your Telegram password to finish login:")).toBeTruthy();
    expect(screen.getByText("Your hint: first cat")).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByLabelText("Telegram password"));
  });
});

describe("the code flow", () => {
  test("leads the focus from field to field, and back to the field after a refusal", async () => {
    const { services } = show();
    const settle = (id: string, output: unknown) => act(async () => services.settle(id).resolve(output));
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
});

describe("a connected account", () => {
  async function connected() {
    const { services, accountServices } = show();
    await act(async () => services.settle("checkStatus").resolve({ connected: true, phone: "+15550100" }));
    return { services, accountServices };
  }

  test("is told with its phone, and says 'Disconnecting...' while it is let go", async () => {
    await connected();
    expect(screen.getByText(/^Leadloom is connected to Telegram/).textContent).toBe(
      "Leadloom is connected to Telegram as +15550100",
    );
    await user.click(screen.getByRole("button", { name: "Disconnect" }));
    expect(screen.getByRole("button", { name: "Disconnecting..." })).toBeTruthy();
  });

  test("shows no health panel on a server that tells none", async () => {
    const { accountServices } = await connected();
    await act(async () => accountServices.settle("fetchAccount").resolve(null));
    expect(screen.queryByText("Account health")).toBeNull();
  });

  test("says so when its health could not be read, and reads it again on demand", async () => {
    const { accountServices } = await connected();
    await act(async () => accountServices.settle("fetchAccount").reject(new Error("503")));
    expect(screen.getByText("The account's health could not be read.")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Try again" }));
    await act(async () => accountServices.settle("fetchAccount").resolve(account));
    expect(screen.getByText("Account health")).toBeTruthy();
  });

  test("tells a refused disconnect beside its button", async () => {
    const { services } = await connected();
    await user.click(screen.getByRole("button", { name: "Disconnect" }));
    await act(async () => services.settle("disconnect").reject(new Error("offline")));
    const refusal = screen.getByText("❌ Failed to disconnect.");
    expect(refusal.closest("section, div[class*=card]")).toEqual(
      screen.getByRole("button", { name: "Disconnect" }).closest("section, div[class*=card]"),
    );
  });

  test("shows its health, takes a new daily limit and resumes after a stop", async () => {
    const { accountServices } = await connected();
    await act(async () => accountServices.settle("fetchAccount").resolve(account));
    expect(screen.getByText("Sending stopped")).toBeTruthy();
    expect(screen.getByText("Telegram limits this account.")).toBeTruthy();
    await fillAndClick("New contacts a day, at most", "50", "Save limit");
    await act(async () => accountServices.settle("saveDailyCap").resolve(undefined));
    await act(async () => accountServices.settle("fetchAccount").resolve({ ...account, daily_cap: 50 }));
    expect(screen.getByLabelText<HTMLInputElement>("New contacts a day, at most").value).toBe("50");
    await user.click(screen.getByRole("button", { name: "Resume sending" }));
    await act(async () => accountServices.settle("resumeSending").resolve(undefined));
    await act(async () => accountServices.settle("fetchAccount").resolve({ ...account, stopped_reason: null }));
    expect(screen.getByText("Healthy")).toBeTruthy();
  });
});
