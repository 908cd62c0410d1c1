import { type ReactNode, useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import { PageHeader } from "../../ui/PageHeader.tsx";
import css from "./SettingsView.module.css";

export type SettingsSection = { id: string; name: string; intro: string; content: ReactNode };

type SettingsViewProps = { sections: readonly SettingsSection[]; selected: string };

/**
 * The settings by sections, each with an address of its own. One is shown at a time; what was begun in another stays as it
 * is until the screen is left.
 */
export function SettingsView({ sections, selected }: SettingsViewProps) {
  const [visited, setVisited] = useState<readonly string[]>([selected]);
  if (!visited.includes(selected)) setVisited([...visited, selected]);
  // Whoever went to another section goes on reading at its heading, as on a screen of its own.
  const shown = useRef(selected);
  useEffect(() => {
    if (shown.current === selected) return;
    shown.current = selected;
    document.getElementById(headingOf(selected))?.focus();
  }, [selected]);
  return (
    <>
      <PageHeader title="Settings" />
      <nav aria-label="Settings" className={css["nav"]}>
        <ul className={css["links"]}>
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
        </ul>
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
      <header className={css["header"]}>
        <h2 id={headingOf(id)} tabIndex={-1} className={css["heading"]}>
          {name}
        </h2>
        <p className={css["intro"]}>{intro}</p>
      </header>
      {content}
    </section>
  );
}

const headingOf = (id: string): string => `${id}-section`;
