import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import type { Lead } from "../../../domain/lead.ts";
import { Badge } from "../../ui/Badge.tsx";

export const optedOutText = () => t`This person asked for no more messages.`;

export const optedOutMark = ({ opted_out_at: at }: Pick<Lead, "opted_out_at">) =>
  at == null ? null : (
    <Badge tone="warn" title={optedOutText()}>
      <Trans>Opted out</Trans>
    </Badge>
  );
