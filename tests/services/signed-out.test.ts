import * as v from "valibot";
import { afterEach, expect, it, vi } from "vitest";
import { createServices } from "../../src/app/services.ts";
import { createStorage } from "../../src/services/storage.ts";
import { createTyped } from "../../src/services/drafts.ts";

const SESSION_KEY = "sb-localhost-auth-token";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  localStorage.clear();
  sessionStorage.clear();
});

it("a session check that comes to no end forgets nothing that was typed; a sign-out does", async () => {
  vi.useFakeTimers();
  vi.stubGlobal("fetch", () => new Promise(() => {}));
  vi.stubGlobal("scrollTo", () => {});
  localStorage.setItem(
    SESSION_KEY,
    JSON.stringify({ access_token: "old", refresh_token: "older", expires_at: 1, user: { id: "ada" } }),
  );
  const forms = JSON.stringify({ user: "ada", forms: { reminder: { stage: "Interested" } } });
  sessionStorage.setItem("leadloom_drafts", forms);
  const { session, drafts } = createServices();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(session.getSnapshot().matches("signedOut")).toEqual(true);
  expect(sessionStorage.getItem("leadloom_drafts")).toEqual(forms);
  localStorage.removeItem(SESSION_KEY);
  window.dispatchEvent(new StorageEvent("storage", { key: SESSION_KEY }));
  expect(sessionStorage.getItem("leadloom_drafts")).toEqual(null);
  expect(drafts.of("reminder", { stage: v.string() }).read()).toEqual(null);
  session.stop();
});

it("what somebody typed who was not signed in is forgotten once somebody is, in whichever tab", () => {
  sessionStorage.setItem("leadloom.visitor_drafts", "ada@example.com");
  const typed = createTyped(createStorage(() => sessionStorage));
  typed.clear();
  expect(sessionStorage.getItem("leadloom.visitor_drafts")).toEqual("ada@example.com");
  typed.belongTo("bea");
  expect(sessionStorage.getItem("leadloom.visitor_drafts")).toEqual(null);
});
