import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { LayoutGrid, List } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import type { View } from "../../../domain/view.ts";
import type { CatalogForm } from "../../machines/catalog/catalog.machine.ts";
import { Leads, selectStages } from "../../machines/leads/leads.machine.ts";
import { addressOf, viewOf } from "../../machines/leads/leads.options.ts";
import { Badge } from "../../ui/Badge.tsx";
import { NativeSelect } from "../../ui/Field.tsx";
import { CatalogCard, type CatalogFormProps, NameField } from "../catalog/CatalogCard.tsx";
import { Row } from "../../ui/layout.tsx";
import css from "./LeadTools.module.css";

/** Saved views: saves the current list as a new view, or over an existing one. */
export function SavedViews() {
  const shown = viewOf(Leads.useSelector((list) => list.context.applied));
  const stages = Leads.useSelector(selectStages);
  const isStageGone = ({ query }: View) => {
    const stageId = new URLSearchParams(query).get("stage_id");
    return stageId !== null && stages.length > 0 && !stages.some(({ id }) => id === stageId);
  };
  return (
    <CatalogCard<View>
      empty={t`A view keeps filters, order and columns under a name, in the sidebar.`}
      blank={{ name: "", kind: "list", ...shown }}
      formOf={({ name, kind }) => ({ name, kind })}
      renderRow={(view) => (
        <>
          <Row as={Link} wraps gap={2} href={addressOf(view)}>
            {view.kind === "board" ? <LayoutGrid aria-label={t`Board`} /> : <List aria-label={t`List`} />}
            <span dir="auto">{view.name}</span>
          </Row>
          {isStageGone(view) && <Badge tone="warn">{t`Stage deleted`}</Badge>}
        </>
      )}
      renderFields={(props) => <ViewFields {...props} shown={shown} />}
    />
  );
}

function ViewFields({ shown, ...props }: CatalogFormProps & { shown: Partial<CatalogForm> }) {
  const { form, active, change, isBusy } = props;
  const [isRenewed, setIsRenewed] = useState(false);
  return (
    <>
      <NameField
        {...props}
        description={
          active === null ? t`Keeps the filters, the order and the columns that the list shows now.` : undefined
        }
      />
      <NativeSelect
        label={t`Shown as`}
        disabled={isBusy}
        value={String(form["kind"])}
        onChange={(event) => change({ kind: event.target.value })}
      >
        <option value="list">{t`List`}</option>
        <option value="board">{t`Board`}</option>
      </NativeSelect>
      {active !== null && (
        <Row as="label" gap={2}>
          <Trans>
            <input
              type="checkbox"
              className={css["tick"]}
              disabled={isBusy}
              checked={isRenewed}
              onChange={(event) => {
                const { query, columns } = active as View;
                setIsRenewed(event.target.checked);
                change(event.target.checked ? shown : { query, columns });
              }}
            />
            Keep what the list shows now instead
          </Trans>
        </Row>
      )}
    </>
  );
}
