import { createServer, type Server } from "node:net";
import { randomBytes } from "node:crypto";
import type { Clock } from "../server-imports.ts";
import { Dispatcher } from "./dispatch.ts";
import { Connection } from "./protocol/connection.ts";
import type { Core } from "./protocol/incoming.ts";
import { generateServerKeyPem, loadServerKey } from "./protocol/server-key.ts";
import { Sessions } from "./protocol/sessions.ts";
import { forgetOldParts } from "./world/files.ts";
import { addChannel, channelByUsername } from "./world/groups.ts";
import { PasswordChecks } from "./world/password.ts";
import { SERVICE_USER_ID, addPerson, personById } from "./world/people.ts";
import { Store } from "./world/store.ts";
import type { Dc, Logger, World } from "./world/world.ts";

const MAIN_DC_ID = 2;
/** The data centres by id; clients ask the first one first. */
const DC_IDS = [MAIN_DC_ID, 4];

export type NetworkOptions = {
  dir: string;
  clock: Clock;
  host?: string;
  ports?: number[];
  logger?: Logger;
};

const SILENT: Logger = { debug: () => undefined, warn: () => undefined };

function listen(server: Server, port: number, host: string): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException): void => {
      if (port !== 0 && (error.code === "EADDRINUSE" || error.code === "EACCES")) resolve(null);
      else reject(error);
    };
    server.once("error", onError);
    server.listen(port, host, () => {
      server.off("error", onError);
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : null);
    });
  });
}

/** Listens on the requested port, or on a free one if it is taken. */
async function listenNear(server: Server, wished: number, host: string): Promise<number> {
  const port = (await listen(server, wished, host)) ?? (await listen(server, 0, host));
  if (port === null) throw new Error("no port to listen on");
  return port;
}

function createDefaults(world: World): void {
  if (personById(world, SERVICE_USER_ID) === undefined) {
    addPerson(world, { user_id: SERVICE_USER_ID, first_name: "Telegram", phone: "+42777" });
  }
  if (channelByUsername(world, "leadloom_team") === undefined) {
    addChannel(world, { username: "leadloom_team", title: "Leadloom team", kind: "channel", writers: "everyone" });
  }
}

/** A running network: the world, its data centres and their connections. */
export type RunningNetwork = {
  readonly world: World;
  readonly core: Core;
  readonly publicKeyPem: string;
  readonly listeners: Set<() => void>;
  close(): Promise<void>;
};

/** Opens the store and listens on one port per data centre. */
export async function runNetwork({
  dir,
  clock,
  host = "127.0.0.1",
  ports,
  logger = SILENT,
}: NetworkOptions): Promise<RunningNetwork> {
  const store = new Store(dir);
  const serverKey = loadServerKey(store.keep("server_key", generateServerKeyPem));
  const secret = Buffer.from(
    store.keep("secret", () => randomBytes(32).toString("hex")),
    "hex",
  );
  const dcs: Dc[] = [];
  const sessions = new Sessions();
  const listeners = new Set<() => void>();
  let announced = false;
  const changed = (): void => {
    if (announced) return;
    announced = true;
    setImmediate(() => {
      announced = false;
      for (const listener of listeners) listener();
    });
  };
  const world: World = { store, clock, logger, secret, dcs, mainDcId: MAIN_DC_ID, hub: sessions, changed };
  sessions.use(world);
  store.transaction(() => {
    createDefaults(world);
    forgetOldParts(world);
  });
  const core: Core = { world, serverKey, sessions, dispatcher: new Dispatcher(world), passwords: new PasswordChecks() };

  const connections = new Set<Connection>();
  const servers: Server[] = [];
  for (const [index, id] of DC_IDS.entries()) {
    const server = createServer((socket) => {
      const connection = new Connection(core, id, socket);
      connections.add(connection);
      socket.once("close", () => connections.delete(connection));
    });
    const wished = ports?.[index] ?? Number(store.meta(`port_${id}`) ?? 0);
    const port = await listenNear(server, wished, host);
    store.setMeta(`port_${id}`, String(port));
    servers.push(server);
    dcs.push({ id, ipAddress: host, port });
  }

  return {
    world,
    core,
    publicKeyPem: serverKey.publicPem,
    listeners,
    async close() {
      const closed = servers.map((server) => new Promise((resolve) => server.close(resolve)));
      for (const connection of connections) connection.destroy();
      await Promise.all(closed);
      store.close();
    },
  };
}
