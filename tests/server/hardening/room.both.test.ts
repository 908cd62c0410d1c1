import { sql } from "kysely";
import { expect, test } from "vitest";
import { sharedServer, type TestUser } from "../../support/server.ts";

type Answer = { id: string; code: string; message: string };

const server = await sharedServer();
let user: TestUser;
let stageId: string;
async function newOwner(): Promise<void> {
  user = await server.subscriber();
  stageId = (await user.call<{ id: string }[]>("GET", "/stages")).body[0]?.id ?? "";
}

const kinds = {
  stages: {
    noun: "stage",
    body: (name: string) => ({ name, keywords: [name], color: "#123456" }),
    fill: () => sql`insert into stages (owner_id, name, keywords, "order")
      select ${user.userId}::uuid, 'Stage ' || n, '{}', n from generate_series(2, 999) n`,
  },
  followups: {
    noun: "follow-up",
    body: (message: string) => ({ message, stage_id: stageId }),
    fill: () => sql`insert into followups (owner_id, stage_id, message, followup_order, delay_hours, created_at)
      select ${user.userId}::uuid, ${stageId}::uuid, 'Hello', n, 24, now() from generate_series(0, 998) n`,
  },
  reminders: {
    noun: "reminder",
    body: (template: string) => ({ stage: "Initial Contact", delay_days: 2, channel_id: "me", template }),
    fill: () => sql`insert into reminders (owner_id, stage, stage_id, delay_days, channel_id, template, created_at)
      select ${user.userId}::uuid, 'Initial Contact', ${stageId}::uuid, 2, 'me', 'Look', now() from generate_series(1, 999) n`,
  },
  snippets: {
    noun: "snippet",
    body: (title: string) => ({ title, text: "Hello" }),
    fill: () => sql`insert into snippets (owner_id, title, text, created_at)
      select ${user.userId}::uuid, 'Snippet ' || n, 'Hello', now() from generate_series(1, 999) n`,
  },
};

test.each(Object.entries(kinds))(
  "limits %s to a thousand per owner, also on concurrent requests",
  async (table, { noun, body, fill }) => {
    const add = (name: string) => user.call<Answer>("POST", `/${table}`, body(name));
    await newOwner();
    await fill().execute(server.deps.db);
    const [made, refused] = (await Promise.all([add("one"), add("two")])).toSorted((a, b) => a.status - b.status);
    expect(refused).toMatchObject({
      status: 409,
      body: {
        code: `too_many_${table}`,
        message: `There are 1,000 ${noun}s, which is the most. Delete a ${noun} first.`,
        params: { limit: 1_000 },
      },
    });
    expect((await user.call("DELETE", `/${table}/${made?.body.id}`)).status).toBe(200);
    expect((await add("three")).status).toBeLessThan(300);
    await newOwner();
    expect((await add("one")).status).toBeLessThan(300);
  },
);
