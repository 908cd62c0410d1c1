import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { systemClock } from "../../../server/core/clock.ts";
import { createGuardedLookup, isPublicAddress, readAddress, RefusedAddress } from "../../../server/webhooks/address.ts";
import { createPoster } from "../../../server/webhooks/post.ts";
import { bodyOf } from "../../../server/webhooks/body.ts";
import { openReceiver, verify } from "../../support/receiver.ts";

const NOT_PUBLIC = [
  // this host, private networks, carriers, link-local and its metadata services
  "0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.100.100.200 100.127.255.255 127.0.0.1 127.8.8.8",
  "168.63.129.16 169.254.0.1 169.254.169.254 169.254.170.2 172.16.0.1 172.31.255.255",
  // protocol assignments, documentation, benchmarks, relays
  "192.0.0.1 192.0.0.192 192.0.2.1 192.31.196.1 192.52.193.1 192.88.99.1 192.168.0.1 192.175.48.1 198.18.0.1",
  "198.19.255.255 198.51.100.1 203.0.113.1",
  // multicast, reserved, broadcast
  "224.0.0.1 239.255.255.250 240.0.0.1 255.255.255.255",
  // IPv6: unspecified, loopback, what hides an IPv4 address, local, documentation, tunnels, multicast
  ":: ::1 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:8.8.8.8 ::ffff:a9fe:a9fe ::ffff:0:7f00:1 64:ff9b::a9fe:a9fe 64:ff9b::8.8.8.8",
  "64:ff9b:1::1 100::1 2001::1 2001:2::1 2001:10::1 2001:20::1 2001:db8::1 2002:7f00:1:: 2002:808:808::1",
  "3fff::1 4000::1 5f00::1 fc00::1 fd00:ec2::254 fe80::1 fe80::1%eth0 fec0::1 ff02::1",
].flatMap((line) => line.split(" "));
const PUBLIC =
  "1.1.1.1 8.8.8.8 93.184.216.34 172.15.0.1 172.32.0.1 100.128.0.1 2606:4700:4700::1111 2a00:1450:4001::1".split(" ");

test("never connects to a private address in any notation", () => {
  expect(NOT_PUBLIC.length).toBeGreaterThanOrEqual(40);
  expect(NOT_PUBLIC.filter(isPublicAddress)).toEqual([]);
  expect(PUBLIC.filter((address) => !isPublicAddress(address))).toEqual([]);
  expect(["", "localhost", "8.8.8", "8.8.8.8.8", "example.com"].filter(isPublicAddress)).toEqual([]);
});

const problemOf = (url: string, allowPrivate = false): string => {
  try {
    readAddress(url, allowPrivate);
    return "taken";
  } catch (error) {
    return error instanceof RefusedAddress ? error.message : String(error);
  }
};

test("refuses an unusable address on creation, and says what to do", () => {
  const hosts = NOT_PUBLIC.filter((address) => !address.includes("%")).map((ip) => (ip.includes(":") ? `[${ip}]` : ip));
  const written = "2130706433 0x7f.1 0177.0.0.1 127.1 localhost localhost. a.localhost db db.internal router.lan";
  const notPublic = "The address does not lead to the public internet. Give one that can be reached from everywhere.";
  for (const host of [...hosts, ...written.split(" ")])
    expect([host, problemOf(`https://${host}/hook`)]).toEqual([host, notPublic]);
  expect(problemOf("http://example.com/hook")).toBe("The address must begin with https://.");
  expect(problemOf("file:///etc/passwd")).toBe("The address must begin with https://.");
  expect(problemOf("hook")).toBe("That is no address. Give one such as https://example.com/hook.");
  expect(problemOf("https://me:secret@example.com")).toMatch("must not hold a name or password");
  expect(problemOf("https://example.com:22/")).toBe("The port must be 443, or 1024 and above.");
  for (const url of ["https://example.com", "https://example.com:8443/a?b=c", "https://[2606:4700:4700::1111]/"])
    expect([url, problemOf(url)]).toEqual([url, "taken"]);
  for (const url of ["http://127.0.0.1:80/", "http://db:22/", "https://[::1]/"])
    expect([url, problemOf(url, true)]).toEqual([url, "taken"]);
});

const lookUp = (addresses: string[], options: { all?: boolean; family?: number } = { all: true }) =>
  new Promise((resolve) => {
    createGuardedLookup(async () => addresses)("name.example", options, (error, found) =>
      resolve(error === null ? found : error.message),
    );
  });

