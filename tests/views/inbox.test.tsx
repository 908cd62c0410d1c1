import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import type { InboxPage } from "../../domain/inbox.ts";
import type { InboxPlace } from "../../src/machines/inbox/inbox.address.ts";
import { Inbox } from "../../src/machines/inbox/inbox.machine.ts";
import { createSingleKeys } from "../../src/services/single-keys.ts";
import { createStorage } from "../../src/services/storage.ts";
import { InboxList, type InboxListProps } from "../../src/views/inbox/InboxList.tsx";
import { InboxView } from "../../src/views/inbox/InboxView.tsx";
import ShortcutSheet from "../../src/views/inbox/ShortcutSheet.tsx";
import { useShortcuts } from "../../src/views/inbox/use-shortcuts.ts";
import { conversationOf, inboxModel, nowhere } from "../machines/inbox.model.ts";
import { answering } from "../support/model.ts";
import {
  button,
  createExternalActor,
  fill,
  over,
  press,
  retryButtonNextTo,
  seen,
  submit,
  toChart,
} from "../support/screen.ts";
import { walkEveryView } from "../support/walk-view.tsx";

const search = () => screen.queryByRole<HTMLInputElement>("searchbox");
const orderSelect = () => screen.queryByRole<HTMLSelectElement>("combobox", { name: "Order" });
const [listening, emit] = createExternalActor();
const list = (onDone: InboxListProps["onDone"] = () => {}) => (
  <InboxList openId={null} hrefOf={(id) => `/leads/${id}`} onDone={onDone} onHelp={() => {}} />
);

walkEveryView({
  model: inboxModel,
  show: over(Inbox, list(), nowhere),
  gestures: {
    "view.choose": press(() => {
      const view = button("Unread");
      // The pressed button does nothing more.
      return view?.getAttribute("aria-pressed") === "true" ? null : view;
    }),
    "order.choose": fill(
      () => (orderSelect()?.value === "newest" ? null : orderSelect()),
      ({ order }) => order as string,
    ),
    "query.change": fill(search, ({ q }) => q as string),
    "query.apply": (event) => submit(search).act(search() as HTMLElement, event),
    "reading.retry": press(() => retryButtonNextTo(/^The conversations could not be read/)),
    "list.more": press(() => retryButtonNextTo("Further conversations could not be read.") ?? button("More")),
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
      expect(button(name)?.getAttribute("aria-pressed")).toEqual(String(place.view === view));
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

/** Renders the list with the items that `itemsOf` returns. */
function show(
  itemsOf: (place: InboxPlace) => InboxPage["items"],
  input: InboxPlace,
  onDone?: InboxListProps["onDone"],
) {
  const fetchInbox = ({ view, q }: InboxPlace) => ({ items: itemsOf({ view, q }), next: null });
  const logic = answering(inboxModel.machine, { fetchInbox }).provide({ actors: { watchInbox: listening } });
  render(over(Inbox, <main>{list(onDone)}</main>)(logic, { input }));
}

it("says where a search found no one, and offers to search all", async () => {
  const requests: InboxPlace[] = [];
  show((place) => (requests.push(place), []), { view: "waiting", q: "anna" });
  expect(await screen.findByText("Nobody found among those who wait")).toBeTruthy();
  const further = button("Search in all");
  further?.focus();
  fireEvent.click(further as HTMLElement);
  expect(await screen.findByText("Nobody found")).toBeTruthy();
  expect(button("Search in all")).toBeNull();
  expect(requests).toEqual([
    { view: "waiting", q: "anna" },
    { view: "all", q: "anna" },
  ]);
  expect(document.activeElement).toBe(screen.getByRole("heading", { name: "Inbox" }));
});

it("moves the focus of a done row to the next, or keeps it when the row stays", async () => {
  const marked: unknown[] = [];
  const last = { id: "17", text: "Hi", direction: "in", kind: "text", at: "2026-03-05T10:00:00Z" } as const;
  let items = ["1", "2"].map((id) => conversationOf(id, { last }));
  show(
    () => items,
    nowhere,
    (id, upTo) => {
      marked.push(`${id} up to ${upTo}`);
      const others = items.filter(({ lead }) => lead.id !== id);
      items = id === "1" ? others : items.map((item) => ({ ...item, waiting_since: null }));
      emit({ type: "inbox.changed" });
    },
  );
  const done = await screen.findByRole("button", { name: "Done: Lead 1" });
  done.focus();
  fireEvent.click(done);
  await vi.waitFor(() => expect(document.activeElement?.getAttribute("aria-label")).toEqual("Done: Lead 2"));
  const next = document.activeElement as HTMLElement;
  fireEvent.click(next);
  await vi.waitFor(() => expect(next.isConnected).toEqual(false));
  expect(document.activeElement?.getAttribute("href")).toEqual("/leads/2");
  expect(marked).toEqual(["1 up to 17", "2 up to 17"]);
});

it("fits the page into the height that an on-screen keyboard leaves", () => {
  const visible = Object.assign(new EventTarget(), { height: 800, scale: 1, offsetTop: 0 });
  vi.stubGlobal("visualViewport", visible);
  const parts = { list: null, conversation: null, panel: null, isPanelOpen: false, areSingleKeysOn: true };
  const { container, unmount } = render(<InboxView {...parts} onBack={() => {}} />);
  const resize = (to: Partial<typeof visible>) => {
    Object.assign(visible, to).dispatchEvent(new Event("resize"));
    return container.style.getPropertyValue("--visible-height");
  };
  expect([resize({}), resize({ height: 500 }), resize({ height: 400, scale: 2 })]).toEqual(["800px", "500px", "800px"]);
  unmount();
  expect(resize({ height: 300, scale: 1 })).toEqual("800px");
  vi.unstubAllGlobals();
});

function Keys({ pressed, areOn = true }: { pressed: string[]; areOn?: boolean }) {
  const record = (what: string) => () => void pressed.push(what);
  const actions = {
    "inbox.next": record("after"),
    "inbox.previous": record("before"),
    "inbox.reply": record("reply"),
    "inbox.stage": record("stage"),
    "inbox.done": record("done"),
    "inbox.waiting": record("next"),
    "sheet.open": record("help"),
  };
  useShortcuts(actions, areOn);
  return <input aria-label="Name" />;
}

it("acts on single keys as listed, but not while typing or with modifiers", async () => {
  const pressed: string[] = [];
  render(<Keys pressed={pressed} />);
  const user = userEvent.setup({ delay: null });
  await user.keyboard("jkrsde?x");
  expect(pressed).toEqual(["after", "before", "reply", "stage", "done", "next", "help"]);
  await user.keyboard("{Control>}r{/Control}{Alt>}j{/Alt}");
  await user.type(screen.getByRole("textbox"), "jerks?");
  expect(pressed).toHaveLength(7);
});

it("acts by key position on layouts with other letters", () => {
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

it("ignores single keys for a user who switched them off in this browser", async () => {
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

it("closes the shortcuts dialog by its button and with Escape", () => {
  const close = vi.fn<() => void>();
  render(<ShortcutSheet onClose={close} areSingleKeysOn onSingleKeys={() => {}} />);
  expect(screen.getByRole("dialog", { name: "Keyboard shortcuts" }).textContent).toContain("Next person waiting");
  fireEvent.click(screen.getByRole("button", { name: "Close" }));
  fireEvent(screen.getByRole("dialog"), new Event("cancel", { cancelable: true }));
  expect(close).toHaveBeenCalledTimes(2);
});
