import { sql } from "kysely";
import { expect, test } from "vitest";
import type { BatchAnswer } from "../../../domain/batch.ts";
import { eventually } from "../../support/server.ts";
import { sharedServer } from "../../support/servers.ts";
import { newSeller } from "../conversation/support.ts";

const server = await sharedServer();
const seller = await newSeller(server);

/** Rows of either table that the other lacks, or has otherwise. */
const apart = async () =>
  (
    await sql`select l.name, l.username, n.name as kept_name, n.username as kept_username
      from leads l full join lead_names n on n.lead_id = l.id and n.owner_id = l.owner_id
      where (lower(l.name), lower(l.username), l.id) is distinct from (n.name, n.username, n.lead_id)`.execute(
      server.deps.db,
    )
  ).rows;
const named = async (query: string) =>
  (await seller.get<{ leads: { name: string }[]; total: number }>(`/api/leads?${query}`)).leads.map(({ name }) => name);
const call = <T>(method: string, path: string, body?: object) =>
  server.call<T>(method, path, { token: seller.token, ...(body === undefined ? {} : { body }) });

test("a list is filtered by the names that leads have by now, whatever changed, took or brought them back", async () => {
  const zoe = await seller.hear({ first_name: "ZOË", username: "Zoe_W" }, "hi");
  const max = await seller.hear({ first_name: "Max" }, "hi");
  expect(await named("name=zo%C3%AB&username=ZOE")).toEqual(["ZOË"]);
  await sql`update leads set name = 'Zoë Braun', username = null where id = ${zoe.lead}::uuid`.execute(server.deps.db);
  expect([await named("name=braun"), await named("username=zoe"), await apart()]).toEqual([["Zoë Braun"], [], []]);

  expect((await call("POST", `/api/leads/${zoe.lead}/exclude`, {})).status).toBe(200);
  expect([await named("name=braun"), await apart()]).toEqual([[], []]);
  await call("DELETE", `/api/exclusions/${zoe.user_id}`);
  expect([await named("name=BRAUN"), await apart()]).toEqual([["Zoë Braun"], []]);

  const { body: batch } = await call<BatchAnswer>("POST", "/api/leads/batch", {
    where: { query: "name=max" },
    action: { type: "exclude" },
  });
  expect([batch, await named("name=max"), await apart()]).toMatchObject([{ changed: 1 }, [], []]);
  await call("POST", `/api/leads/batch/${"undo_id" in batch ? batch.undo_id : ""}/undo`);
  expect([await named("name=max"), await apart()]).toEqual([["Max"], []]);

  await call("POST", `/api/leads/${max.lead}/exclude`, {});
  await server.advance(31);
  await eventually(
    async () =>
      (
        await sql`select from exclusions where lead_id is not null and owner_id = ${seller.userId}::uuid`.execute(
          server.deps.db,
        )
      ).rows.length,
    (left) => left === 0,
  );
  await sql`delete from leads where id = ${zoe.lead}::uuid`.execute(server.deps.db);
  const { rows } = await sql`select name from lead_names where owner_id = ${seller.userId}::uuid`.execute(
    server.deps.db,
  );
  expect([rows, await apart()]).toEqual([[], []]);
});
