import type { FastifyInstance } from "fastify";
import type { Deps } from "../core/deps.ts";
import type { Route } from "../core/routes.ts";
import { registerAccountRoutes } from "./account-routes.ts";
import { createConnector } from "./connect.ts";
import type { TelegramConnection } from "./connection.ts";
import { type LoginFlows, createLoginFlows } from "./login/flows.ts";
import { registerLoginRoutes } from "./routes.ts";

export { type AccountKeeper, startAccountKeeper } from "./account/keeper.ts";
export { disconnectAccount } from "./connect.ts";
export { type NetworkAddress, type TelegramConnection, telegramConnection } from "./connection.ts";
export type { LoginFlows } from "./login/flows.ts";
export type { ChatPlace, HeldAccount, PrivateChat } from "./types.ts";

/**
 * Registers the /api/telegram routes.
 * @param options.sentToday how many cold messages the user sent today, as counted by the daily limit
 * @returns the logins in progress, to stop with the server
 */
export function registerTelegram(
  route: Route,
  app: FastifyInstance,
  deps: Deps,
  options: { connection: TelegramConnection; sentToday(userId: string): Promise<number> },
): LoginFlows {
  const logins = createLoginFlows(deps, {
    connection: options.connection,
    connector: createConnector(deps, options.connection),
  });
  registerLoginRoutes(route, deps, logins);
  registerAccountRoutes(route, deps, options);
  app.addHook("preClose", () => logins.stop());
  return logins;
}
