import { t } from "@lingui/core/macro";
import { X } from "lucide-react";
import { type ReactNode, memo, useId } from "react";
import { useLocale } from "#language";
import type { ControlId } from "../../commands/commands.ts";
import type { FilterField, LeadFilters } from "../../machines/leads/leads.filters.ts";
import { Leads, selectStages } from "../../machines/leads/leads.machine.ts";
import { WIDE_COLUMNS, type WideColumn } from "../../machines/leads/leads.options.ts";
import { Help } from "../../ui/Help.tsx";
import { NativeSelect, NumberField, TextField, Options } from "../../ui/Field.tsx";
import { IconButton } from "../../ui/Button.tsx";
import type { ExtraCells } from "./extra-cells.ts";
import { DateFilter } from "./DateFilter.tsx";
import { Row } from "../../ui/layout.tsx";
import css from "./LeadsHead.module.css";

type LeadsHeadProps = { formId: string; columns: readonly WideColumn[]; extras: ExtraCells | null };

export const LeadsHead = memo(function LeadsHead({ formId, columns, extras }: LeadsHeadProps) {
  useLocale();
  const draft = Leads.useSelector((list) => list.context.draft);
  const stages = Leads.useSelector(selectStages);
  const send = Leads.useSend();
  const changeFilter = (change: Partial<LeadFilters>) => send({ type: "filter.change", change });
  const isStageGone = draft.stageId !== "" && stages.length > 0 && !stages.some(({ id }) => id === draft.stageId);
  return (
    <tr>
      {extras && <extras.HeadStart />}
      <Column id="date" label={t`Date`} fields={["from", "to"]} draft={draft}>
        <DateFilter formId={formId} />
      </Column>
      <Column id="name" label={t({ message: "Name", context: "of a person" })} fields={["name"]} draft={draft}>
        <TextField
          label={t({ message: "Name", context: "of a person" })}
          data-command={"leads.name" satisfies ControlId}
          isLabelHidden
          dir="auto"
          placeholder={t`Search`}
          form={formId}
          value={draft.name}
          onChange={(event) => changeFilter({ name: event.target.value })}
        />
      </Column>
      <Column id="username" label={t`Username`} fields={["username"]} draft={draft}>
        <TextField
          label={t`Username`}
          isLabelHidden
          dir="auto"
          placeholder={t`Search`}
          form={formId}
          value={draft.username}
          onChange={(event) => changeFilter({ username: event.target.value })}
        />
      </Column>
      <Column id="stage" label={t`Stage`} fields={["stageId"]} draft={draft}>
        <NativeSelect
          label={t`Stage`}
          isLabelHidden
          form={formId}
          value={draft.stageId}
          onChange={(event) => changeFilter({ stageId: event.target.value })}
        >
          <option value="">{t({ message: "All", context: "stages" })}</option>
          {isStageGone && <option value={draft.stageId}>{t`Deleted stage`}</option>}
          <Options items={stages} />
        </NativeSelect>
      </Column>
      <Column id="followups" label={t`Follow-ups`} fields={["followups"]} draft={draft}>
        <NumberField
          label={t`Follow-ups`}
          isLabelHidden
          placeholder="#"
          min={0}
          step={1}
          form={formId}
          value={draft.followups}
          onChange={(event) => changeFilter({ followups: event.target.value })}
        />
      </Column>
      <Column
        id="awaiting_reply"
        label={t`Awaiting Reply`}
        help={t`“Yes” means you wrote last and they have not replied yet. People who expect a reply from you are under “Waiting for you” and in the Inbox.`}
        fields={["awaitingReply"]}
        draft={draft}
      >
        <NativeSelect
          label={t`Awaiting Reply`}
          isLabelHidden
          form={formId}
          value={draft.awaitingReply}
          onChange={(event) => changeFilter({ awaitingReply: event.target.value as LeadFilters["awaitingReply"] })}
        >
          <option value="">{t({ message: "All", context: "leads" })}</option>
          <option value="yes">{t`Yes`}</option>
          <option value="no">{t`No`}</option>
        </NativeSelect>
      </Column>
      <Column id="notes" label={t`Notes`} />
      {columns.map((column) => (
        <Column key={column} id={column} label={t(WIDE_COLUMNS[column])} />
      ))}
      {extras && <extras.HeadMore />}
      <Column id="actions" label={t`Actions`} />
    </tr>
  );
});

/** Name, username and notes share the remaining width. */
const WIDTHS: Record<string, string> = {
  date: "9rem",
  stage: "9.5rem",
  followups: "5.5rem",
  awaiting_reply: "6rem",
  actions: "9.5rem",
  waiting_since: "5.25rem",
};

type ColumnProps = { id: string; label: string; help?: string; children?: ReactNode } & (
  | { fields: readonly FilterField[]; draft: LeadFilters }
  | { fields?: never; draft?: never }
);

function Column({ id, label, help, fields, draft, children }: ColumnProps) {
  const send = Leads.useSend();
  const nameId = useId();
  return (
    <th
      scope="col"
      className={css["column"]}
      style={{ ["--width" as string]: WIDTHS[id] }}
      aria-labelledby={nameId}
      data-column={id}
      data-fields="small"
    >
      <Row size="sm" tone="muted" weight="strong" className={css["title"]}>
        <span>
          <span id={nameId}>{label}</span>{" "}
          {help !== undefined && <Help label={t`What does ${label} mean?`}>{help}</Help>}
        </span>
        {fields && (
          <IconButton
            label={t`Clear ${label}`}
            icon={<X />}
            className={css["clear"]}
            data-filled={fields.some((field) => draft[field] !== "") || undefined}
            onClick={() => send({ type: "filter.clear", fields })}
          />
        )}
      </Row>
      {children}
    </th>
  );
}
