import * as v from "valibot";
import { LeadAutomation } from "../../domain/lead-automation.ts";
import { nullOn } from "../../domain/problem.ts";
import { leadPath } from "./addresses.ts";
import type { Http } from "./http.ts";

/** Accepts states that are newer than this page. */
const Automation = v.object({ ...LeadAutomation.entries, state: v.string() });
type Automation = v.InferOutput<typeof Automation>;

type Steering = { leadId: string; action: "skip" | "hold" | "resume"; until?: string | null; shown?: string };

const pathOf = (leadId: string) => `${leadPath(leadId)}/automation`;

export const createAutomationGateway = (http: Http) => {
  /** Null if the server does not know the lead, or the call. */
  const read = ({ leadId }: { leadId: string }, signal?: AbortSignal): Promise<Automation | null> =>
    http(pathOf(leadId), signal ? { signal } : {}).then((answer) => v.parse(Automation, answer), nullOn(404));
  return {
    read,

    /** Resolves to the resulting automation. */
    steer: async ({ leadId, shown, ...steering }: Steering): Promise<Automation | null> => {
      const once = shown === undefined ? {} : { once: shown };
      const answer = v.safeParse(Automation, await http(pathOf(leadId), { method: "POST", body: steering, ...once }));
      return answer.success ? answer.output : read({ leadId });
    },
  };
};
