import { Trans } from "@lingui/react/macro";
import { type ReactNode, use } from "react";
import { OfflineContext } from "./offline.ts";

/** Stands in for a figure that was not read; offline, the page's notice says it for all. */
export const Unread = ({ className, children }: { className?: string | undefined; children?: ReactNode }) =>
  use(OfflineContext) ? null : <p className={className}>{children ?? <Trans>not read</Trans>}</p>;
