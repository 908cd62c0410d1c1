import { expect, it } from "vitest";
import type { Snippet } from "../../../domain/snippet.ts";
import { isRealPostgres } from "../../support/database.ts";
import { PNG } from "../../support/files.ts";
import { changeRows } from "../../support/rows.ts";
import { untilLocked } from "../../support/waiting.ts";
import { sharedServer } from "../../support/server.ts";
import { formWith } from "../../support/form.ts";

const server = await sharedServer();
const user = await server.subscriber();

const call = <T = Snippet>(method: string, path: string, body?: unknown) =>
  user.call<T>(method, `/snippets${path}`, body);
const list = async () => (await call<Snippet[]>("GET", "")).body;
it("creates, changes and deletes snippets, as JSON or as a form with a picture", async () => {
  const { status, body: hello } = await call("POST", "", { title: "Hello", text: "Hi {first_name|there}!" });
  const known = { id: expect.any(String), title: "Hello", text: "Hi {first_name|there}!", media: null };
  expect([status, hello]).toEqual([200, known]);
  const { body: offer } = await call("POST", "", formWith({ title: "An offer", text: "" }, PNG));
  expect(offer.media).toMatchObject({ size: PNG.length });
  expect((await fetch(server.url + (offer.media?.url ?? ""))).status).toEqual(200);
  expect((await list()).map(({ title }) => title)).toEqual(["An offer", "Hello"]);
  const retold = { title: "Hello", text: "Good day" };
  expect((await call("PATCH", `/${hello.id}`, { text: "Good day" })).body).toMatchObject(retold);
  const pictured = await call("PATCH", `/${hello.id}`, formWith({ title: "Day" }, PNG));
  expect(pictured.body).toMatchObject({ title: "Day", media: { size: PNG.length } });
  expect((await call("PATCH", `/${hello.id}`, { media: null })).body).toMatchObject({ text: "Good day", media: null });
  expect((await call("DELETE", `/${offer.id}`)).status).toEqual(200);
  expect((await call("DELETE", `/${offer.id}`)).status).toEqual(404);
  expect((await list()).map(({ title }) => title)).toEqual(["Day"]);
});

it("refuses a snippet without title or content, or that is too long", async () => {
  const status = async (body: unknown) => (await call("POST", "", body)).status;
  expect(await status({ title: " ", text: "x" })).toEqual(422);
  expect(await status({ title: "Empty", text: " " })).toEqual(422);
  expect(await status({ title: "Long", text: "x".repeat(4_097) })).toEqual(422);
  expect(await status(formWith({ title: "Long", text: "x".repeat(1_025) }, PNG))).toEqual(422);
  const [first] = await list();
  expect((await call("PATCH", `/${first?.id}`, { text: "" })).status).toEqual(422);
});

it.skipIf(!isRealPostgres)("keeps changes of different fields that arrive at once", async () => {
  const { db } = server.deps;
  const { id } = (await call("POST", "", { title: "Old", text: "Old" })).body;
  const { changes } = await db.transaction().execute(async (tx) => {
    await changeRows(tx, "snippets", { id }, { title: "Old" });
    const both = [{ title: "New" }, { text: "New" }].map((body) => call("PATCH", `/${id}`, body));
    await untilLocked(db, 2);
    return { changes: both };
  });
  await Promise.all(changes);
  expect((await list()).find((snippet) => snippet.id === id)).toMatchObject({ title: "New", text: "New" });
});
