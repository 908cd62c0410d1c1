import { t } from "@lingui/core/macro";
import type { ReactNode } from "react";
import { Grid, Text } from "../../ui/layout.tsx";
import css from "./AuthLayout.module.css";
import { Brand } from "./Brand.tsx";

/** The layout for signed-out visitors: the product on one side, the form on the other. */
export function AuthLayout({ title, intro, children }: { title: string; intro?: ReactNode; children: ReactNode }) {
  return (
    <Grid isScreen columns="minmax(0, 1fr) minmax(0, 1.1fr)" className={css["page"]}>
      <aside className={css["story"]}>
        <Brand />
        <div>
          <Text
            max="16ch"
            weight="strong"
            className={css["claim"]}
          >{t`Every conversation, woven into a pipeline.`}</Text>
          <Text max="38ch" before={4} size="lg" tone="muted">
            {t`Leadloom turns your Telegram chats into leads, moves them along by the words people use, and follows up at the right hour.`}
          </Text>
        </div>
        <Threads />
      </aside>
      <main className={css["main"]}>
        <div className={css["panel"]}>
          <div className={css["narrowBrand"]}>
            <Brand />
          </div>
          <h1 tabIndex={-1}>{title}</h1>
          {intro != null && (
            <Text before={1} tone="muted">
              {intro}
            </Text>
          )}
          {children}
        </div>
      </main>
    </Grid>
  );
}

const LANES = [0, 1, 2, 3, 4, 5, 6];

/** Loose threads that become one: a picture of the product. */
function Threads() {
  return (
    <svg className={`mirrored ${css["threads"]}`} viewBox="0 0 480 200" aria-hidden="true" focusable="false">
      {LANES.map((lane) => {
        const [start, end] = [14 + lane * 29, 82 + lane * 6];
        const knot = 0.1 + ((lane * 3) % 7) * 0.055;
        return (
          <g key={lane}>
            <path d={`M-10 ${start} C170 ${start} 190 ${end} 490 ${end}`} />
            <circle cx={bezier(knot, -10, 170, 190, 490)} cy={bezier(knot, start, start, end, end)} r="4" />
          </g>
        );
      })}
    </svg>
  );
}

/** One coordinate of a cubic Bézier curve at `t` from 0 to 1. */
const bezier = (t: number, from: number, near: number, far: number, to: number) =>
  (1 - t) ** 3 * from + 3 * (1 - t) ** 2 * t * near + 3 * (1 - t) * t ** 2 * far + t ** 3 * to;
