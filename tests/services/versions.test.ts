import { afterEach, expect, test, vi } from "vitest";
import { createAutomationSettingsGateway } from "../../src/services/automation-settings.ts";
import { createFollowupsGateway } from "../../src/services/followups.ts";
import { createSettingsGateway } from "../../src/services/settings.ts";
import { createStagesGateway } from "../../src/services/stages.ts";
import { answerInTurn, client } from "../support/api.ts";

const stage = { name: "Keen", keywords: ["hi"], order: 1, color: "#999999" };
const hours = { auto_followups_enabled: true, auto_followup_start_hour: 9, auto_followup_end_hour: 22 };
const [stages, followups] = [createStagesGateway(client()), createFollowupsGateway(client())];
const [automation, settings] = [createAutomationSettingsGateway(client()), createSettingsGateway(client())];
const { signal } = new AbortController();
const saveFollowup = () => followups.change({ id: "1", message: "Hi", delay_hours: 1 });

afterEach(() => vi.unstubAllGlobals());

// A gateway's response, its read and two saves.
test.each<[string, unknown, (() => unknown)[]]>([
  ["stages", [], [() => stages.list(), () => stages.update({ id: "1", ...stage }), () => stages.create(stage)]],
  ["follow-ups", [], [() => followups.list(signal), saveFollowup, saveFollowup]],
  [
    "the automation settings",
    hours,
    [() => automation.read(signal), () => automation.save(hours), () => automation.save(hours)],
  ],
  [
    "the settings",
    {},
    [() => settings.read(signal), () => settings.save({ weekdays: [1] }), () => settings.save({ weekdays: [1] })],
  ],
])("sends the version of the previous read or save when saving %s", async (_of, body, steps) => {
  const answers = ['"1"', '"2"', '"3"'].map((etag) => ({ status: 200, body, headers: { etag } }));
  const sent = answerInTurn(...answers, ...answers.map(() => ({ status: 200, body })));
  for (const step of [...steps, ...steps]) await step();
  expect(sent.map(({ version }) => version)).toEqual([null, '"1"', '"2"', null, null, null]);
});

test("sends no version when only a switch is saved", async () => {
  const sent = answerInTurn({ status: 200, body: {}, headers: { etag: '"1"' } });
  await settings.read(signal);
  await settings.saveDryRun({ isOn: true });
  expect(sent.map(({ version }) => version)).toEqual([null, null]);
});
