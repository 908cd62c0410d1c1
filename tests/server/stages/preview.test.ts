import { expect, test } from "vitest";
import { previewKeywords } from "../../../server/keyword-lab/preview.ts";
import { runKeywordPreview, sellerWithKeywords } from "../../../tools/chaos/models/keyword-preview.ts";
import { sharedServer } from "../../support/server.ts";

const server = await sharedServer();

test("matches the effect of messages under saved and edited keywords", async () => {
  expect(await runKeywordPreview(server, 17)).toBeGreaterThan(15);
});

test("refuses invalid stages by name, and stops when the client disconnects", async () => {
  const ann = await sellerWithKeywords(server, [["hello"], ["price"]]);
  const ask = async (body: unknown) => {
    const answer = await ann.call<{ fields?: object }>("POST", "/stages/preview", body);
    return [answer.status, Object.keys(answer.body.fields ?? {})];
  };
  const stage = { name: "Stage", keywords: ["word"], order: 1 };
  const twin = { ...stage, id: "a" };
  const long = Array.from({ length: 3 }, (_, n) => ({
    ...stage,
    keywords: Array.from({ length: 200 }, (_, k) => `${n} ${k} ${"x".repeat(180)}`),
  }));
  const refused: [object, string][] = [
    [{}, "stages"],
    [{ stages: [] }, "stages"],
    [{ stages: [stage], days: 91 }, "days"],
    [{ stages: [stage], days: 0 }, "days"],
    [{ stages: [{ ...stage, name: " " }] }, "stages.0.name"],
    [{ stages: [{ ...stage, keywords: [] }] }, "stages.0.keywords"],
    [{ stages: [{ ...stage, keywords: ["x".repeat(201)] }] }, "stages.0.keywords.0"],
    [{ stages: [{ ...stage, color: "#123456" }] }, "stages.0.color"],
    [{ stages: [twin, twin] }, "stages"],
    [{ stages: long }, "keywords"],
  ];
  for (const [body, field] of refused) expect([field, await ask(body)]).toEqual([field, [422, [field]]]);

  const gone = AbortSignal.abort(new Error("They left."));
  await expect(previewKeywords(server.deps, ann.userId, { stages: [stage], days: 1 }, gone)).rejects.toThrow(
    "They left.",
  );
  const leaving = new AbortController();
  const looking = previewKeywords(server.deps, ann.userId, { stages: [stage], days: 1 }, leaving.signal);
  leaving.abort(new Error("They left."));
  await expect(looking).rejects.toThrow("They left.");
  expect((await ask({ stages: [stage] }))[0]).toBe(200);
});
