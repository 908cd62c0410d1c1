import { parse } from "valibot";
import { LeadFieldValues } from "../../domain/field.ts";
import type { FieldValue, LeadTag } from "../../domain/lead.ts";
import { LeadTagList } from "../../domain/tag.ts";
import { leadPath } from "./addresses.ts";
import type { Http } from "./http.ts";

export const createLeadTagsAndFieldsGateway = (http: Http) => ({
  setTags: async (input: { leadId: string; tagIds: readonly string[] }): Promise<readonly LeadTag[]> => {
    const body = { tag_ids: input.tagIds };
    return parse(LeadTagList, await http(`${leadPath(input.leadId)}/tags`, { method: "PUT", body })).tags;
  },
  setFields: async (input: { leadId: string; values: Readonly<Record<string, FieldValue>> }) =>
    parse(LeadFieldValues, await http(`${leadPath(input.leadId)}/fields`, { method: "PATCH", body: input.values }))
      .fields,
});
