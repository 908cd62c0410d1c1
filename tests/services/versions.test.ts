import { afterEach, expect, test, vi } from "vitest";
import { createSettingsGateway } from "../../src/services/settings.ts";
import { createFollowupsGateway } from "../../src/services/followups.ts";
import { createHttp } from "../../src/services/http.ts";
import { createAutomationSettingsGateway } from "../../src/services/automation-settings.ts";
import { createStagesGateway } from "../../src/services/stages.ts";

const http = createHttp({ baseURL: "/api", getSession: () => ({ accessToken: "token" }), refresh: async () => null });
const stage = { name: "Keen", keywords: ["hi"], order: 1, color: "#999999" };
const hours = { auto_followups_enabled: true, auto_followup_start_hour: 9, auto_followup_end_hour: 22 };
const { signal } = new AbortController();

/** Answers each request with the next version, and returns what versions the requests named. */
function answerWithVersions(hasVersions: boolean): (string | null)[] {
  const named: (string | null)[] = [];
  vi.stubGlobal("window", { location: { origin: "http://localhost" } });
  vi.stubGlobal("fetch", async (address: string, { method = "GET", headers }: RequestInit = {}) => {
    named.push(new Headers(headers).get("if-match"));
    const body = method === "GET" && !address.includes("settings") ? [] : { id: "1", ...hours };
    return Response.json(body, { headers: hasVersions ? { etag: `"${named.length}"` } : {} });
  });
  return named;
}
afterEach(() => vi.unstubAllGlobals());

const GATEWAYS = [
  {
    of: "stages",
    steps: () => {
      const stages = createStagesGateway(http);
      return [() => stages.list(), () => stages.update({ id: "1", ...stage }), () => stages.create(stage)];
    },
  },
  {
    of: "follow-ups",
    steps: () => {
      const followups = createFollowupsGateway(http);
      const change = () => followups.change({ id: "1", message: "Hi", delay_hours: 1 });
      return [() => followups.list(signal), change, change];
    },
  },
  {
    of: "the automation settings",
    steps: () => {
      const settings = createAutomationSettingsGateway(http);
      return [() => settings.read(signal), () => settings.save(hours), () => settings.save(hours)];
    },
  },
  {
    of: "the settings",
    steps: () => {
      const settings = createSettingsGateway(http);
      const save = () => settings.save({ weekdays: [1] });
      return [() => settings.read(signal), save, save];
    },
  },
];

test.each(GATEWAYS)("saves of $of name the version of the read or save before them", async ({ steps }) => {
  const named = answerWithVersions(true);
  for (const step of steps()) await step();
  expect(named).toEqual([null, '"1"', '"2"']);
});

test.each(GATEWAYS)("saves of $of name no version where the server has none", async ({ steps }) => {
  const named = answerWithVersions(false);
  for (const step of steps()) await step();
  expect(named).toEqual([null, null, null]);
});

test("a switch that is saved alone names no version", async () => {
  const named = answerWithVersions(true);
  const settings = createSettingsGateway(http);
  await settings.read(signal);
  await settings.saveDryRun({ isOn: true });
  expect(named).toEqual([null, null]);
});
