import { cleanup, configure } from "@testing-library/react";
import { afterAll, afterEach, beforeEach, vi } from "vitest";
import { activateEnglish, loadTexts } from "../../src/language/activate.ts";
import "./equal-texts.ts";
import { HANG_MS } from "./waiting.ts";

// On a busy machine a frame or a file can take longer than the default second.
configure({ asyncUtilTimeout: HANG_MS });
const { waitFor } = vi;
vi.waitFor = (check, options) =>
  waitFor(check, { timeout: HANG_MS, ...(typeof options === "number" ? { timeout: options } : options) });
// The next file uses the same `vi`.
afterAll(() => {
  vi.waitFor = waitFor;
});

activateEnglish();
await loadTexts("app");

// jsdom lacks the methods of the dialog element.
Object.assign(HTMLDialogElement.prototype, {
  showModal(this: HTMLDialogElement) {
    this.open = true;
    this.querySelector<HTMLElement>("button, input")?.focus();
  },
  close(this: HTMLDialogElement) {
    this.open = false;
  },
});

// Browsers have none over plain HTTP.
Object.defineProperty(crypto, "randomUUID", { value: undefined });

// jsdom has no layout, so media queries never match or change.
window.matchMedia = (media) => Object.assign(new EventTarget(), { media, matches: false }) as MediaQueryList;

// Screens scroll to their top when the route changes; jsdom has no layout to scroll.
window.scrollTo = () => {};

// With save-data, modules load only on request: a late prefetch would run during the next test.
Object.defineProperty(navigator, "connection", { value: { saveData: true }, configurable: true });

// jsdom cannot show files.
URL.createObjectURL = () => "blob:preview";
URL.revokeObjectURL = () => {};

// Fails a test that logs to the console: React's act() warnings and unexpected errors are defects.
beforeEach(() => {
  vi.spyOn(console, "error");
  vi.spyOn(console, "warn");
});

afterEach(() => {
  cleanup();
  // Removes what libraries add once per page, such as live regions for screen readers.
  document.body.replaceChildren();
  localStorage.clear();
  sessionStorage.clear();
  window.history.replaceState(null, "", "/");
  const logged = [...vi.mocked(console.error).mock.calls, ...vi.mocked(console.warn).mock.calls];
  if (logged.length > 0) throw new Error(`the test logged to the console: ${logged.map(String).join("; ")}`);
});
