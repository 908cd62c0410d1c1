import { Trans } from "@lingui/react/macro";
import {
  BellRing,
  ChartLine,
  CreditCard,
  History,
  Inbox,
  Layers,
  LayoutDashboard,
  LogOut,
  type LucideIcon,
  MessageSquareReply,
  ScrollText,
  Search,
  Send,
  Settings,
  Smartphone,
  UsersRound,
  Monitor,
  Moon,
  Sun,
} from "lucide-react";
import { namesText } from "../../language/format.ts";
import { type MouseEvent, type ReactNode, useId } from "react";
import { Link } from "wouter";
import { translate } from "#language";
import { type MenuPath, SCREENS } from "../../commands/screens.ts";
import { classNames } from "../../ui/class-names.ts";
import { Brand } from "./Brand.tsx";
import { Grid, Note, Stack, VisuallyHidden, Row, Span } from "../../ui/layout.tsx";
import css from "./Sidebar.module.css";
import { msg, t } from "@lingui/core/macro";

const ICONS: Record<MenuPath, LucideIcon> = {
  "/dashboard": LayoutDashboard,
  "/inbox": Inbox,
  "/leads": UsersRound,
  "/stages": Layers,
  "/followups": MessageSquareReply,
  "/reminders": BellRing,
  "/snippets": ScrollText,
  "/bulk-message": Send,
  "/activity": History,
  "/stats": ChartLine,
  "/connect-telegram": Smartphone,
  "/settings": Settings,
  "/subscribe": CreditCard,
};

type Item = (typeof SCREENS)[number];

export type SidebarProps = {
  path: string;
  email: string | null;
  isSubscribed: boolean;
  /** The simulated external services; none hides the badge. */
  sandboxParts: readonly string[];
  /** How many leads are waiting for a reply; null if unknown. */
  waiting: number | null;
  /** Renders saved views below Leads; `onLeave` closes the menu. */
  renderViews: (onLeave: () => void) => ReactNode;
  theme: Theme;
  onTheme: (theme: Theme) => void;
  /** The user is about to follow a link. */
  onIntent: (path: string) => void;
  /** Opens the palette; null without one. */
  onFind: (() => void) | null;
  /** Called when a link is followed, to any screen. */
  onFollow: (path: string) => void;
  /** Called after a link was followed. */
  onLeave: () => void;
  onLogOut: () => void;
};

export function Sidebar({
  path,
  email,
  isSubscribed,
  sandboxParts,
  waiting,
  renderViews,
  theme,
  onTheme,
  onIntent,
  onFollow,
  onFind,
  onLeave,
  onLogOut,
}: SidebarProps) {
  const partNames: Record<string, string> = {
    billing: t({ message: "billing", comment: "A simulated part: Sandbox: telegram, billing" }),
    telegram: t({ message: "telegram", comment: "A simulated part: Sandbox: telegram, billing" }),
  };
  return (
    <div className={css["sidebar"]}>
      <Stack justify="start" gap={3} className={css["head"]}>
        <span className={css["brand"]}>
          <Brand />
        </span>
        {sandboxParts.length > 0 && (
          <a className={css["sandbox"]} href="/sandbox" target="_blank" rel="noopener">
            <Trans>
              Sandbox
              <span className={css["sandboxParts"]}>
                : {namesText(sandboxParts.map((part) => partNames[part] ?? part))}
              </span>
            </Trans>
          </a>
        )}
      </Stack>
      {onFind && (
        <button type="button" className={classNames(css["link"], css["find"])} onClick={onFind}>
          <Trans>
            <Search />
            Find <span className={css["keys"]}>Ctrl K</span>
          </Trans>
        </button>
      )}
      <nav aria-label={t`Main`}>
        <Grid as="ul" columns="minmax(0, 1fr)" className={css["items"]}>
          {SCREENS.map((item) => (
            <li key={item.path}>
              <SidebarLink
                {...item}
                isCurrent={item.path === (path === "/board" ? "/leads" : path)}
                count={item.path === "/inbox" ? waiting : null}
                isGated={!isSubscribed && item.path !== "/subscribe"}
                onIntent={onIntent}
                onFollow={onFollow}
                onLeave={onLeave}
              />
              {item.path === "/leads" && renderViews(onLeave)}
            </li>
          ))}
        </Grid>
      </nav>
      <Stack gap={2} className={css["foot"]}>
        <ThemeSwitch theme={theme} onTheme={onTheme} />
        {email !== null && (
          <Note clamp={1} className={css["email"]} title={email}>
            {email}
          </Note>
        )}
        <button type="button" className={css["link"]} onClick={onLogOut}>
          <Trans>
            <LogOut />
            Logout
          </Trans>
        </button>
      </Stack>
    </div>
  );
}

function SidebarLink({
  path,
  name,
  count,
  isCurrent,
  isGated,
  onIntent,
  onFollow,
  onLeave,
}: Item & { count: number | null; isCurrent: boolean; isGated: boolean } & Pick<
    SidebarProps,
    "onIntent" | "onFollow" | "onLeave"
  >) {
  const Icon = ICONS[path];
  const content = (
    <>
      <Icon />
      {translate(name)}
      {count !== null && count > 0 && (
        <Span size="xs" weight="strong" className={css["count"]} aria-hidden="true">
          {count > 999 ? "999+" : count}
        </Span>
      )}
    </>
  );
  if (isGated)
    return (
      <a
        href="/subscribe"
        className={classNames(css["link"], css["gated"])}
        aria-disabled="true"
        tabIndex={-1}
        onClick={(event: MouseEvent) => event.preventDefault()}
      >
        {content}
      </a>
    );
  const announce = () => onIntent(path);
  const follow = () => {
    onFollow(path);
    onLeave();
  };
  return (
    <Link
      href={path}
      className={css["link"] ?? ""}
      aria-description={count ? t`${count} waiting` : undefined}
      aria-current={isCurrent ? "page" : undefined}
      onClick={follow}
      onPointerEnter={announce}
      onFocus={announce}
    >
      {content}
    </Link>
  );
}

const CHOICES = [
  { theme: "system", name: msg`System theme`, Icon: Monitor },
  { theme: "light", name: msg`Light theme`, Icon: Sun },
  { theme: "dark", name: msg`Dark theme`, Icon: Moon },
] as const;

export type Theme = (typeof CHOICES)[number]["theme"];

function ThemeSwitch({ theme, onTheme }: { theme: Theme; onTheme: (theme: Theme) => void }) {
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
          <Icon />
        </Stack>
      ))}
    </Row>
  );
}
