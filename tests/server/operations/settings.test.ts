import { expect, it } from "vitest";
import { OPT_OUT_WORDS } from "../../../domain/settings.ts";
import { sharedServer } from "../../support/server.ts";

const server = await sharedServer();

const DEFAULTS = {
  time_zone: null,
  weekdays: [1, 2, 3, 4, 5, 6, 7],
  dry_run: false,
  read_receipts: false,
  opt_out_words: [...OPT_OUT_WORDS],
  exclude_contacts: false,
  language: null,
  setup_dismissed: false,
};
const settings = (token: string, body?: unknown) =>
  server.call<Record<string, unknown>>(body === undefined ? "GET" : "PATCH", "/api/settings", { token, body });

it("has defaults, stores given settings and leaves the others unchanged", async () => {
  const { token } = await server.subscriber();
  expect(await settings(token)).toMatchObject({ status: 200, body: DEFAULTS });
  const kept = { time_zone: "Australia/Lord_Howe", dry_run: true, exclude_contacts: true, setup_dismissed: true };
  const given = { ...kept, weekdays: [5, 1, 2], opt_out_words: [" Stop ", "СТОП", "Stop"] };
  const changed = { ...DEFAULTS, ...kept, weekdays: [1, 2, 5], opt_out_words: ["Stop", "СТОП"] };
  expect(await settings(token, given)).toMatchObject({ status: 200, body: changed });
  const brazilian = { ...changed, time_zone: null, language: "pt-BR" };
  expect((await settings(token, { time_zone: null, language: "pt-BR" })).body).toEqual(brazilian);
  expect((await settings(token, {})).body).toEqual(brazilian);
  expect((await settings(token, { language: null })).body).toEqual({ ...brazilian, language: null });
  expect((await settings((await server.subscriber()).token)).body).toEqual(DEFAULTS);
});

it("refuses invalid settings with a message that says what is valid", async () => {
  const { token } = await server.subscriber();
  const refused: [Record<string, unknown>, RegExp][] = [
    [{ time_zone: "Mars/Olympus" }, /time zone's name, such as Europe\/Berlin/],
    [{ time_zone: "+02:00" }, /time zone's name/],
    [{ time_zone: 3 }, /text/],
    [{ weekdays: [] }, /at least one day/],
    [{ weekdays: [1, 1] }, /once/],
    [{ weekdays: [0] }, /at least 1/],
    [{ weekdays: [8] }, /at most 7/],
    [{ weekdays: [1.5] }, /from 1, Monday, to 7/],
    [{ read_receipts: "yes" }, /true or false/],
    [{ dry_run: null }, /true or false/],
    [{ opt_out_words: [" "] }, /at least one character/],
    [{ opt_out_words: ["x".repeat(65)] }, /64 characters/],
    [{ opt_out_words: Array.from({ length: 51 }, String) }, /50 words/],
    [{ language: "de" }, /one of en, ru, uk, uz, es, pt-BR, id, ar, or null to follow the browser/],
    [{ language: "pt" }, /one of en, ru/],
    [{ hours: 3 }, /no such field/],
  ];
  for (const [body, words] of refused) {
    const { status, body: answer } = await settings(token, body);
    const [field] = Object.entries(answer["fields"] as Record<string, string>);
    const [named] = Object.keys(body);
    expect([status, answer["code"], field?.[0].split(".")[0]]).toEqual([422, "invalid_input", named]);
    expect(field?.[1]).toMatch(words);
  }
  expect((await settings(token)).body).toEqual(DEFAULTS);
});
