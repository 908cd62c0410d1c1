import { t } from "@lingui/core/macro";
import { Link } from "wouter";
import { INSIDE } from "../../ui/inside.ts";
import { Span } from "../../ui/layout.tsx";
import css from "./Sidebar.module.css";

type ViewLinksProps = {
  links: readonly { id: string; name: string; href: string }[];
  current: string;
  onLeave: () => void;
};

/** Reserved space for saved views that are still loading. */
export const AwaitedViewLinks = ({ count }: { count: number }) =>
  count === 0 ? null : (
    <div className={css["views"]} aria-hidden="true">
      {Array.from({ length: count }, (_, index) => (
        <span key={index} className={css["view"]}>
          {"\u00A0"}
        </span>
      ))}
    </div>
  );

export function ViewLinks({ links, current, onLeave }: ViewLinksProps) {
  if (links.length === 0) return null;
  return (
    <ul className={css["views"]} aria-label={t`Views`}>
      {links.map(({ id, name, href }) => (
        <li key={id}>
          <Link
            href={href}
            state={INSIDE}
            className={css["view"] ?? ""}
            title={name}
            aria-current={href === current ? "page" : undefined}
            onClick={onLeave}
          >
            <Span clamp={1} dir="auto">
              {name}
            </Span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
