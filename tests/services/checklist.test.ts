import { afterEach, expect, it } from "vitest";
import { LOCALE_TAGS } from "../../domain/locales.ts";
import { isMalformedKeyword } from "../../domain/stage.ts";
import { activateLocale, loadTexts } from "../../src/language/activate.ts";
import { createChecklistGateway } from "../../src/services/checklist.ts";
import type { Http } from "../../src/services/http.ts";

const NEW: Record<string, unknown> = {
  "/settings": { setup_dismissed: false },
  "/telegram/status": { connected: false },
  "/telegram/import": null,
  "/stages": [{ id: "1", name: "Initial Contact", keywords: ["hello"], order: 1, color: "#999999" }],
  "/followups": [],
  "/user_settings": { auto_followups_enabled: false },
};

/** Creates the gateway with responses by path; null is a 404. */
function start(answers: Record<string, unknown>) {
  const sent: string[] = [];
  const created: unknown[] = [];
  const http = async (path: string, options: { method?: string; body?: unknown } = {}) => {
    sent.push(`${options.method ?? "GET"} ${path}`);
    if (options.method === "POST") created.push(options.body);
    const answer = { ...NEW, ...answers }[path];
    if (answer === null) throw Object.assign(new Error("404"), { status: 404 });
    return answer;
  };
  const raw = async (...call: Parameters<typeof http>) => ({ data: await http(...call), headers: new Headers() });
  const gateway = createChecklistGateway(Object.assign(http, { raw }) as unknown as Http);
  return { gateway, sent, created };
}
type Created = { name: string; keywords: string[]; color: string };
afterEach(() => activateLocale("en"));
const { signal } = new AbortController();

it("derives each step from the responses of other calls", async () => {
  const none = { connect: false, import: false, stages: false, followup: false, automation: false };
  expect(await start({}).gateway.readSteps(signal)).toEqual(none);
  const done = start({
    "/telegram/status": { connected: true, phone: "+15551234567" },
    "/telegram/import": { id: "1", status: "completed", scanned: 3, found: 2 },
    "/stages": [
      { id: "1", name: "Initial Contact" },
      { id: "2", name: "Keen" },
    ],
    "/followups": [{ id: "1", stage_id: "1", message: "Hi", followup_order: 0, delay_hours: 24 }],
    "/user_settings": { auto_followups_enabled: true },
  });
  const all = { connect: true, import: true, stages: true, followup: true, automation: true };
  expect(await done.gateway.readSteps(signal)).toEqual(all);
});

it("counts a lost Telegram session as connected before", async () => {
  const { gateway } = start({ "/telegram/status": { connected: false, phone: "+15551234567" } });
  expect(await gateway.readSteps(signal)).toMatchObject({ connect: true });
});

it.each([
  ["the checklist was dismissed", { setup_dismissed: true }],
  ["the server does not know the call", null],
])("makes one call for the life of the page when %s", async (_why, answer) => {
  const { gateway, sent } = start({ "/settings": answer });
  expect([await gateway.readSteps(signal), await gateway.readSteps(signal)]).toEqual([null, null]);
  expect(sent).toEqual(["GET /settings"]);
});

it("adds the example stages after the user's own, and only those that are missing", async () => {
  const { gateway, created } = start({
    "/stages": [
      { id: "1", name: "Initial Contact", order: 4 },
      { id: "2", name: "interested", order: null },
    ],
  });
  await gateway.addStages();
  expect(created).toEqual([
    { name: "Ready to buy", keywords: ["buy", "invoice", '"how do i pay"'], order: 5, color: "#d97706" },
    { name: "Customer", keywords: ["paid", '"payment sent"'], order: 6, color: "#16a34a" },
  ]);
});

it("adds every example stage although a user's stage has the color of one", async () => {
  const { gateway, created } = start({ "/stages": [{ id: "1", name: "Contact", order: 1, color: "#2563eb" }] });
  await gateway.addStages();
  expect(created).toMatchObject([{ name: "Interested" }, { name: "Ready to buy" }, { name: "Customer" }]);
});

it.each(LOCALE_TAGS)("adds the example stages in %s, and none again in another language", async (locale) => {
  await loadTexts("inside");
  await activateLocale(locale);
  const { gateway, created } = start({});
  await gateway.addStages();
  const stages = created as Created[];
  expect(new Set(stages.map(({ name }) => name)).size).toBe(3);
  expect(stages.map(({ name }) => name)).toSatisfy(
    (names: string[]) => (locale === "en") === names.includes("Customer"),
  );
  const keywords = stages.flatMap((stage) => stage.keywords);
  expect(keywords.length).toBeGreaterThan(6);
  expect(keywords.filter((keyword) => isMalformedKeyword(keyword) || /[«»“”„،]/.test(keyword))).toEqual([]);
  const own = { id: "own", name: "Initial Contact", order: 1 };
  const again = start({ "/stages": [own, ...stages.map((stage, index) => ({ ...stage, id: String(index) }))] });
  await activateLocale(locale === "ru" ? "es" : "ru");
  await again.gateway.addStages();
  expect(again.created).toEqual([]);
});