test("refuses a name when any of its addresses is private", async () => {
  const refused = "The address does not lead to the public internet.";
  for (const address of NOT_PUBLIC) expect([address, await lookUp(["1.1.1.1", address])]).toEqual([address, refused]);
  expect(await lookUp([])).toBe(refused);
  expect(await lookUp(["1.1.1.1", "2606:4700::1"])).toEqual([
    { address: "1.1.1.1", family: 4 },
    { address: "2606:4700::1", family: 6 },
  ]);
  expect(await lookUp(["2606:4700::1", "1.1.1.1"], { family: 4 })).toBe("1.1.1.1");
});

const sent = { secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", eventKey: "evt", body: '{"a":1}' };

test("never connects to a private address after DNS rebinding or by IP", async () => {
  let calls = 0;
  const inside = createServer((_request, response) => {
    calls += 1;
    response.end();
  }).listen(0, "127.0.0.1");
  await once(inside, "listening");
  const { port } = inside.address() as AddressInfo;
  const lookups: string[] = [];
  // The name was public when the webhook was created; every later lookup returns this machine.
  const poster = createPoster({
    clock: systemClock,
    allowPrivate: false,
    resolve: async (name) => {
      lookups.push(name);
      return ["127.0.0.1"];
    },
  });
  const refused = { status: null, error: "address_not_public" };
  for (let time = 0; time < 2; time += 1)
    expect(await poster.post({ ...sent, url: `https://rebinding.example:${port}/` })).toEqual(refused);
  expect(lookups).toEqual(["rebinding.example", "rebinding.example"]);
  expect((await poster.post({ ...sent, url: `https://127.0.0.1:${port}/` })).error).toBe("address_private");
  expect(calls).toBe(0);
  await poster.stop();
  inside.close();
});

test("signs a request, fails after a timeout, and reports errors without the body", async () => {
  const receiver = await openReceiver();
  const poster = createPoster({ clock: systemClock, allowPrivate: true });
  const impatient = createPoster({ clock: systemClock, allowPrivate: true, answerMs: 300 });
  const post = (path: string) => poster.post({ ...sent, url: receiver.urlOf(path) });
  receiver.answer("/hangs", "hangs");
  receiver.answer("/gone", 410);
  receiver.answer("/moved", 307);
  expect(await post("/good")).toEqual({ status: 204, error: null });
  expect(receiver.received.map((one) => verify(sent.secret, one))).toEqual([{ a: 1 }]);
  expect(await post("/gone")).toEqual({ status: 410, error: 'receiver_refused {"status":410}' });
  expect(await post("/moved")).toEqual({ status: 307, error: 'receiver_redirected {"status":307}' });
  const slow = { status: null, error: 'receiver_slow {"seconds":0.3}' };
  expect(await impatient.post({ ...sent, url: receiver.urlOf("/hangs") })).toEqual(slow);
  const { port } = new URL(receiver.urlOf("/"));
  await receiver.close();
  const refused = { status: null, error: "connection_refused" };
  expect(await poster.post({ ...sent, url: `http://127.0.0.1:${port}/` })).toEqual(refused);
  await poster.stop();
  await impatient.stop();
});

test("accepts a response with an endless body, and closes the connection", async () => {
  const server = createServer((_request, response) => void response.writeHead(200).write("..."));
  const closed = new Promise((resolve) => server.once("connection", (socket) => socket.once("close", resolve)));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const poster = createPoster({ clock: systemClock, allowPrivate: true, answerMs: 600_000 });
  const { port } = server.address() as AddressInfo;
  expect(await poster.post({ ...sent, url: `http://127.0.0.1:${port}/` })).toEqual({ status: 200, error: null });
  await closed;
  await poster.stop();
  server.close();
});

test("limits a body to 64 KB, cuts its text between characters, and says so", () => {
  const event = (text: string) => ({
    type: "message.received",
    at: "2026-03-05T10:00:00Z",
    data: { lead_id: "1", text },
  });
  const { at: timestamp, ...short } = event("short");
  expect(JSON.parse(bodyOf(event("short")))).toEqual({ ...short, timestamp });
  for (const text of ["a".repeat(70_000), "😀".repeat(20_000), '"'.repeat(40_000), "\u0001".repeat(20_000)]) {
    const body = bodyOf(event(text));
    const { data } = JSON.parse(body) as { data: { text: string; truncated: boolean } };
    expect(data.truncated).toBe(true);
    expect(text.startsWith(data.text)).toBe(true);
    expect(data.text.isWellFormed()).toBe(true);
    const bytes = Buffer.byteLength(body);
    expect([bytes < 65_536, bytes > 65_500]).toEqual([true, true]);
  }
});
