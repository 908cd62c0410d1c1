import { act, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, test, vi } from "vitest";
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
import { ConnectTelegramView } from "../../src/views/connect-telegram/ConnectTelegramView.tsx";
import { account, type telegramAccountMachine, telegramAccountModel } from "../machines/telegram-account.model.ts";
import { telegramMachine, telegramModel } from "../machines/telegram.model.ts";
import { press, send, outside } from "../support/gestures.ts";
import { pendingServices } from "../support/walk-machine.ts";
import { button, seen } from "../support/screen.ts";
import { walkEveryView } from "../support/walk-view.tsx";

const input = { phone: null, login: null };

/** Renders the screen over fakes. */
function show(clock = new SimulatedClock(), qrImageService: string | null = null) {
  const services = pendingServices();
  const machine = telegramModel.provide(services) as typeof telegramMachine;
  const accountServices = pendingServices();
  const health = telegramAccountModel.provide(accountServices) as typeof telegramAccountMachine;
  render(
    <Telegram.Provider logic={machine} options={{ input, clock }}>
      <ConnectTelegramView accountHealth={health} qrImageService={qrImageService} />
    </Telegram.Provider>,
  );
  return { services, accountServices };
}

const user = userEvent.setup();
const fillAndClick = async (label: string, text: unknown, name: string) => {
  const field = screen.getByLabelText(label);
  await user.clear(field);
  await user.type(field, String(text));
  await user.click(screen.getByRole("button", { name }));
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

const [listening, tell] = outside();
const byName = (name: string) => () => button(name);

walkEveryView({
  machine: telegramMachine,
  model: {
    ...telegramModel,
    // News of the QR come by the same way as the picture they replace; what a person cannot do is not played.
    allow: (snapshot, event) => event.type !== "qr.renewed" && snapshot.can(event),
  },
  show: (services, options) => {
    const logic = (telegramModel.provide(services) as typeof telegramMachine).provide({
      actors: {
        watchConnection: listening,
      },
    });
    const health = telegramAccountModel.provide(pendingServices()) as typeof telegramAccountMachine;
    return (
      <Telegram.Provider logic={logic} options={options as typeof options & { input: typeof input }}>
        <ConnectTelegramView accountHealth={health} qrImageService={null} />
      </Telegram.Provider>
    );
  },
  gestures: {
    // The tab that is open already cannot be chosen.
    "tab.choose": press(({ tab }) =>
      screen.queryByRole("tab", { name: tab === "qr" ? "Use QR" : "Use Code", selected: false }),
    ),
    "phone.submit": send(byName("Send Login Code"), ({ phone }) => ({ "Phone number": phone })),
    "code.submit": send(byName("Confirm Code"), ({ code }) => ({ "Login code": code })),
    "password.submit": send(byName("Confirm Password"), ({ password }) => ({ "Telegram password": password })),
    "login.restart": press(byName("Use another phone number")),
    "qr.start": press(byName("Start QR Login")),
    "qr.cancel": press(byName("Cancel")),
    "reading.retry": press(byName("Try again")),
    "account.disconnect": press(byName("Disconnect")),
    "connection.seen": (event) => tell(event),
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

  test("says below Disconnect what it stops", async () => {
    await connected();
    const stops = screen.getByText(
      "Disconnecting stops scheduled follow-ups, reminders and a running bulk message until you connect again.",
    );
    const button = screen.getByRole("button", { name: "Disconnect" });
    expect(button.compareDocumentPosition(stops)).toEqual(Node.DOCUMENT_POSITION_FOLLOWING);
    expect(button.getAttribute("aria-describedby")).toEqual(stops.id);
  });

  test("shows no health panel on a server that tells none", async () => {
    const { accountServices } = await connected();
    await act(async () => accountServices.settle("fetchAccount").resolve(null));
    expect(seen("Account health")).toEqual(false);
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
    await act(async () => services.settle("disconnect").resolve({ kind: "refused", detail: null }));
    const refusal = screen.getByText("❌ Failed to disconnect.");
    expect(refusal.closest("section, div[class*=card]")).toEqual(
      screen.getByRole("button", { name: "Disconnect" }).closest("section, div[class*=card]"),
    );
  });

  test("shows its health, takes a new daily limit and resumes after a stop", async () => {
    const { accountServices } = await connected();
    await act(async () => accountServices.settle("fetchAccount").resolve(account));
    expect(screen.getByText("Sending stopped")).toBeTruthy();
    expect(screen.getByText(/^Telegram limits how many people this account may write to\./)).toBeTruthy();
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

test("the arrow keys go from tab to tab the way that an Arabic page runs", async () => {
  await activateLocale("ar");
  const choose = vi.fn<(id: string) => void>();
  const items = ["code", "qr", "third"].map((id) => ({ id, label: id, content: id }));
  render(<Tabs label="ways" items={items} selected="code" onSelect={choose} />);
  await user.tab();
  await user.keyboard("{ArrowLeft}");
  expect(choose.mock.lastCall).toEqual(["qr"]);
  await activateLocale("en");
});
