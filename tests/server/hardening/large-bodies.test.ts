import http from "node:http";
import { expect, test } from "vitest";
import { sharedServer } from "../../support/server.ts";

const MB = 1_048_576;
const server = await sharedServer();
const user = await server.subscriber();

type Answer = { status: number; code: string; isWhole: boolean };

/** Sends the whole body before it reads the response, as a simple client does. */
function send(path: string, body: Buffer, headers: http.OutgoingHttpHeaders): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = http.request(`${server.url}${path}`, { method: "POST", headers: { ...headers } });
    const written = new Promise<void>((done) => request.end(body, done));
    request.on("error", reject);
    request.on("response", (response) => {
      response.pause();
      void written.then(async () => {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk as Buffer);
        const { code } = JSON.parse(Buffer.concat(chunks).toString()) as { code: string };
        resolve({ status: response.statusCode ?? 0, code, isWhole: response.complete });
      });
    });
  });
}
const json = (size: number) => Buffer.from(JSON.stringify({ name: "x".repeat(size) }));
function form(...files: { name: string; size: number }[]): Buffer {
  const parts = files.flatMap(({ name, size }) => [
    Buffer.from(
      `--cut\r\ncontent-disposition: form-data; name="${name}"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n`,
    ),
    Buffer.alloc(size, 7),
    Buffer.from("\r\n"),
  ]);
  return Buffer.concat([...parts, Buffer.from("--cut--\r\n")]);
}

test.each([
  ["/api/stages", "too_large"],
  ["/mcp", "too_large"],
  ["/auth/v1/signup", 413],
  ["/rest/v1/users", "PGRST102"],
])("reads a body that is too large to its end on %s, so that its 413 arrives", async (path, code) => {
  const body = json(12 * MB);
  const headers = { "content-type": "application/json", authorization: `Bearer ${user.token}` };
  const whole = { status: 413, code, isWhole: true };
  expect(await send(path, body, { ...headers, "content-length": body.length })).toEqual(whole);
  expect(await send(path, body, { ...headers, "transfer-encoding": "chunked" })).toEqual(whole);
});

test.each([
  ["a file that is too large", form({ name: "media", size: 12 * MB }), 413],
  ["a second file", form({ name: "media", size: MB }, { name: "media", size: 9 * MB }), 422],
  ["a file of another name", form({ name: "picture", size: 9 * MB }), 422],
])("reads a form with %s to its end", async (_what, body, status) => {
  const headers = { "content-type": "multipart/form-data; boundary=cut", "content-length": body.length };
  const answer = await send("/api/followups", body, { ...headers, authorization: `Bearer ${user.token}` });
  expect(answer).toMatchObject({ status, isWhole: true });
});

test("aborts an endless body", async () => {
  const headers = { "content-type": "application/json", authorization: `Bearer ${user.token}` };
  const request = http.request(`${server.url}/api/stages`, { method: "POST", headers });
  const closed = new Promise<void>((resolve) => request.once("error", () => resolve()));
  const chunk = Buffer.alloc(MB, 120);
  let sent = 0;
  const write = (): void => {
    if (request.destroyed || sent > 200 * MB) return;
    sent += chunk.length;
    request.write(chunk, write);
  };
  write();
  await closed;
  expect(sent).toBeLessThan(200 * MB);
});
