import { expect, test } from "vitest";
import { sharedServer, type TestUser } from "../../support/server.ts";

const server = await sharedServer();

const save = (user: TestUser, name: string, keywords: string[]) =>
  user.call<{ id: string }>("POST", "/stages", { name, keywords, color: "#123456" });
const phrases = (count: number, length: number, from = 0) =>
  Array.from({ length: count }, (_, index) => String(from + index).padStart(length, "水"));

test("limits keywords to 100,000 characters over all stages, and says what to do", async () => {
  const user = await server.subscriber();
  const large = await save(user, "Large", phrases(500, 199));
  expect(large.status).toBe(201);
  const refused = await save(user, "Too much", phrases(100, 6, 1_000));
  const most = "The keywords of all stages together have 100,100 characters; 100,000 is the most.";
  const message = `${most} Remove some, or shorten long phrases.`;
  const fields = { keywords: "Too many characters over all stages." };
  expect(refused).toMatchObject({ status: 422, body: { code: "too_many_keywords", message, fields } });
  expect((await save(user, "Little", ["price"])).status).toBe(201);
  const change = async (keywords: string[]) => {
    const body = { name: "Large", keywords, color: "#123456", order: 2 };
    return (await user.call("PATCH", `/stages/${large.body.id}`, body)).status;
  };
  expect([await change(phrases(500, 200)), await change(["price list"])]).toEqual([422, 200]);
});

test("counts a letter that folds to several as several", async () => {
  const user = await server.subscriber();
  // NFKC expands U+FDFA to eighteen letters.
  const ligatures = phrases(40, 3).map((number) => `${number}${"\uFDFA".repeat(190)}`);
  expect(await save(user, "Ligatures", ligatures)).toMatchObject({ status: 422, body: { code: "too_many_keywords" } });
});
