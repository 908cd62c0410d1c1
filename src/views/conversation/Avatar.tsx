import css from "./Avatar.module.css";

const HUES = 6;

const hueOf = (id: string) => Array.from(id).reduce((sum, sign) => sum + (sign.codePointAt(0) ?? 0), 0) % HUES;

/** The first letter of each of the first two words; an emoji counts as a letter. */
const initialsOf = (name: string) =>
  name
    .trim()
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => Array.from(word)[0] ?? "")
    .join("")
    .toLocaleUpperCase();

/** A person as a coloured disc with initials; the same person has the same colour everywhere. */
export const Avatar = ({ id, name }: { id: string; name: string }) => (
  <span className={css["avatar"]} data-hue={hueOf(id)} aria-hidden="true">
    {initialsOf(name) || "?"}
  </span>
);
