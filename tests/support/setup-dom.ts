import { cleanup, configure } from "@testing-library/react";
import { afterAll, afterEach, beforeEach, vi } from "vitest";
import { activateEnglish, loadTexts } from "../../src/language/activate.ts";
import "./equal-texts.ts";
import { HANG_MS } from "./waiting.ts";

// On a busy machine a frame or a file may take longer than the second that is waited by default.
configure({ asyncUtilTimeout: HANG_MS });
const { waitFor } = vi;
vi.waitFor = (check, options) =>
  waitFor(check, { timeout: HANG_MS, ...(typeof options === "number" ? { timeout: options } : options) });
// The next file has the same `vi`.
afterAll(() => {
  vi.waitFor = waitFor;
});

activateEnglish();
await loadTexts("app");

// jsdom knows the dialog element but not its methods.
Object.assign(HTMLDialogElement.prototype, {
  showModal(this: HTMLDialogElement) {
    this.open = true;
    this.querySelector<HTMLElement>("button, input")?.focus();
  },
  close(this: HTMLDialogElement) {
    this.open = false;
  },
});

// jsdom has no layout: no width is wide, and none changes.
window.matchMedia = (media) => Object.assign(new EventTarget(), { media, matches: false }) as MediaQueryList;

// Screens scroll to their top when the route changes; jsdom has no layout to scroll.
window.scrollTo = () => {};

// Nothing but what a test asks for is loaded: a file that comes on its own would come into the next test.
Object.defineProperty(navigator, "connection", { value: { saveData: true }, configurable: true });

// jsdom shows no files.
URL.createObjectURL = () => "blob:preview";
URL.revokeObjectURL = () => {};

// React's act() warnings and unexpected errors are defects: a test that logs to the console fails.
beforeEach(() => {
  vi.spyOn(console, "error");
  vi.spyOn(console, "warn");
});

afterEach(() => {
  cleanup();
  // What libraries have put there for the life of a page, such as the regions that speak to screen readers.
  document.body.replaceChildren();
  localStorage.clear();
  sessionStorage.clear();
  window.history.replaceState(null, "", "/");
  const logged = [...vi.mocked(console.error).mock.calls, ...vi.mocked(console.warn).mock.calls];
  if (logged.length > 0) throw new Error(`the test logged to the console: ${logged.map(String).join("; ")}`);
});
