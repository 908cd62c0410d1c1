import * as v from "valibot";
import { Field, FieldCreate, FieldList, FieldPatch, LeadFieldsPatch, LeadFieldValues } from "../../domain/field.ts";
import { Removed, Id } from "../../domain/schema-parts.ts";
import { LeadTagList, LeadTags, Tag, TagCreate, TagList, TagPatch } from "../../domain/tag.ts";
import { View, ViewCreate, ViewList, ViewPatch } from "../../domain/view.ts";
import { publishEvent } from "../core/bus.ts";
import { type Deps, callingKeyName } from "../core/deps.ts";
import type { TagName } from "../core/openapi/tags.ts";
import { fingerprintOf, withIdempotencyKey, readRequestKey } from "../core/request-keys.ts";
import { quotaOf, enforceQuota } from "../owned-data/quota.ts";
import type { Route } from "../core/routes.ts";
import type { DbOrTx, Tx } from "../db/index.ts";
import { addField, changeField, FIELDS, holdLeadsOfOptions, listFields, readField } from "./fields.ts";
import { restoreDeleted, edit, remove, type AuditStamp, type Kind, type OwnedRef } from "./soft-delete.ts";
import { setLeadFields } from "./lead-fields.ts";
import { addTag, changeTag, listTags, readTag, setLeadTags, TAGS } from "./tags.ts";
import { addView, changeView, listViews, readView, VIEWS } from "./views.ts";

const ById = v.strictObject({ id: Id });
const gate = "subscribed";

export function registerCrm(route: Route, deps: Deps): void {
  registerKind(route, deps, {
    kind: TAGS,
    tag: "Tags",
    schemas: { one: Tag, list: TagList, create: TagCreate, patch: TagPatch },
    list: listTags,
    read: readTag,
    add: addTag,
    change: changeTag,
  });
  registerKind(route, deps, {
    kind: FIELDS,
    tag: "Fields",
    schemas: { one: Field, list: FieldList, create: FieldCreate, patch: FieldPatch },
    list: listFields,
    read: readField,
    add: addField,
    change: changeField,
    first: holdLeadsOfOptions,
  });
  registerKind(route, deps, {
    kind: VIEWS,
    tag: "Views",
    schemas: { one: View, list: ViewList, create: ViewCreate, patch: ViewPatch },
    list: listViews,
    read: readView,
    add: addView,
    change: changeView,
  });
  route({
    method: "PUT",
    url: "/api/leads/:id/tags",
    scope: "write",
    id: "setLeadTags",
    summary: "Replace a lead's tags",
    tag: "Leads",
    gate,
    params: ById,
    body: LeadTags,
    answer: LeadTagList,
    handler: async ({ caller, params, body }) => ({
      tags: await setLeadTags(
        deps,
        { ownerId: caller.id, leadId: params.id, byKey: callingKeyName(caller) },
        body.tag_ids,
      ),
    }),
  });
  route({
    method: "PATCH",
    url: "/api/leads/:id/fields",
    scope: "write",
    id: "setLeadFields",
    summary: "Set a lead's values of custom fields",
    description: "By the fields' ids. null takes one away, what is not named stays.",
    tag: "Leads",
    gate,
    params: ById,
    body: LeadFieldsPatch,
    answer: LeadFieldValues,
    handler: async ({ caller, params, body }) => ({
      fields: await setLeadFields(deps, { ownerId: caller.id, leadId: params.id, byKey: callingKeyName(caller) }, body),
    }),
  });
}

