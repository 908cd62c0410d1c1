import { type GenericSchema, parse } from "valibot";
import { FieldList } from "../../domain/field.ts";
import { TagList } from "../../domain/tag.ts";
import { ViewList } from "../../domain/view.ts";
import type { Http } from "./http.ts";
import { nullOn } from "../../domain/problem.ts";

type Form = Readonly<Record<string, unknown>>;

/** `/tags`, `/fields`, `/views`: what users create for their leads. */
const createCatalogGateway = <Item>(http: Http, path: string, decode: GenericSchema<unknown, readonly Item[]>) => {
  const pathOf = (id: string) => `${path}/${encodeURIComponent(id)}`;
  return {
    list: async (signal: AbortSignal): Promise<readonly Item[]> => parse(decode, await http(path, { signal })),
    add: ({ form }: { form: Form }) => http(path, { method: "POST", body: form, once: true }),
    /** `moveTo` is where leads move from the removed item; undefined if no choice was needed. */
    change: ({ id, form, moveTo }: { id: string; form: Form; moveTo: string | null | undefined }) =>
      http(pathOf(id), { method: "PATCH", body: { ...form, ...(moveTo === undefined ? {} : { move_to: moveTo }) } }),
    remove: async ({ id }: { id: string }): Promise<void> => {
      await http(pathOf(id), { method: "DELETE" });
    },
    restore: ({ id }: { id: string }) => http(`${pathOf(id)}/restore`, { method: "POST" }),
  };
};

export const createTagsGateway = (http: Http) => createCatalogGateway(http, "/tags", TagList);
export const createFieldsGateway = (http: Http) => createCatalogGateway(http, "/fields", FieldList);
export const createViewsGateway = (http: Http) => createCatalogGateway(http, "/views", ViewList);

/** The field that is summed up. */
export const createValueFieldGateway = (http: Http) => ({
  /** Null if no field is the value field, or the server has no fields. */
  async read(signal: AbortSignal): Promise<{ id: string; name: string } | null> {
    const fields = await http("/fields", { signal }).catch(nullOn(404));
    const field = parse(FieldList, fields ?? []).find(({ is_value }) => is_value);
    return field ? { id: field.id, name: field.name } : null;
  },
});
