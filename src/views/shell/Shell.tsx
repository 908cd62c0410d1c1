import { t } from "@lingui/core/macro";
import { Menu, X } from "lucide-react";
import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { Brand } from "./Brand.tsx";
import { iconButtonClass } from "../../ui/Button.tsx";
import { Grid } from "../../ui/layout.tsx";
import css from "./Shell.module.css";
import { Sidebar, type SidebarProps } from "./Sidebar.tsx";

/** From this width on, the menu is always visible beside the page. */
const WIDE = "(min-width: 768px)";

export type ShellProps = Omit<SidebarProps, "onLeave"> & {
  /** A banner that is still loading: its space is reserved to avoid a layout shift. */
  awaitedBanner?: "dryRun" | "lostSession" | null;
  children: ReactNode;
};

/** The layout of all screens of signed-in users: a fixed menu if wide, behind a button if narrow. */
export function Shell({ awaitedBanner = null, children, onFind, ...sidebar }: ShellProps) {
  const [isMenuOpen, setIsMenuOpen] = useState(false);
  const menuButton = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLElement>(null);

  const close = useCallback(() => {
    setIsMenuOpen(false);
    menuButton.current?.focus();
  }, []);

  // Closes the menu first: the page below it can be neither seen nor reached.
  const find = () => {
    if (isMenuOpen) close();
    onFind?.();
  };

  useEffect(() => {
    if (isMenuOpen) panel.current?.querySelector<HTMLElement>('a:not([tabindex="-1"])')?.focus();
  }, [isMenuOpen]);

  useEffect(() => {
    if (!isMenuOpen) return undefined;
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Escape") close();
    };
    const wide = window.matchMedia(WIDE);
    const onWidth = () => {
      if (wide.matches) setIsMenuOpen(false);
    };
    document.addEventListener("keydown", onKey);
    wide.addEventListener("change", onWidth);
    return () => {
      document.removeEventListener("keydown", onKey);
      wide.removeEventListener("change", onWidth);
    };
  }, [isMenuOpen, close]);

  return (
    <Grid isScreen columns="var(--sidebar-width) minmax(0, 1fr)" className={css["shell"]}>
      <a className={css["skip"]} href="#content">
        {t`Skip to content`}
      </a>
      <header className={css["topbar"]}>
        <button
          ref={menuButton}
          type="button"
          className={iconButtonClass(css["menuButton"])}
          aria-label={t`menu`}
          aria-expanded={isMenuOpen}
          aria-controls="sidebar"
          onClick={() => setIsMenuOpen(!isMenuOpen)}
        >
          {isMenuOpen ? <X /> : <Menu />}
        </button>
        <Brand />
      </header>
      {isMenuOpen && <div className={css["overlay"]} data-testid="menu-overlay" aria-hidden="true" onClick={close} />}
      <aside
        ref={panel}
        id="sidebar"
        aria-label={t`Sidebar`}
        className={css["sidebar"]}
        data-open={isMenuOpen || undefined}
      >
        <Sidebar {...sidebar} onFind={onFind && find} onLeave={() => setIsMenuOpen(false)} />
      </aside>
      <main id="content" className={css["main"]} inert={isMenuOpen}>
        {awaitedBanner !== null && <div className={css["awaited"]} data-banner={awaitedBanner} />}
        {children}
      </main>
    </Grid>
  );
}
