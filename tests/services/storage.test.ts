import { expect, it } from "vitest";
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

it("storage that is full keeps the newest text in memory over the stale one it holds", () => {
  const full = { getItem: () => "stale", setItem: refuse, removeItem: () => {} } as unknown as Storage;
  const storage = createStorage(() => full);
  storage.set("a", "fresh");
  expect(storage.get("a")).toEqual("fresh");
});

it.each([
  ["dark", "dark", "dark"],
  ["purple", "system", undefined],
])("a stored theme %s is %s, and on the page %s", (stored, theme, shown) => {
  const root = document.createElement("html");
  localStorage.setItem("leadloom_theme", stored);
  const storage = createStorage(() => localStorage);
  expect(createThemeStore(storage, root).get()).toEqual(theme);
  expect(root.dataset["theme"]).toEqual(shown);
});
