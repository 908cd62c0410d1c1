import css from "./Avatar.module.css";

const HUES = [168, 212, 262, 326, 18, 44];

const hueOf = (id: string) =>
  HUES[Array.from(id).reduce((sum, sign) => sum + (sign.codePointAt(0) ?? 0), 0) % HUES.length];

/** The initials of the first two words; an emoji counts as a letter. */
const initialsOf = (name: string) =>
  name
    .trim()
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => Array.from(word)[0] ?? "")
    .join("")
    .toLocaleUpperCase();

/** A lead's initials on a colored disc; the color is the same everywhere. */
export const Avatar = ({ id, name }: { id: string; name: string }) => (
  <span className={css["avatar"]} style={{ ["--hue" as string]: hueOf(id) }} aria-hidden="true">
    {initialsOf(name) || "?"}
  </span>
);
