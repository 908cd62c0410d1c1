import { t } from "@lingui/core/macro";
import { translate } from "#language";
import { Trans } from "@lingui/react/macro";
import { X } from "lucide-react";
import { LEDGER_KINDS, LEDGER_STATES } from "../../../domain/ledger.ts";
import { RANGE_PROBLEMS } from "../../../domain/time-range.ts";
import { kindName } from "../../machines/story/story.sends.ts";
import type { LedgerFilters } from "../../machines/ledger/ledger.address.ts";
import { Ledger, selectPerson } from "../../machines/ledger/ledger.machine.ts";
import { STATE_LABELS } from "../../machines/ledger/ledger.list.ts";
import { ActionSelect } from "../../ui/ActionSelect.tsx";
import { Button } from "../../ui/Button.tsx";
import { DayRange } from "../../ui/DayRange.tsx";
import { Grid, Row } from "../../ui/layout.tsx";
import { passFocusOnRemoval } from "../../ui/lost-focus.ts";
import css from "./ActivityView.module.css";

export function ActivityFilters() {
  const { leadId, kind, state, from, to } = Ledger.useSelector(({ context }) => context.filters);
  const person = Ledger.useSelector(selectPerson);
  const canClear = Ledger.useCan({ type: "filters.clear" });
  const send = Ledger.useSend();
  const changeFilters = (filters: Partial<LedgerFilters>) => send({ type: "filters.change", filters });
  return (
    <Grid min="9.5rem" align="start" gap={3} after={5} className={css["filters"]} role="group" aria-label={t`Filters`}>
      <ActionSelect
        label={t`Kind`}
        value={kind}
        onChoose={(value) => changeFilters({ kind: LEDGER_KINDS.find((known) => known === value) ?? "" })}
      >
        <option value="">{t`All kinds`}</option>
        {LEDGER_KINDS.map((each) => (
          <option key={each} value={each}>
            {translate(kindName(each))}
          </option>
        ))}
      </ActionSelect>
      <ActionSelect
        label={t`State`}
        value={state}
        onChoose={(value) => changeFilters({ state: LEDGER_STATES.find((known) => known === value) ?? "" })}
      >
        <option value="">{t`All states`}</option>
        {LEDGER_STATES.map((each) => (
          <option key={each} value={each}>
            {translate(STATE_LABELS[each].name)}
          </option>
        ))}
      </ActionSelect>
      <DayRange
        labels={{ start: t`From`, end: t`To` }}
        days={{ start: from, end: to }}
        onDays={(days) => changeFilters({ from: days.start, to: days.end })}
        problemOf={({ start, end }) => (end < start ? RANGE_PROBLEMS.end_before_start : null)}
      />
      <Row wraps gap={2} className={css["rest"]}>
        {leadId !== "" && (
          <button
            ref={passFocusOnRemoval}
            type="button"
            className={css["person"]}
            aria-label={t`Only to ${{ person: person || t`one person` }}: show everybody`}
            title={t`Show everybody`}
            onClick={() => changeFilters({ leadId: "" })}
          >
            <span>
              <Trans>
                Only to <bdi>{person || t`one person`}</bdi>
              </Trans>
            </span>
            <X />
          </button>
        )}
        <Button disabled={!canClear} onClick={() => send({ type: "filters.clear" })}>
          {t`Clear filters`}
        </Button>
      </Row>
    </Grid>
  );
}
