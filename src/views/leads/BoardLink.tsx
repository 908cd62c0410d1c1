import { useLingui } from "@lingui/react/macro";
import { Link } from "wouter";
import { searchOf, selectApplied, useLeads } from "../../machines/leads/index.ts";
import { buttonLook } from "../../ui/Button.tsx";

/** To the board under the filters that are applied. */
export function BoardLink() {
  const { t } = useLingui();
  const filters = useLeads(selectApplied);
  const search = searchOf({ filters, page: 1 });
  return (
    <Link className={buttonLook()} href={search === "" ? "/board" : `/board?${search}`}>
      {t`Board`}
    </Link>
  );
}