type Schema<T> = v.GenericSchema<unknown, T>;
type Calls<One extends { id: string }, Create extends object, Patch> = {
  kind: Kind;
  /** for the OpenAPI page */
  tag: TagName;
  schemas: { one: v.GenericSchema; list: v.GenericSchema; create: Schema<Create>; patch: Schema<Patch> };
  list(db: DbOrTx, ownerId: string): Promise<One[]>;
  read(db: DbOrTx, ref: OwnedRef): Promise<One>;
  add(tx: Tx, ownerId: string, body: Create, at: string): Promise<string>;
  /** resolves to whether leads look different afterwards */
  change(tx: Tx, ref: OwnedRef, patch: Patch, stamp: AuditStamp): Promise<boolean>;
  /** locks the leads that a change affects */
  first?(tx: Tx, ref: OwnedRef, patch: Patch): Promise<void>;
};

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** Registers the five calls for tags, fields or views. */
function registerKind<One extends { id: string }, Create extends object, Patch>(
  route: Route,
  deps: Deps,
  { kind, tag, schemas, list, read, add, change, first }: Calls<One, Create, Patch>,
): void {
  const { table, noun } = kind;
  const shared = { tag, gate } as const;
  const tellLists = (tx: Tx, ownerId: string, isShown: boolean) =>
    isShown ? publishEvent(deps.bus, ownerId, "leads.changed", {}, tx) : Promise.resolve();
  const url = `/api/${table}`;
  const [one, many] = [capital(noun), capital(table)];
  const taken = `${noun}_name_taken` as const;
  route({
    ...shared,
    method: "GET",
    url,
    scope: "read",
    id: `list${many}`,
    summary: `List ${table}`,
    answer: schemas.list,
    handler: ({ caller }) => list(deps.db, caller.id),
  });
  route({
    ...shared,
    method: "POST",
    url,
    scope: "write",
    id: `add${one}`,
    summary: `Add a ${noun}; at most ${quotaOf(table)}`,
    refuses: { 409: [taken, `too_many_${table}`] },
    status: 201,
    takesKey: true,
    body: schemas.create,
    answer: schemas.one,
    handler: ({ caller, body, request }) => {
      const at = deps.clock.iso();
      const keyedRequest = { ownerId: caller.id, key: readRequestKey(request), at };
      const fingerprint = fingerprintOf(noun, JSON.stringify(body));
      return edit(deps, kind, caller.id, (tx) =>
        withIdempotencyKey<One>(tx, { ...keyedRequest, fingerprint }, async () => {
          await enforceQuota(tx, kind.table, caller.id);
          return read(tx, { ownerId: caller.id, id: await add(tx, caller.id, body, at) });
        }),
      );
    },
  });
  route({
    ...shared,
    method: "PATCH",
    url: `${url}/:id`,
    scope: "write",
    id: `change${one}`,
    summary: `Change a ${noun}`,
    refuses: { 409: table === "fields" ? [taken, "option_in_use"] : [taken] },
    params: ById,
    body: schemas.patch,
    answer: schemas.one,
    handler: ({ caller, params, body }) => {
      const ref = { ownerId: caller.id, id: params.id };
      const work = async (tx: Tx) => {
        await tellLists(
          tx,
          caller.id,
          await change(tx, ref, body, { at: deps.clock.iso(), byKey: callingKeyName(caller) }),
        );
        return read(tx, ref);
      };
      return edit(deps, kind, caller.id, work, { first: first && ((tx) => first(tx, ref, body)) });
    },
  });
  route({
    ...shared,
    method: "DELETE",
    url: `${url}/:id`,
    scope: "write",
    id: `delete${one}`,
    summary: `Delete a ${noun}${table === "views" ? "" : " and remove it from every lead"}`,
    description: "For a minute it can be restored.",
    params: ById,
    answer: Removed,
    handler: ({ caller, params }) => {
      const ref = { ownerId: caller.id, id: params.id };
      return edit(deps, kind, caller.id, async (tx) => {
        const leads = await remove(tx, kind, ref, deps.clock.iso());
        await tellLists(tx, caller.id, leads !== null && leads > 0);
        return { success: true, ...(leads === null ? {} : { leads }) };
      });
    },
  });
  route({
    ...shared,
    method: "POST",
    url: `${url}/:id/restore`,
    scope: "write",
    id: `restore${one}`,
    summary: `Restore a ${noun} deleted within the last minute, with everything attached to it`,
    refuses: { 409: [taken, `too_many_${table}`] },
    params: ById,
    answer: schemas.one,
    handler: ({ caller, params }) => {
      const ref = { ownerId: caller.id, id: params.id };
      return edit(deps, kind, caller.id, async (tx) => {
        await tellLists(tx, caller.id, (await restoreDeleted(tx, kind, ref, deps.clock.now())) > 0);
        return read(tx, ref);
      });
    },
  });
}
