import { expect, it } from "vitest";
import { newSeller, type ConnectedSeller } from "./support.ts";
import { rowsOf } from "../../support/rows.ts";
import { sharedServer } from "../../support/server.ts";

type Chat = { id: number; read_up_to: number };

const server = await sharedServer();

const settings = (user: ConnectedSeller, body?: unknown) =>
  user.call<Record<string, unknown>>(body === undefined ? "GET" : "PATCH", "/settings", body);
const readAll = async (user: ConnectedSeller, lead: string) => {
  const [last] = await user.messages(lead);
  await user.call("POST", `/leads/${lead}/read`, { up_to: last?.id });
};
const readUpTo = async (user: ConnectedSeller, person: number) =>
  (await user.callSandbox<Chat[]>("/chats")).find(({ id }) => id === person)?.read_up_to;
const open = async (user: ConnectedSeller) =>
  (await rowsOf(server.deps.db, "leads", { owner_id: user.userId }, ["receipt_message_id"])).filter(
    ({ receipt_message_id: id }) => id !== null,
  ).length;

it("sends read receipts only when the user has switched them on", async () => {
  const user = await newSeller(server);
  const { user_id: ann, lead } = await user.receive({ first_name: "Ann" }, "Hello");
  await readAll(user, lead);
  expect([await open(user), await readUpTo(user, ann)]).toEqual([0, 0]);
  expect((await settings(user)).body).toMatchObject({ read_receipts: false });
  expect((await settings(user, { read_receipts: true })).body).toMatchObject({ read_receipts: true });
  expect((await settings(user)).body).toMatchObject({ read_receipts: true });
  const { message_id } = await user.receive({ first_name: "Ann", user_id: ann }, "Hello?");
  expect(await readUpTo(user, ann)).toEqual(0);
  await readAll(user, lead);
  await server.idle();
  expect([await readUpTo(user, ann), await open(user)]).toEqual([message_id, 0]);
});

it("delays a receipt on a wait, drops it on a refusal or when switched off", async () => {
  const user = await newSeller(server);
  await settings(user, { read_receipts: true });
  const fault = (error: string) => user.callSandbox("/faults", { method: "messages.readHistory", error });
  const { user_id: ann, lead } = await user.receive({ first_name: "Ann" }, "Hello");
  await fault("FLOOD_WAIT_600");
  await readAll(user, lead);
  await server.idle();
  expect(await user.callSandbox<unknown[]>("/faults")).toEqual([]);
  expect([await open(user), await readUpTo(user, ann)]).toEqual([1, 0]);
  await user.callSandbox("/faults", undefined, "DELETE");
  await server.advance(601);
  expect(await readUpTo(user, ann)).toBeGreaterThan(0);
  await fault("PEER_ID_INVALID");
  await user.receive({ first_name: "Ann", user_id: ann }, "Again");
  await readAll(user, lead);
  await server.idle();
  expect(await user.callSandbox<unknown[]>("/faults")).toEqual([]);
  expect(await open(user)).toEqual(0);
  await fault("FLOOD_WAIT_600");
  await user.receive({ first_name: "Ann", user_id: ann }, "And again");
  await readAll(user, lead);
  expect(await open(user)).toEqual(1);
  await settings(user, { read_receipts: false });
  expect(await open(user)).toEqual(0);
});
