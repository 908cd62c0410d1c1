import { Spinner } from "../../ui/Spinner.tsx";
import css from "./FinalizingView.module.css";

export function FinalizingView() {
  return (
    <main className={css["finalizing"]}>
      <div role="status" className={css["words"]}>
        <h1 tabIndex={-1} className={css["title"]}>
          🎉 Finalizing your subscription...
        </h1>
        <p>This will only take a moment.</p>
        <Spinner />
      </div>
    </main>
  );
}
