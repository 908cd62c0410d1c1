import { Spinner } from "../../ui/Spinner.tsx";
import css from "./CheckingView.module.css";

/** Shown in place of any route until the session check has finished. */
export function CheckingView() {
  return (
    <main className={css["checking"]}>
      <p role="status" className={css["words"]}>
        <Spinner />
        Checking subscription...
      </p>
    </main>
  );
}
