import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import compress from "@fastify/compress";
import multipart from "@fastify/multipart";
import Fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from "fastify";
import { MEDIA_MAX_BYTES } from "../domain/limits.ts";
import { archiveOf } from "./archive/write.ts";
import { createImportGuard } from "./archive/imports.ts";
import { registerArchive } from "./archive/routes.ts";
import { registerPrivacy } from "./privacy/index.ts";
import { createAuthenticator, createCredentials, createGuessLimits, registerAuth } from "./auth/index.ts";
import { createRefusalLog, createSubscriptionGate } from "./billing/gate.ts";
import { endSubscriptions } from "./billing/leave.ts";
import { registerBilling } from "./billing/routes.ts";
import type { Billing } from "./billing/context.ts";
import { registerBatch } from "./batch/routes.ts";
import { registerBulk } from "./bulk/routes.ts";
import { registerCsv } from "./csv/routes.ts";
import type { Access, Deps } from "./core/deps.ts";
import { registerDrain } from "./core/drain.ts";
import { registerErrorHandler } from "./core/errors.ts";
import { registerHardening, serverLimits } from "./core/hardening.ts";
import { databaseChecks, registerHealth, type ReadinessCheck } from "./core/health.ts";
import { registerOpenApi } from "./core/openapi.ts";
import { registerMethodCheck } from "./core/methods.ts";
import { registerMetrics, type Metrics } from "./core/metrics.ts";
import { createReadLimit, createRouter } from "./core/routes.ts";
import { registerShedder } from "./core/shedder.ts";
import { createCallRate } from "./core/call-rate.ts";
import { registerWeb } from "./core/web.ts";
import { registerConversation } from "./conversation/routes.ts";
import { registerCrm } from "./crm/routes.ts";
import { registerEvents } from "./events/index.ts";
import { registerExclusions } from "./exclusions/routes.ts";
import { registerFollowups } from "./followups/routes.ts";
import { registerForecast } from "./forecast/routes.ts";
import { hasApiKey, createKeyAuthenticator } from "./keys/authenticate.ts";
import { registerKeyLimits } from "./keys/limits.ts";
import { registerKeys } from "./keys/routes.ts";
import { registerKeywordLab } from "./keyword-lab/routes.ts";
import { registerLeads } from "./leads/routes.ts";
import { registerLedger } from "./ledger/routes.ts";
import { registerMcp } from "./mcp/index.ts";
import { registerMedia } from "./media/routes.ts";
import { coldSentToday } from "./outbox/pace.ts";
import { registerReminders } from "./reminders/routes.ts";
import { registerRest } from "./rest/index.ts";
import { registerSettings } from "./settings/index.ts";
import { registerSnippets } from "./snippets/routes.ts";
import { registerStages } from "./stages/routes.ts";
import { registerStats } from "./stats/index.ts";
import { disconnectAccount, registerTelegram, type TelegramConnection } from "./telegram/index.ts";
import { registerWebhooks } from "./webhooks/routes.ts";

const webFolder = fileURLToPath(new URL("../dist/web", import.meta.url));

/** A pause of the browser's is made up for by a burst of this many seconds. */
const BURST_SECONDS = 5;

export type AppParts = {
  billing: Billing;
  connection: TelegramConnection;
  /** the simulated parts' own pages and calls */
  registerSandbox?: (app: FastifyInstance) => void;
  metrics: Metrics;
  readiness?: readonly ReadinessCheck[];
  isStopping: () => boolean;
};

/** Builds the HTTP server of one process; the caller listens. */
export async function buildApp(deps: Deps, parts: AppParts): Promise<FastifyInstance> {
  const loggerInstance: FastifyBaseLogger = deps.logger;
  const app = Fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    ...serverLimits(deps.config),
    forceCloseConnections: "idle",
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
  });
  registerErrorHandler(app);
  registerHardening(app, deps);
  const keys = createKeyAuthenticator(deps, createGuessLimits(deps).byIp);
  // Before whatever may refuse: each answer to a key says what is left.
  registerKeyLimits(app, deps, keys);
  registerMethodCheck(app);
  const drain = registerDrain(app, deps.clock, parts.isStopping);
  await registerShedder(app, deps.config.shedAboveMs);
  await app.register(compress, {
    threshold: 2_048,
    encodings: ["gzip", "identity"],
    customTypes: /^application\/json|^text\/html/,
  });
  await app.register(multipart, {
    limits: { fileSize: MEDIA_MAX_BYTES, files: 1, fields: 10, fieldSize: 65_536, parts: 12 },
    throwFileSizeLimit: false,
  });
  await registerOpenApi(app);
  registerMetrics(app, parts.metrics, deps.config);
  registerHealth(app, deps.clock, [...databaseChecks(deps), ...(parts.readiness ?? [])], parts.isStopping);

  const authenticator = createAuthenticator(deps);
  const { callsPerSecond } = deps.config;
  const calls = createCallRate(deps, {
    of: "user",
    perSecond: callsPerSecond,
    most: callsPerSecond * BURST_SECONDS,
  });
  const access: Access = {
    authenticate: (request) =>
      hasApiKey(request) ? keys.authenticateRequest(request) : authenticator(request.headers.authorization),
    ...createSubscriptionGate(deps),
    onRefused: createRefusalLog(deps),
    onCall: calls.count,
    onWrite: createImportGuard(deps),
  };
  app.addHook("onClose", () => calls.stop());
  const reads = createReadLimit(deps.clock);
  const route = createRouter(app, access, deps, reads);
  registerAuth(app, deps, authenticator);
  registerRest(app, deps, { ...access, authenticate: ({ headers }) => authenticator(headers.authorization) }, reads);
  registerKeys(route, deps, keys);
  registerLeads(route, deps);
  registerBatch(route, deps);
  registerCsv(route, deps);
  registerExclusions(route, deps);
  registerConversation(route, deps);
  registerSnippets(route, deps);
  registerCrm(route, deps);
  registerStages(route, deps);
  registerKeywordLab(route, deps);
  registerSettings(route, deps);
  registerStats(route, deps);
  registerFollowups(route, deps);
  registerLedger(route, deps);
  registerForecast(route, deps);
  registerMedia(route, deps);
  registerReminders(route, deps);
  registerBulk(route, deps);
  registerWebhooks(route, deps);
  registerTelegram(route, app, deps, {
    connection: parts.connection,
    sentToday: (ownerId) => coldSentToday(deps.db, ownerId, deps.clock.iso()),
  });
  registerBilling(route, app, parts.billing);
  registerPrivacy(route, deps, {
    archiveOf,
    credentials: createCredentials(deps),
    disconnectTelegram: (userId) => disconnectAccount(deps, userId),
    cancelSubscription: (userId) => endSubscriptions(parts.billing, userId),
    forgetSession: (sessionId) => authenticator.forget(sessionId),
  });
  registerMcp(route, app, deps, parts.metrics);
  const imports = registerArchive(route, deps);
  app.addHook("preClose", () => imports.stop());
  const events = registerEvents(route, deps);
  parts.metrics.gauge("leadloom_event_streams", "Open streams of live changes.", events.count);
  app.addHook("preClose", async () => events.close());
  parts.registerSandbox?.(app);
  await registerWeb(app, deps.config, webFolder);
  app.addHook("preClose", drain);
  return app;
}

/** True when the browser's half has been built. */
export const isWebBuilt = (): boolean => fs.existsSync(path.join(webFolder, "index.html"));
