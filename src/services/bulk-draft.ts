import * as v from "valibot";
import { BulkTarget } from "../../domain/bulk-target.ts";
import { readJson } from "../../domain/read-json.ts";
import type { SafeStorage } from "./storage.ts";

const Draft = v.object({
  message: v.string(),
  throttle: v.string(),
  target: BulkTarget,
  mediaName: v.nullable(v.string()),
});
export type BulkDraft = v.InferOutput<typeof Draft>;

/** What was typed on the bulk sender's screen and not sent. Text outlives a reload, a file only leaving the screen. */
export type BulkDraftStore = {
  read: () => BulkDraft | null;
  keep: (draft: BulkDraft) => void;
  media: () => File | null;
  keepMedia: (file: File | null) => void;
  forget: () => void;
};

const files = new Map<string, File>();

/** `key` names the person. */
export const createBulkDraft = (storage: SafeStorage, key: string): BulkDraftStore => ({
  read: () => readJson(Draft, storage.get(key)),
  keep: (draft) => storage.set(key, JSON.stringify(draft)),
  media: () => files.get(key) ?? null,
  keepMedia: (file) => (file === null ? void files.delete(key) : void files.set(key, file)),
  forget() {
    files.delete(key);
    storage.remove(key);
  },
});
