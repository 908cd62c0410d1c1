import type { ReactNode } from "react";
import css from "./AuthLayout.module.css";
import { Brand } from "./Brand.tsx";

/** The page of someone who is not in yet: what the product does on one side, the form on the other. */
export function AuthLayout({ title, intro, children }: { title: string; intro?: ReactNode; children: ReactNode }) {
  return (
    <div className={css["page"]}>
      <aside className={css["story"]}>
        <Brand />
        <div>
          <p className={css["claim"]}>Every conversation, woven into a pipeline.</p>
          <p className={css["claimDetail"]}>
            Leadloom turns your Telegram chats into leads, moves them along by the words people use, and follows up at
            the right hour.
          </p>
        </div>
        <Threads />
      </aside>
      <main className={css["main"]}>
        <div className={css["panel"]}>
          <div className={css["narrowBrand"]}>
            <Brand />
          </div>
          <h1 tabIndex={-1} className={css["title"]}>
            {title}
          </h1>
          {intro != null && <p className={css["intro"]}>{intro}</p>}
          {children}
        </div>
      </main>
    </div>
  );
}

/** Loose threads that run together into one: the product in a picture. */
function Threads() {
  const lanes = [0, 1, 2, 3, 4, 5, 6];
  return (
    <svg className={css["threads"]} viewBox="0 0 480 200" aria-hidden="true" focusable="false">
      {lanes.map((lane) => (
        <path
          key={lane}
          d={`M-10 ${14 + lane * 29} C 170 ${14 + lane * 29}, 190 ${82 + lane * 6}, 490 ${82 + lane * 6}`}
        />
      ))}
      {lanes.map((lane) => (
        <circle key={lane} cx={40 + ((lane * 53) % 90)} cy={14 + lane * 29} r="4" />
      ))}
    </svg>
  );
}
