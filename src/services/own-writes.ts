import type { Lead } from "../../domain/lead.ts";

/** A lead as this page reads it. `isNoteInFlight` marks a note that is shown but may not be stored yet. */
export type ReadLead = Lead & { isNoteInFlight?: true };

type Written = Partial<ReadLead>;

/** This page's writes to leads, merged into responses that may be older. */
export type OwnWrites = {
  /** Awaits a read of leads; `replace` merges the newest version of each lead (`newestOf`) into the response. */
  mergeWrites: <Answer>(
    read: Promise<Answer>,
    replace: (answer: Answer, newestOf: <Read extends Lead>(lead: Read) => Read) => Answer,
  ) => Promise<Answer>;
  /** Records a saved write: reads in flight may be older. */
  settle: (leadId: string, written: Written) => void;
  /** Records a write in flight, shown optimistically. Returns a function that ends it. */
  send: (leadId: string, written: Written) => () => void;
};

export function createOwnWrites(): OwnWrites {
  const reads = new Set<Map<string, Written>>();
  const underWay = new Map<string, Written>();
  return {
    async mergeWrites(read, replace) {
      const settled = new Map<string, Written>();
      reads.add(settled);
      try {
        return replace(await read, (lead) =>
          settled.has(lead.id) || underWay.has(lead.id)
            ? { ...lead, ...settled.get(lead.id), ...underWay.get(lead.id) }
            : lead,
        );
      } finally {
        reads.delete(settled);
      }
    },
    settle(leadId, written) {
      for (const settled of reads) settled.set(leadId, { ...settled.get(leadId), ...written });
    },
    send(leadId, written) {
      underWay.set(leadId, written);
      return () => {
        if (underWay.get(leadId) === written) underWay.delete(leadId);
      };
    },
  };
}
