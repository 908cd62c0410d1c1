import { useLingui } from "@lingui/react/macro";
import { memo } from "react";
import type { MatchedKeyword } from "../../../domain/message.ts";
import css from "./Bubble.module.css";
import { useLinkFinder } from "./links.ts";
import { piecesOf } from "./pieces.ts";

type MessageTextProps = { text: string; matched: MatchedKeyword | null };

/** A message's words as they were written; links open outside, the keyword that moved the lead is marked. */
export const MessageText = memo(function MessageText({ text, matched }: MessageTextProps) {
  const { t } = useLingui();
  const find = useLinkFinder();
  return (
    <p className={css["text"]} dir="auto">
      {piecesOf(text, matched, find).map(({ text: words, href, isMatched }, place) => {
        const shown = href === null ? words : <OutsideLink href={href}>{words}</OutsideLink>;
        return isMatched ? (
          <mark key={place} title={t`Keyword: ${{ keyword: matched?.keyword ?? "" }}`}>
            {shown}
          </mark>
        ) : (
          <span key={place}>{shown}</span>
        );
      })}
    </p>
  );
});

const OutsideLink = ({ href, children }: { href: string; children: string }) => (
  <a href={href} target="_blank" rel="noopener noreferrer nofollow ugc">
    {children}
  </a>
);
