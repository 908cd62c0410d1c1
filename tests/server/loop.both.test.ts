import { expect, test } from "vitest";
import { sharedServer } from "../support/server.ts";

const server = await sharedServer();

type Stage = { id: string };
type Leads = { leads: Stage[] };

test("creates a lead, moves it by keyword, and delivers a follow-up", async () => {
  const user = await server.subscriber();
  const { phone } = await server.connect(user);
  const ask = <T>(method: string, path: string, body?: unknown) =>
    server.must<T>(method, `/api${path}`, { token: user.token, body });
  const first = await ask<Stage[]>("GET", "/stages");
  expect(first).toMatchObject([{ name: "Initial Contact", order: 1 }]);
  const stage = { name: "Interested", keywords: ["price"], order: 2, color: "#1f8a4c" };
  const { id: interested } = await ask<Stage>("POST", "/stages", stage);
  const step = { stage_id: interested, message: "Here are our prices", followup_order: "0", delay_hours: "24" };
  await ask("POST", "/followups", step);

  const { user_id } = await server.receive(phone, { first_name: "Ann", username: "ann_lee" }, "what is the price?");
  expect(await ask("GET", "/leads")).toMatchObject({ total: 1, leads: [{ stage_id: first[0]?.id }] });
  await server.receive(phone, { first_name: "Ann", user_id }, "so, the PRICE?");
  const { leads } = await ask<Leads>("GET", "/leads");
  expect(leads).toMatchObject([{ stage_id: interested }]);

  await ask("POST", `/followups/send/${leads[0]?.id}`);
  const delivered = [{ to_user_id: user_id, text: "Here are our prices" }];
  expect(await server.sandbox(phone, "/sent")).toMatchObject(delivered);
  await server.idle();
  expect(await ask("GET", "/leads?awaiting_reply=true")).toMatchObject({ leads: [{ followup_order_sent: 1 }] });
});
