import { act, renderHook } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import type { UiTextOrString } from "../../domain/ui-text.ts";
import { english } from "../support/english.ts";
import { stepsOfLastMove } from "../../src/app/history-entries.ts";
import { startLeaving } from "../../src/app/leaving.ts";
import { useUnsavedWork } from "../../src/app/unsaved-work.ts";

const questions: string[] = [];
let isLeft = false;
const notifier = {
  confirm: async (question: UiTextOrString) => {
    questions.push(english(question));
    return isLeft;
  },
};
const leaving = startLeaving({ notifier }, { logOut: () => questions.push("logged out") });

beforeEach(() => {
  questions.length = 0;
  isLeft = false;
});

it("keeps the guard of one part's unsaved changes when another part has saved", async () => {
  const { rerender, unmount } = renderHook(
    ({ key, secret }: { key: boolean; secret: boolean }) => {
      useUnsavedWork(leaving, key, { question: "Leave without the key?" });
      useUnsavedWork(leaving, secret, { question: "Leave without the secret?" });
    },
    { initialProps: { key: true, secret: true } },
  );
  const leave = () => act(async () => leaving.send({ type: "screen.leave", departure: { kind: "logOut" } }));
  await leave();
  rerender({ key: false, secret: true });
  await leave();
  isLeft = true;
  await leave();
  expect(questions).toEqual([
    "Leave without the key?",
    "Leave without the secret?",
    "Leave without the secret?",
    "logged out",
  ]);
  unmount();
});

it("keeps the current address when the user stays", async () => {
  window.history.pushState(null, "", "/leads");
  window.history.pushState(null, "", "/settings#keys");
  const { unmount } = renderHook(() => useUnsavedWork(leaving, true));
  window.history.replaceState(null, "", "/settings#webhooks");
  window.dispatchEvent(new Event("replaceState"));
  window.history.back();
  await vi.waitFor(() => expect(questions).toEqual(["You have unsaved changes. Leave without saving them?"]));
  expect(window.location.pathname + window.location.hash).toEqual("/settings#webhooks");
  unmount();
});

it.each([
  ["Forward", 1, "/stats"],
  ["Back by two entries", -2, "/leads"],
])("keeps the history when the user stays after %s, and follows it when they leave", async (_, steps, path) => {
  for (const one of ["/leads", "/board", "/stages", "/stats"]) window.history.pushState(null, "", one);
  window.history.back();
  await vi.waitFor(() => expect(window.location.pathname).toEqual("/stages"));
  const { length } = window.history;
  const { unmount } = renderHook(() => useUnsavedWork(leaving, true));
  const paths: string[] = [];
  const recordPath = () => paths.push(window.location.pathname);
  window.addEventListener("popstate", recordPath);
  window.history.go(steps);
  await vi.waitFor(() => expect(questions).toHaveLength(1));
  expect([window.location.pathname, window.history.length, paths]).toEqual(["/stages", length, []]);
  isLeft = true;
  window.history.go(steps);
  await vi.waitFor(() => expect(window.location.pathname).toEqual(path));
  await vi.waitFor(() => expect(paths).toEqual([path]));
  expect([questions.length, window.history.length]).toEqual([2, length]);
  window.removeEventListener("popstate", recordPath);
  unmount();
  window.history.go(-steps);
  await vi.waitFor(() => expect(window.location.pathname).toEqual("/stages"));
  window.history.forward();
  await vi.waitFor(() => expect(window.location.pathname).toEqual("/stats"));
});

it("keeps an entry's state beside its position, and counts a jump as one entry", async () => {
  for (const one of ["/leads", "/settings"]) window.history.pushState({ isInside: true }, "", one);
  expect(window.history.state).toMatchObject({ isInside: true });
  const jumped = new Promise((resolve) => window.addEventListener("popstate", resolve, { once: true }));
  window.location.hash = "#content";
  await jumped;
  expect(stepsOfLastMove()).toEqual(1);
  // Chromium replaces the entry of the same address and fires popstate.
  History.prototype.replaceState.call(window.history, null, "");
  window.dispatchEvent(new PopStateEvent("popstate", { state: null }));
  expect(stepsOfLastMove()).toEqual(0);
  const { unmount } = renderHook(() => useUnsavedWork(leaving, true));
  window.history.go(-2);
  await vi.waitFor(() => expect(questions).toHaveLength(1));
  expect(window.location.pathname + window.location.hash).toEqual("/settings#content");
  unmount();
  window.history.go(-2);
  await vi.waitFor(() => expect([window.location.pathname, stepsOfLastMove()]).toEqual(["/leads", -2]));
});
