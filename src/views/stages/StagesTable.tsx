import { t } from "@lingui/core/macro";
import { Layers } from "lucide-react";
import type { ReactNode } from "react";
import { useId } from "react";
import { Stages } from "../../machines/stages/stages.machine.ts";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { useFocusKeeper } from "../../ui/focus.ts";
import { Tooltip } from "../../ui/Tooltip.tsx";
import { StageRowView } from "./StageRowView.tsx";
import { Row } from "../../ui/layout.tsx";
import { Table, TableFrame } from "../../ui/Table.tsx";
import css from "./StagesTable.module.css";

export function StagesTable() {
  const rows = Stages.useSelector(({ context }) => context.rows);
  const keepFocus = useFocusKeeper("tr");
  return (
    <TableFrame>
      <Table className={css["table"]} aria-label={t`Stages`}>
        <thead className={css["head"]}>
          <tr>
            <Column
              id="order"
              label={t`Order`}
              help={t`Leads always go into the first stage, regardless of its keywords.`}
            />
            <Column
              id="name"
              label={t`Name`}
              help={t`Names must be unique. The 'Initial Contact' stage exists by default and can be edited.`}
            />
            <Column
              id="keywords"
              label={t`Keywords`}
              help={
                <>
                  <p>{t`Keywords are comma-separated and match user messages case-insensitively.`}</p>
                  <p>
                    {t`Quotes force an exact-word match: "deposit" in quotes matches that word alone, while unquoted deposit also matches deposited.`}
                  </p>
                </>
              }
            />
            <Column id="color" label={t`Color`} />
            <Column id="actions" label={t`Actions`} />
          </tr>
        </thead>
        <tbody ref={keepFocus} className={css["body"]}>
          {rows.length === 0 && (
            <tr className={css["empty"]}>
              <td colSpan={5}>
                <EmptyState icon={<Layers />} title={t`No stages yet`}>
                  {t`Add Stage makes the first one; every new lead will start in it.`}
                </EmptyState>
              </td>
            </tr>
          )}
          {rows.map((row, index) => (
            <StageRowView key={row.key} row={row} index={index} />
          ))}
        </tbody>
      </Table>
    </TableFrame>
  );
}

const WIDTHS: Record<string, string> = { order: "8rem", name: "28%", color: "5rem", actions: "8.5rem" };

function Column({ id, label, help }: { id: string; label: string; help?: ReactNode }) {
  const nameId = useId();
  return (
    <th
      scope="col"
      className={css["column"]}
      style={{ ["--width" as string]: WIDTHS[id] }}
      aria-labelledby={nameId}
      data-column={id}
    >
      <Row as="span" gap={1} weight="strong">
        <span id={nameId}>{label}</span>
        {help != null && <Tooltip label={t`Help: ${label}`}>{help}</Tooltip>}
      </Row>
    </th>
  );
}
