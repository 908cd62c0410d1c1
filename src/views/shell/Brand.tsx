import { Trans } from "@lingui/react/macro";
import { Row } from "../../ui/layout.tsx";
import css from "./Brand.module.css";

export function Brand() {
  return (
    <Row as="span" gap={2} size="lg" className={css["brand"]}>
      <Trans>
        <svg className={css["mark"]} viewBox="0 0 28 28" aria-hidden="true" focusable="false">
          <rect width="28" height="28" rx="8" className={css["tile"]} />
          <path d="M6 9.5h16M6 14h16M6 18.5h16" className={css["warp"]} />
          <path d="M10 6v5.5c0 2 8 3 8 5V22" className={css["weft"]} />
        </svg>
        Leadloom
      </Trans>
    </Row>
  );
}
