import type { Lead } from "../../domain/lead.ts";

type Written = Partial<Lead>;

/** What this page wrote to leads, over answers that may be older than it. */
export type OwnWrites = {
  /** Awaits a reading of leads; `replace` puts the newest of each lead, as `newestOf` knows it, into the answer. */
  reading: <Answer>(
    read: Promise<Answer>,
    replace: (answer: Answer, newestOf: <Read extends Lead>(lead: Read) => Read) => Answer,
  ) => Promise<Answer>;
  /** What the server has taken: readings under way may have been answered before. */
  settle: (leadId: string, written: Written) => void;
  /** What is on its way and shown as such; returns what ends it. */
  send: (leadId: string, written: Written) => () => void;
};

export function createOwnWrites(): OwnWrites {
  const readings = new Set<Map<string, Written>>();
  const underWay = new Map<string, Written>();
  return {
    async reading(read, replace) {
      const settled = new Map<string, Written>();
      readings.add(settled);
      try {
        return replace(await read, (lead) =>
          settled.has(lead.id) || underWay.has(lead.id)
            ? { ...lead, ...settled.get(lead.id), ...underWay.get(lead.id) }
            : lead,
        );
      } finally {
        readings.delete(settled);
      }
    },
    settle(leadId, written) {
      for (const settled of readings) settled.set(leadId, { ...settled.get(leadId), ...written });
    },
    send(leadId, written) {
      underWay.set(leadId, written);
      return () => {
        if (underWay.get(leadId) === written) underWay.delete(leadId);
      };
    },
  };
}
