import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { type AnyEventObject, type AnyMachineSnapshot, fromPromise } from "xstate";
import type { InboxPage } from "../../domain/inbox.ts";
import { Inbox } from "../../src/machines/inbox/inbox.machine.ts";
import { createSingleKeys } from "../../src/services/single-keys.ts";
import { createStorage } from "../../src/services/storage.ts";
import { InboxList } from "../../src/views/inbox/InboxList.tsx";
import ShortcutSheet from "../../src/views/inbox/ShortcutSheet.tsx";
import { useShortcuts } from "../../src/views/inbox/use-shortcuts.ts";
import { conversationOf, inboxMachine, inboxModel, nowhere } from "../machines/inbox.model.ts";
import { fill, outside, press, submit, toChart } from "../support/gestures.ts";
import { seen } from "../support/screen.ts";
import { walkEveryView } from "../support/walk-view.tsx";

const search = () => screen.queryByRole<HTMLInputElement>("searchbox");
const orderSelect = () => screen.queryByRole<HTMLSelectElement>("combobox", { name: "Order" });
const button = (name: string) => () => screen.queryByRole("button", { name });
const [listening, tell] = outside();

/** Typing what already stands there is no event. */
const isTyped = (state: AnyMachineSnapshot, event: AnyEventObject) =>
  event.type !== "query.change" || state.context.typed !== event["q"];

const model = {
  ...inboxModel,
  allow: (state: AnyMachineSnapshot, event: AnyEventObject) =>
    isTyped(state, event) &&
    // While nothing is listed there is no end of the list either.
    !(event.type === "list.more" && !state.matches({ list: { shown: "current" } })) &&
    (inboxModel.allow?.(state, event) ?? true),
};

walkEveryView({
  machine: inboxMachine,
  model,
  show: (services, options) => {
    const logic = inboxModel.provide(services) as typeof inboxMachine;
    return (
      <Inbox.Provider logic={logic} options={{ ...options, input: nowhere }}>
        <InboxList openId={null} hrefOf={(id) => `/leads/${id}`} linkState={null} onDone={() => {}} onHelp={() => {}} />
      </Inbox.Provider>
    );
  },
  gestures: {
    "view.choose": press(() => {
      const view = button("Unread")();
      // Pressed already, it has nothing more to do.
      return view?.getAttribute("aria-pressed") === "true" ? null : view;
    }),
    "order.choose": fill(
      () => (orderSelect()?.value === "newest" ? null : orderSelect()),
      ({ order }) => order as string,
    ),
    "query.change": fill(search, ({ q }) => q as string),
    "query.apply": (event) => submit(search).act(search() as HTMLElement, event),
    "reading.retry": press(() => {
      const mark = screen.queryByText(/^The conversations could not be read/)?.parentElement;
      return mark ? within(mark).queryByRole("button", { name: "Try again" }) : null;
    }),
    "list.more": press(() => {
      const mark = screen.queryByText("Further conversations could not be read.")?.parentElement;
      return mark ? within(mark).queryByRole("button", { name: "Try again" }) : button("More")();
    }),
    "reading.refresh": toChart,
    "inbox.changed": toChart,
    "address.changed": toChart,
    "waiting.find": toChart,
  },
  see(state) {
    const { place, typed, items } = state.context;
    expect(search()?.value).toEqual(typed);
    for (const [view, name] of [
      ["waiting", "Waiting"],
      ["unread", "Unread"],
      ["all", "All"],
    ] as const)
      expect(button(name)()?.getAttribute("aria-pressed")).toEqual(String(place.view === view));
    expect(orderSelect()?.value ?? null).toEqual(place.view === "waiting" ? state.context.order : null);
    const isLoading = state.hasTag("loading");
    expect(screen.queryByRole("status", { name: "Loading conversations..." }) !== null).toEqual(isLoading);
    expect(seen("The conversations could not be read.")).toEqual(state.hasTag("loadFailed"));
    expect(seen(/^The conversations could not be read again/)).toEqual(state.hasTag("outdated"));
    const isListed = !isLoading && !state.hasTag("loadFailed");
    expect(screen.queryAllByRole("listitem")).toHaveLength(isListed ? items.length : 0);
    expect(seen("Further conversations could not be read.")).toEqual(
      isListed && state.context.next !== null && state.matches({ tail: "unextended" }),
    );
  },
});

