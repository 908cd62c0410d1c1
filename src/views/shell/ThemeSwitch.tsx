import { msg } from "@lingui/core/macro";
import { useLingui } from "@lingui/react/macro";
import { Monitor, Moon, Sun } from "lucide-react";
import { useId } from "react";
import { VisuallyHidden, Row, Stack } from "../../ui/layout.tsx";
import css from "./ThemeSwitch.module.css";

const CHOICES = [
  { theme: "system", name: msg`System theme`, Icon: Monitor },
  { theme: "light", name: msg`Light theme`, Icon: Sun },
  { theme: "dark", name: msg`Dark theme`, Icon: Moon },
] as const;

export type Theme = (typeof CHOICES)[number]["theme"];

export function ThemeSwitch({ theme, onTheme }: { theme: Theme; onTheme: (theme: Theme) => void }) {
  const { t } = useLingui();
  const group = useId();
  return (
    <Row as="fieldset" align="stretch" className={css["switch"]}>
      <legend>
        <VisuallyHidden>{t`Theme`}</VisuallyHidden>
      </legend>
      {CHOICES.map(({ theme: choice, name, Icon }) => (
        <Stack as="label" justify="center" tone="muted" key={choice} className={css["choice"]} title={t(name)}>
          <input
            type="radio"
            name={group}
            aria-label={t(name)}
            checked={theme === choice}
            onChange={() => onTheme(choice)}
          />
          <Icon aria-hidden="true" />
        </Stack>
      ))}
    </Row>
  );
}
