import { expect, test } from "vitest";
import { sharedServer } from "../support/servers.ts";

const server = await sharedServer();

type Stage = { id: string; name: string; order: number };
type Leads = {
  leads: { id: string; name: string; stage_id: string; followup_order_sent: number; created_at: string }[];
  total: number;
};

test("creates a lead, moves it by keyword, and delivers a follow-up", async () => {
  const user = await server.subscriber();
  const { token } = user;
  const { phone } = await server.connect(user);
  const { body: first } = await server.call<Stage[]>("GET", "/api/stages", { token });
  expect(first.map(({ name, order }) => ({ name, order }))).toEqual([{ name: "Initial Contact", order: 1 }]);
  const { body: interested, status } = await server.call<Stage>("POST", "/api/stages", {
    token,
    body: { name: "Interested", keywords: ["price"], order: 2, color: "#1f8a4c" },
  });
  expect(status).toBe(201);

  const step = { stage_id: interested.id, message: "Here are our prices", followup_order: "0", delay_hours: "24" };
  expect((await server.call("POST", "/api/followups", { token, body: step })).status).toBe(200);

  const { user_id } = await server.receive(phone, { first_name: "Ann", username: "ann_lee" }, "what is the price?");
  const entered = await server.call<Leads>("GET", "/api/leads", { token });
  expect(entered.body.total).toBe(1);
  expect(entered.body.leads[0]?.stage_id).toBe(first[0]?.id);

  await server.receive(phone, { first_name: "Ann", user_id }, "so, the PRICE?");
  const lead = (await server.call<Leads>("GET", "/api/leads", { token })).body.leads[0];
  expect(lead?.stage_id).toBe(interested.id);

  const sent = await server.call("POST", `/api/followups/send/${lead?.id}`, { token });
  expect(sent).toMatchObject({ status: 200 });
  const { body: delivered } = await server.call<{ to_user_id: number; text: string }[]>(
    "GET",
    `/sandbox/telegram/accounts/${encodeURIComponent(phone)}/sent`,
  );
  expect(delivered.map(({ to_user_id, text }) => ({ to_user_id, text }))).toEqual([
    { to_user_id: user_id, text: "Here are our prices" },
  ]);
  await server.idle();
  const { body } = await server.call<Leads>("GET", "/api/leads?awaiting_reply=true", { token });
  expect(body.leads[0]?.followup_order_sent).toBe(1);
});
