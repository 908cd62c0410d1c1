import { parse } from "valibot";
import {
  Followup,
  OverdueFollowups,
  OverduePlanned,
  type FollowupResult,
  FollowupResults,
} from "../../domain/followup.ts";
import { nullOn } from "../../domain/problem.ts";
import { createFollowupSends } from "./followup-sends.ts";
import type { Http } from "./http.ts";
import { createVersions } from "./versions.ts";

/** A new follow-up; its order is zero-based. */
export type NewFollowup = {
  stage_id: string;
  message: string;
  followup_order: number;
  delay_hours: number;
  media: File | null;
};

export type FollowupChange = { id: string; message: string; delay_hours: number };
export type OrderChange = { id: string; followup_order: number };

/** `/followups` of the product API. A change sends the version of the list or of the previous change. */
export const createFollowupsGateway = (http: Http, versions = createVersions()) => ({
  ...createFollowupSends(http, versions),

  /** Sends the fields and the file as multipart; resolves to the follow-up as stored. */
  add: async ({ media, ...fields }: NewFollowup): Promise<Followup> => {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.append(name, String(value));
    if (media) body.append("media", media, media.name);
    return parse(Followup, await http("/followups", { method: "POST", body, once: true }));
  },

  change: async ({ id, ...body }: FollowupChange) => {
    versions.keep(await http.raw(pathOf(id), { method: "PATCH", body, headers: versions.headers() }));
  },

  setOrder: async ({ id, ...body }: OrderChange) => {
    await http(pathOf(id), { method: "PATCH", body });
  },

  remove: async ({ id }: { id: string }) => {
    await http(pathOf(id), { method: "DELETE" });
  },

  /** Restores one deleted within the last minute, to its old position. */
  restore: async ({ id }: { id: string }): Promise<Followup> =>
    parse(Followup, await http(`${pathOf(id)}/restore`, { method: "POST" })),

  /**
   * Each follow-up's results in a period (ISO, both ends inclusive; the last 90 days by default); null if the server does not know the
   * call.
   */
  results: (range: { from?: string; to?: string }, signal: AbortSignal): Promise<FollowupResult[] | null> =>
    http("/followups/results", { query: range, signal }).then(
      (answer) => parse(FollowupResults, answer),
      nullOn(404, 405),
    ),

  overdue: async (signal: AbortSignal): Promise<OverdueFollowups> =>
    parse(OverdueFollowups, await http("/followups/overdue", { signal })),

  /** Approves overdue follow-ups, of these leads or (null) of all; resolves to how many. */
  confirmOverdue: async ({ leadIds }: { leadIds: string[] | null }): Promise<number> => {
    const body = leadIds === null ? {} : { lead_ids: leadIds };
    return parse(OverduePlanned, await http("/followups/overdue/confirm", { method: "POST", body, once: true }))
      .planned;
  },
});

const pathOf = (id: string) => `/followups/${encodeURIComponent(id)}`;
