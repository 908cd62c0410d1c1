import type { Generated, GeneratedAlways } from "kysely";
import type { FieldType } from "../../../domain/field.ts";
import type { Json, Time } from "./core.ts";

export type CrmTables = {
  tags: {
    id: Generated<string>;
    owner_id: string;
    name: string;
    color: string;
    created_at: Time;
    deleted_at: Time | null;
    leads: GeneratedAlways<number>;
  };
  lead_tags: { id: GeneratedAlways<string>; owner_id: string; tag_id: string; lead_id: string };
  fields: {
    id: Generated<string>;
    owner_id: string;
    name: string;
    type: FieldType;
    options: Json<string[]> | null;
    is_value: Generated<boolean>;
    created_at: Time;
    deleted_at: Time | null;
    leads: GeneratedAlways<number>;
  };
  lead_fields: {
    id: GeneratedAlways<string>;
    owner_id: string;
    field_id: string;
    lead_id: string;
    text_value: string | null;
    number_value: number | null;
  };
  views: {
    id: Generated<string>;
    owner_id: string;
    name: string;
    kind: "list" | "board";
    query: Generated<string>;
    columns: Json<string[]>;
    created_at: Time;
    deleted_at: Time | null;
  };
  value_totals: { owner_id: string; field_id: string; stage_id: string | null; total: string };
};
