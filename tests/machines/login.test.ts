import { describe, expect, it } from "vitest";
import { createActor, waitFor } from "xstate";
import { type LoginOutcome, createLogin, loginMachine } from "../../src/machines/login/index.ts";
import { walkEveryPath } from "../support/walk-suite.ts";
import { loginModel } from "./login.model.ts";

walkEveryPath(loginMachine, loginModel);

describe("a login", () => {
  const logIn = (signIn: () => Promise<LoginOutcome>) => {
    const alerts: string[] = [];
    const machine = createLogin({
      auth: { signIn },
      notifier: {
        alert: async (message) => {
          alerts.push(message);
        },
      },
    });
    const login = createActor(machine).start();
    login.send({ type: "credentials.submit", email: "ada@example.com", password: "correct horse" });
    return { login, alerts };
  };

  it("with the right password ends signed in and says nothing", async () => {
    const { login, alerts } = logIn(async () => ({ kind: "signedIn" }));
    await waitFor(login, (snapshot) => snapshot.status === "done");
    expect(login.getSnapshot().value).toEqual("signedIn");
    expect(alerts).toEqual([]);
  });

  it("with a wrong password says so in the server's words and asks again", async () => {
    const { login, alerts } = logIn(async () => ({ kind: "refused", message: "Invalid login credentials" }));
    await waitFor(login, (snapshot) => snapshot.matches("awaitingCredentials"));
    expect(alerts).toEqual(["Login failed: Invalid login credentials"]);
  });

  it("without a network says what went wrong and asks again", async () => {
    const { login, alerts } = logIn(() => Promise.reject(new TypeError("Failed to fetch")));
    await waitFor(login, (snapshot) => snapshot.matches("awaitingCredentials"));
    expect(alerts).toEqual(["Login failed: Failed to fetch"]);
  });

  it("is sent once, however often the button is pressed", async () => {
    let calls = 0;
    const { login } = logIn(async () => {
      calls += 1;
      return { kind: "signedIn" };
    });
    login.send({ type: "credentials.submit", email: "ada@example.com", password: "correct horse" });
    await waitFor(login, (snapshot) => snapshot.status === "done");
    expect(calls).toEqual(1);
  });
});
