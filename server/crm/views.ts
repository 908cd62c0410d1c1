import { type View, type ViewCreate, type ViewPatch } from "../../domain/view.ts";
import { notFound } from "../core/problem.ts";
import type { DbOrTx, Tx } from "../db/index.ts";
import type { Kind, OwnedRef } from "./soft-delete.ts";

export const VIEWS: Kind = { table: "views", noun: "view" };

const select = (db: DbOrTx, ownerId: string) =>
  db
    .selectFrom("views")
    .select(["id", "name", "kind", "query", "columns"])
    .where("owner_id", "=", ownerId)
    .where("deleted_at", "is", null);

/** Returns an owner's saved views in order of creation. */
export const listViews = (db: DbOrTx, ownerId: string): Promise<View[]> =>
  select(db, ownerId).orderBy("created_at").orderBy("id").execute();

export async function readView(db: DbOrTx, { ownerId, id }: OwnedRef): Promise<View> {
  const view = await select(db, ownerId).where("id", "=", id).executeTakeFirst();
  if (view === undefined) throw notFound();
  return view;
}

export async function addView(tx: Tx, ownerId: string, view: ViewCreate, at: string): Promise<string> {
  const { id } = await tx
    .insertInto("views")
    .values({ ...view, columns: JSON.stringify(view.columns), owner_id: ownerId, created_at: at })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

export async function changeView(tx: Tx, ref: OwnedRef, patch: ViewPatch): Promise<boolean> {
  const { id, ...before } = await readView(tx, ref);
  const after = { ...before, ...patch };
  await tx
    .updateTable("views")
    .set({ ...after, columns: JSON.stringify(after.columns) })
    .where("id", "=", id)
    .execute();
  return false;
}
