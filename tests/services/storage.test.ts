import { describe, expect, it } from "vitest";
import { createStorage } from "../../src/services/storage.ts";
import { createThemeStore } from "../../src/services/theme.ts";

const refuse = () => {
  throw new DOMException("denied", "SecurityError");
};

describe("storage", () => {
  it("keeps texts in the browser's storage", () => {
    const storage = createStorage(() => localStorage);
    storage.set("a", "1");
    expect([storage.get("a"), localStorage.getItem("a")]).toEqual(["1", "1"]);
    storage.remove("a");
    expect([storage.get("a"), localStorage.getItem("a")]).toEqual([null, null]);
  });

  it("that the browser forbids works from memory", () => {
    const storage = createStorage(refuse);
    storage.set("a", "1");
    expect(storage.get("a")).toEqual("1");
    storage.remove("a");
    expect(storage.get("a")).toEqual(null);
  });

  it("that is full keeps the newest text in memory over the stale one it holds", () => {
    const full = { getItem: () => "stale", setItem: refuse, removeItem: () => {} } as unknown as Storage;
    const storage = createStorage(() => full);
    storage.set("a", "fresh");
    expect(storage.get("a")).toEqual("fresh");
  });
});

describe("the theme", () => {
  it("is put on the page as it was chosen, and left to the device when what is stored is no theme", () => {
    const root = document.createElement("html");
    localStorage.setItem("leadloom_theme", "dark");
    expect(
      createThemeStore(
        createStorage(() => localStorage),
        root,
      ).get(),
    ).toEqual("dark");
    expect(root.dataset["theme"]).toEqual("dark");
    localStorage.setItem("leadloom_theme", "purple");
    expect(
      createThemeStore(
        createStorage(() => localStorage),
        root,
      ).get(),
    ).toEqual("system");
    expect(root.dataset["theme"]).toEqual(undefined);
  });
});
