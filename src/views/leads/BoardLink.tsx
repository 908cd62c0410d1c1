import { useLingui } from "@lingui/react/macro";
import { Link } from "wouter";
import { searchOf } from "../../machines/leads/leads.address.ts";
import { Leads } from "../../machines/leads/leads.machine.ts";
import { buttonLook } from "../../ui/Button.tsx";

/** To the board under the filters that are applied. */
export function BoardLink() {
  const { t } = useLingui();
  const filters = Leads.useSelector((list) => list.context.applied);
  const search = searchOf({ filters, page: 1 });
  return (
    <Link className={buttonLook()} href={search === "" ? "/board" : `/board?${search}`}>
      {t`Board`}
    </Link>
  );
}
