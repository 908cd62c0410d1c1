import { t } from "@lingui/core/macro";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import { PageHeader } from "../../ui/PageHeader.tsx";
import { Row, Stack, Text } from "../../ui/layout.tsx";
import css from "./SettingsView.module.css";

export type SettingsSection = { id: string; name: string; intro: string; content: ReactNode };

/** Settings by section, each with its own address. One is shown at a time; the others keep their state until the user leaves the screen. */
export function SettingsView({ sections, selected }: { sections: readonly SettingsSection[]; selected: string }) {
  const [visited, setVisited] = useState<readonly string[]>([selected]);
  if (!visited.includes(selected)) setVisited([...visited, selected]);
  // A change of section moves the focus to its heading, as on a new screen.
  const shown = useRef(selected);
  useEffect(() => {
    if (shown.current === selected) return;
    shown.current = selected;
    document.getElementById(headingOf(selected))?.focus();
  }, [selected]);
  return (
    <>
      <PageHeader title={t`Settings`} />
      <nav aria-label={t`Settings`} className={css["nav"]}>
        <Row as="ul" wraps gap={[0, 1]} className={css["links"]}>
          {sections.map(({ id, name }) => (
            <li key={id}>
              <Link
                href={`/settings#${id}`}
                className={css["link"] ?? ""}
                aria-current={id === selected ? "page" : undefined}
              >
                {name}
              </Link>
            </li>
          ))}
        </Row>
      </nav>
      {sections.map((section) =>
        visited.includes(section.id) ? (
          <Section key={section.id} section={section} isShown={section.id === selected} />
        ) : null,
      )}
    </>
  );
}

function Section({ section: { id, name, intro, content }, isShown }: { section: SettingsSection; isShown: boolean }) {
  return (
    <section hidden={!isShown} aria-labelledby={headingOf(id)}>
      <Stack as="header" gap={1} after={4}>
        <Text as="h2" size="xl" id={headingOf(id)} tabIndex={-1}>
          {name}
        </Text>
        <Text max="44rem" tone="muted">
          {intro}
        </Text>
      </Stack>
      {content}
    </section>
  );
}

const headingOf = (id: string): string => `${id}-section`;
