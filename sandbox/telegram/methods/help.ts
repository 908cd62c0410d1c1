import type { tl } from "@mtcute/core";
import { accountById } from "../world/people.ts";
import { unixTime } from "../world/world.ts";
import type { CallContext, Handlers } from "./context.ts";

function config({ world, dcId }: CallContext): tl.RawConfig {
  const now = unixTime(world);
  return {
    _: "config",
    date: now,
    expires: now + 3600,
    testMode: false,
    thisDc: dcId,
    dcOptions: world.dcs.map((dc) => ({ _: "dcOption", id: dc.id, ipAddress: dc.ipAddress, port: dc.port })),
    dcTxtDomainName: "",
    chatSizeMax: 200,
    megagroupSizeMax: 200_000,
    forwardedCountMax: 100,
    onlineUpdatePeriodMs: 210_000,
    offlineBlurTimeoutMs: 5000,
    offlineIdleTimeoutMs: 30_000,
    onlineCloudTimeoutMs: 300_000,
    notifyCloudDelayMs: 30_000,
    notifyDefaultDelayMs: 1500,
    pushChatPeriodMs: 60_000,
    pushChatLimit: 2,
    editTimeLimit: 172_800,
    revokeTimeLimit: 2_147_483_647,
    revokePmTimeLimit: 2_147_483_647,
    ratingEDecay: 2_419_200,
    stickersRecentLimit: 200,
    channelsReadMediaPeriod: 604_800,
    callReceiveTimeoutMs: 20_000,
    callRingTimeoutMs: 90_000,
    callConnectTimeoutMs: 30_000,
    callPacketTimeoutMs: 10_000,
    meUrlPrefix: "https://t.me/",
    captionLengthMax: 1024,
    messageLengthMax: 4096,
    webfileDcId: dcId,
  };
}

export const helpMethods: Handlers = {
  "help.getConfig": config,
  "help.getNearestDc": ({ world, dcId, key }) => ({
    _: "nearestDc",
    country: "DE",
    thisDc: dcId,
    nearestDc: (key.user_id === null ? undefined : accountById(world, key.user_id))?.dc_id ?? world.mainDcId,
  }),
  "help.getAppConfig": () => ({ _: "help.appConfig", hash: 1, config: { _: "jsonObject", value: [] } }),
  "help.getTermsOfServiceUpdate": ({ world }) => ({
    _: "help.termsOfServiceUpdateEmpty",
    expires: unixTime(world) + 86_400,
  }),
};
