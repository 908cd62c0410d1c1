import { expect, it, vi } from "vitest";
import { createStorage } from "../../src/services/storage.ts";
import { createThemeStore } from "../../src/services/theme.ts";

const refuse = () => {
  throw new DOMException("denied", "SecurityError");
};

it.each([
  ["keeps texts in the browser's storage", () => localStorage, "1"],
  ["that the browser forbids works from memory", refuse, null],
])("storage %s", (_what, area, kept) => {
  const storage = createStorage(area);
  storage.set("a", "1");
  expect([storage.get("a"), localStorage.getItem("a")]).toEqual(["1", kept]);
  storage.remove("a");
  expect([storage.get("a"), localStorage.getItem("a")]).toEqual([null, null]);
});

it("keeps the newest text in memory while the storage is full", () => {
  let stored = "stale";
  const setItem = vi.fn<(key: string, value: string) => void>(refuse);
  const storage = createStorage(() => ({ getItem: () => stored, setItem }) as unknown as Storage);
  storage.set("a", "fresh");
  expect(storage.get("a")).toEqual("fresh");
  setItem.mockImplementation((_key, value) => void (stored = value));
  storage.set("a", "newest");
  expect([storage.get("a"), stored]).toEqual(["newest", "newest"]);
});

it.each([
  ["dark", "dark", "dark"],
  ["purple", "system", undefined],
])("reads the stored theme %s as %s, shown as %s", (stored, theme, shown) => {
  const root = document.createElement("html");
  localStorage.setItem("leadloom_theme", stored);
  const storage = createStorage(() => localStorage);
  expect(createThemeStore(storage, root).get()).toEqual(theme);
  expect(root.dataset["theme"]).toEqual(shown);
});
