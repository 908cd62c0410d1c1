import { sql } from "kysely";
import { expect, test } from "vitest";
import { createBus } from "../../../server/core/bus.ts";
import { systemClock } from "../../../server/core/clock.ts";
import { createIntake } from "../../../server/leads/index.ts";
import { createStageRules } from "../../../server/stages/index.ts";
import type { TelegramMessage } from "../../../server/telegram/index.ts";
import { sharedServer } from "../../support/servers.ts";
import { addUser } from "../../support/tenant.ts";

const { deps } = await sharedServer();

const said = (ownerId: string, number: number, text: string): TelegramMessage => ({
  accountId: ownerId,
  userId: ownerId,
  accountUserId: "1000",
  messageId: number,
  text,
  kind: "text",
  media: null,
  preview: null,
  date: new Date(Date.parse("2026-03-01T10:00:00Z") + number * 1_000).toISOString(),
  isOutgoing: false,
  peer: { id: "42", name: "Ann Lee", username: "ann", isBot: false, isSelf: false, isContact: false, isDeleted: false },
});

test("a message costs three statements, and what finds its lead has the words of all of them, in any script", async () => {
  const { db, engine } = deps;
  const { userId: ownerId } = await addUser(deps);
  await sql`insert into stages (owner_id, name, "order") values (${ownerId}, 'New', 1)`.execute(db);
  let statements = 0;
  const counting = db.withPlugin({
    transformQuery({ node }) {
      statements += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const rules = createStageRules(db, await createBus(db, engine, () => {}));
  await rules.of(ownerId);
  const bus = await createBus(counting, engine, () => {});
  const intake = createIntake({ db: counting, bus, clock: systemClock }, rules);
  const words = async () => {
    const { rows } = await sql<{ words: string[]; whole: string[] }>`
      select tsvector_to_array(w.words) as words, (select tsvector_to_array(words) from words_of_leads(array[w.lead_id])) as whole
      from lead_words w where w.owner_id = ${ownerId}`.execute(db);
    return rows;
  };
  const bare = (all: string[] = []) => all.map((word) => word.slice(6));

  await intake.record(ownerId, [said(ownerId, 1, "What does the scooter cost?")]);
  expect(statements).toBe(3);
  const [made, ...others] = await words();
  expect(others).toEqual([]);
  expect(made?.words).toEqual(made?.whole);
  expect(bare(made?.words)).toEqual(
    expect.arrayContaining([" nann", " nann lee", "cost", "does", "scooter", "the", "what"]),
  );

  await intake.record(ownerId, [said(ownerId, 2, "And the tandem? 電動自転車")]);
  expect(statements).toBe(6);
  const [grown] = await words();
  expect(grown?.words).toEqual(grown?.whole);
  expect(bare(grown?.words)).toEqual(expect.arrayContaining(["scooter", "tandem", "電動", "動自", "車"]));
});
