import type { ComponentProps, ReactNode } from "react";
import { Card, Stack } from "../../ui/layout.tsx";
import { Skeleton } from "../../ui/Loading.tsx";
import { ReadProblems } from "../shell/ReadProblems.tsx";

type SettingCardProps = ComponentProps<typeof ReadProblems> & {
  title: string;
  intro?: ReactNode;
  /** The height reserved while the setting loads. */
  height: string;
  children: ReactNode;
};

/** The card of a setting: a placeholder or a load error until its chart has loaded, and a mark when its last refresh failed. */
export function SettingCard({ title, intro, height, chart, send, children }: SettingCardProps) {
  return (
    <Stack as={Card} gap={3}>
      <h3>{title}</h3>
      {intro}
      {chart.hasTag("loading") && <Skeleton height={height} />}
      <ReadProblems chart={chart} send={send} />
      {!chart.hasTag("loading") && !chart.hasTag("loadFailed") && children}
    </Stack>
  );
}
