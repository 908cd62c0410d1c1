import { expect, test } from "vitest";
import { WEBHOOK_EVENTS } from "../../../domain/webhook.ts";
import { createChecker, type Page } from "../../support/reference.ts";
import { createLeadloom, type Schemas } from "../../../client/index.ts";
import { sharedServer } from "../../support/server.ts";

const server = await sharedServer({ WEBHOOK_ALLOW_PRIVATE: "1" });

async function must<T>(answer: Promise<{ data?: T; error?: unknown }>): Promise<T> {
  const { data, error } = await answer;
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

test("runs the whole workflow with the typed client", async () => {
  const person = await server.signUp();
  const session = createLeadloom({ url: server.url, key: person.token });
  const { url: checkout } = await must(session.POST("/api/billing/checkout"));
  expect(checkout).toContain("/checkout/");
  await server.subscribe(person);
  const { phone } = await server.connect(person);
  expect(await must(session.GET("/api/telegram/status"))).toEqual({ connected: true, phone });

  const { secret } = await must(
    session.POST("/api/keys", { body: { name: "Sheet", scopes: ["read", "write", "send"] } }),
  );
  const program = createLeadloom({ url: `${server.url}/`, key: secret });
  // Nothing listens on this port: the test reads the recorded payload.
  const webhook = await must(
    program.POST("/api/webhooks", { body: { url: "http://127.0.0.1:9/", events: [...WEBHOOK_EVENTS] } }),
  );
  const [first] = await must(program.GET("/api/stages"));
  const interested = await must(program.POST("/api/stages", { body: { name: "Interested", keywords: ["price"] } }));
  await must(
    program.POST("/api/followups", {
      body: { stage_id: interested.id, message: "Here are our prices, {first_name|friend}", delay_hours: "24" },
    }),
  );

  const { user_id } = await server.receive(phone, { first_name: "Ann", username: "ann_lee" }, "hello there");
  const waiting = await must(program.GET("/api/inbox", { params: { query: { view: "waiting", limit: 10 } } }));
  const ann = { lead: { name: "Ann", stage_id: first?.id }, last: { text: "hello there" } };
  expect(waiting.items).toMatchObject([ann]);
  const id = waiting.items[0]?.lead.id ?? "";
  await server.receive(phone, { first_name: "Ann", user_id }, "what is the price?");
  const path = { id };
  const found = await must(program.GET("/api/leads", { params: { query: { stage_id: interested.id } } }));
  expect(found).toMatchObject({ total: 1, leads: [{ id, name: "Ann" }] });

  const send = () =>
    must(
      program.POST("/api/leads/{id}/messages", {
        params: { path, header: { "Idempotency-Key": "client-reply-1" } },
        body: { text: "It is 120." },
      }),
    );
  const reply = await send();
  expect(reply).toMatchObject({ direction: "out", source: "reply", text: "It is 120." });
  expect((await send()).id).toBe(reply.id);
  expect(await must(program.POST("/api/followups/send/{id}", { params: { path } }))).toEqual({ success: true });
  await server.idle();
  const delivered = await server.sandbox(phone, "/sent");
  expect(delivered).toMatchObject([{ text: "It is 120." }, { text: "Here are our prices, Ann" }]);

  await must(program.PATCH("/api/leads/{id}", { params: { path }, body: { stage_id: first?.id ?? "" } }));
  const lead: Schemas["LeadDetail"] = await must(program.GET("/api/leads/{id}", { params: { path } }));
  expect([lead.stage_id, lead.followup_order_sent]).toEqual([first?.id, 0]);
  const story = await must(program.GET("/api/leads/{id}/story", { params: { path } }));
  expect(story.items[0]).toMatchObject({ type: "stage_moved", by: { kind: "key", name: "Sheet" } });

  const csv: string = await must(program.GET("/api/leads/export", { parseAs: "text" }));
  expect(csv.split("\r\n")[1]).toMatch(`${id},${user_id},Ann`);

  const page = await server.must<Page>("GET", "/api/openapi.json");
  const checker = createChecker(page);
  const deliveries = await must(program.GET("/api/webhooks/{id}/deliveries", { params: { path: webhook } }));
  expect(new Set(deliveries.items.map(({ event }) => event))).toEqual(
    new Set(["lead.created", "lead.stage_changed", "message.received", "message.sent", "followup.sent"]),
  );
  expect(deliveries.items.flatMap(({ event, body }) => checker.webhook(event, JSON.parse(body)))).toEqual([]);

  const { error, response } = await program.POST("/api/billing/portal");
  expect([response.status, error?.code]).toEqual([403, "key_not_accepted"]);
});