it("a search that finds nobody who waits says where it looked, and goes on among all", async () => {
  const asked: { view: string; q: string }[] = [];
  const logic = inboxMachine.provide({
    actors: {
      fetchInbox: fromPromise(async ({ input: { view, q } }) => {
        asked.push({ view, q });
        return { items: [], next: null };
      }),
    },
  });
  render(
    <Inbox.Provider logic={logic} options={{ input: { view: "waiting", q: "anna" } }}>
      <main>
        <InboxList openId={null} hrefOf={(id) => `/leads/${id}`} linkState={null} onDone={() => {}} onHelp={() => {}} />
      </main>
    </Inbox.Provider>,
  );
  expect(await screen.findByText("Nobody found among those who wait")).toBeTruthy();
  const further = screen.getByRole("button", { name: "Search in all" });
  further.focus();
  fireEvent.click(further);
  expect(await screen.findByText("Nobody found")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Search in all" })).toBeNull();
  expect(asked).toEqual([
    { view: "waiting", q: "anna" },
    { view: "all", q: "anna" },
  ]);
  expect(document.activeElement).toBe(screen.getByRole("heading", { name: "Inbox" }));
});

function Keys({ pressed, areOn = true }: { pressed: string[]; areOn?: boolean }) {
  const say = (what: string) => () => void pressed.push(what);
  const verbs = {
    onStep: (by: 1 | -1) => pressed.push(by === 1 ? "after" : "before"),
    onReply: say("reply"),
    onStage: say("stage"),
    onDone: say("done"),
    onNextWaiting: say("next"),
    onHelp: say("help"),
  };
  useShortcuts(verbs, areOn);
  return <input aria-label="Name" />;
}

it("a row of someone who waits is marked done by its button, and the focus passes to the next", async () => {
  const marked: unknown[] = [];
  const last = { id: "17", text: "Hi", direction: "in", kind: "text", at: "2026-03-05T10:00:00Z" } as const;
  let items = ["1", "2"].map((id) => conversationOf(id, { last }));
  const logic = inboxMachine.provide({
    actors: {
      fetchInbox: fromPromise(async (): Promise<InboxPage> => ({ items, next: null })),
      watchInbox: listening,
    },
  });
  const mark = (id: string, upTo: string | undefined) => {
    marked.push([id, upTo]);
    items = items.filter(({ lead }) => lead.id !== id);
    tell({ type: "inbox.changed" });
  };
  render(
    <Inbox.Provider logic={logic} options={{ input: nowhere }}>
      <InboxList openId={null} hrefOf={(id) => `/leads/${id}`} linkState={null} onDone={mark} onHelp={() => {}} />
    </Inbox.Provider>,
  );
  const done = await screen.findByRole("button", { name: "Done: Lead 1" });
  done.focus();
  fireEvent.click(done);
  await vi.waitFor(() => expect(document.activeElement?.getAttribute("aria-label")).toEqual("Done: Lead 2"));
  expect(marked).toEqual([["1", "17"]]);
});

it("a row that stays when it is marked done keeps the focus as its button goes", async () => {
  let since: string | null = "2026-03-05T10:00:00Z";
  const logic = inboxMachine.provide({
    actors: {
      fetchInbox: fromPromise(async (): Promise<InboxPage> => ({
        items: ["1", "2"].map((id) => ({
          ...conversationOf(id),
          waiting_since: id === "2" ? since : null,
        })),
        next: null,
      })),
      watchInbox: listening,
    },
  });
  const mark = () => {
    since = null;
    tell({ type: "inbox.changed" });
  };
  render(
    <Inbox.Provider logic={logic} options={{ input: nowhere }}>
      <InboxList openId={null} hrefOf={(id) => `/leads/${id}`} linkState={null} onDone={mark} onHelp={() => {}} />
    </Inbox.Provider>,
  );
  const done = await screen.findByRole("button", { name: "Done: Lead 2" });
  done.focus();
  fireEvent.click(done);
  await vi.waitFor(() => expect(done.isConnected).toEqual(false));
  expect(document.activeElement?.getAttribute("href")).toEqual("/leads/2");
});

it("one key each does what the sheet says, and nothing while something is typed or held", async () => {
  const pressed: string[] = [];
  render(<Keys pressed={pressed} />);
  const user = userEvent.setup({ delay: null });
  await user.keyboard("jkrsde?x");
  expect(pressed).toEqual(["after", "before", "reply", "stage", "done", "next", "help"]);
  await user.keyboard("{Control>}r{/Control}{Alt>}j{/Alt}");
  await user.type(screen.getByRole("textbox"), "jerks?");
  expect(pressed).toHaveLength(7);
});

it("keys act by their place where the layout has other letters", () => {
  const pressed: string[] = [];
  render(<Keys pressed={pressed} />);
  for (const [key, code, shiftKey] of [
    ["о", "KeyJ", false],
    ["к", "KeyR", false],
    ["О", "KeyJ", true],
    ["؟", "Slash", true],
    ["ё", "Backquote", false],
  ] as const)
    fireEvent.keyDown(document.body, { key, code, shiftKey });
  expect(pressed).toEqual(["after", "reply", "help"]);
});

it("keys without Ctrl do nothing for who switched them off in this browser, and for nobody else", async () => {
  const storage = createStorage(() => window.localStorage);
  const pressed: string[] = [];
  const { set, get } = createSingleKeys(storage, "ada");
  render(<ShortcutSheet onClose={() => {}} areSingleKeysOn={get()} onSingleKeys={set} />);
  fireEvent.click(screen.getByRole("switch", { name: "Keys without Ctrl" }));
  cleanup();
  const areStoredOn = createSingleKeys(storage, "ada").get();
  expect([areStoredOn, createSingleKeys(storage, "bob").get()]).toEqual([false, true]);
  render(<Keys pressed={pressed} areOn={areStoredOn} />);
  await userEvent.setup({ delay: null }).keyboard("jkrsde?");
  expect(pressed).toEqual([]);
  set(true);
  expect(get()).toEqual(true);
});

it("the sheet of keys closes by its button and by Escape", () => {
  const close = vi.fn<() => void>();
  render(<ShortcutSheet onClose={close} areSingleKeysOn onSingleKeys={() => {}} />);
  expect(screen.getByRole("dialog", { name: "Keyboard shortcuts" }).textContent).toContain("Next person waiting");
  fireEvent.click(screen.getByRole("button", { name: "Close" }));
  fireEvent(screen.getByRole("dialog"), new Event("cancel", { cancelable: true }));
  expect(close).toHaveBeenCalledTimes(2);
});
