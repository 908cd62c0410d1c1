import { act, renderHook } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { createLeaving } from "../../src/app/leaving.ts";
import { useUnsavedWork } from "../../src/app/unsaved-work.ts";

const nothing = () => {};
const asked: string[] = [];
let isLeft = false;
const leaving = createLeaving({
  notifier: {
    confirm: async (words) => {
      asked.push(words);
      return isLeft;
    },
  },
  logOut: () => asked.push("logged out"),
});

beforeEach(() => {
  asked.length = 0;
  isLeft = false;
});

it("what one part of a screen has saved does not open the way out over what another part would lose", async () => {
  const { rerender, unmount } = renderHook(
    ({ key, secret }: { key: boolean; secret: boolean }) => {
      useUnsavedWork(leaving, key, nothing, "Leave without the key?");
      useUnsavedWork(leaving, secret, nothing, "Leave without the secret?");
    },
    { initialProps: { key: true, secret: true } },
  );
  const leave = () => act(async () => leaving.send({ type: "screen.leave", departure: { kind: "logOut" } }));
  await leave();
  rerender({ key: false, secret: true });
  await leave();
  isLeft = true;
  await leave();
  expect(asked).toEqual([
    "Leave without the key?",
    "Leave without the secret?",
    "Leave without the secret?",
    "logged out",
  ]);
  unmount();
});

it("whoever stays is where they were on the screen, not where it began to hold something", async () => {
  window.history.pushState(null, "", "/leads");
  window.history.pushState(null, "", "/settings#keys");
  const { unmount } = renderHook(() => useUnsavedWork(leaving, true, nothing));
  window.history.replaceState(null, "", "/settings#webhooks");
  window.dispatchEvent(new Event("replaceState"));
  window.history.back();
  await vi.waitFor(() => expect(asked).toEqual(["You have unsaved changes. Leave without saving them?"]));
  expect(window.location.pathname + window.location.hash).toEqual("/settings#webhooks");
  unmount();
});
