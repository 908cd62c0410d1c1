import { pbkdf2Sync, randomBytes, timingSafeEqual } from "node:crypto";
import { Long, type tl } from "@mtcute/core";
import { rpcError } from "../errors.ts";
import {
  DH_GENERATOR,
  DH_PRIME,
  finishExchange,
  fromBigInt,
  modPow,
  powerOfGenerator,
  sha256,
  startExchange,
  toBigInt,
  xor,
} from "../wire/crypto.ts";
import type { Account } from "./people.ts";
import type { World } from "./world.ts";

const P = toBigInt(DH_PRIME);
const G = fromBigInt(BigInt(DH_GENERATOR), 256);
const K = toBigInt(sha256(DH_PRIME, G));
const ATTEMPTS_MAX = 1000;

/** PH2 of https://core.telegram.org/api/srp: a password hashed with the account's salts. */
function passwordHash(password: string, salt1: Uint8Array, salt2: Uint8Array): Buffer {
  const hashWithSalt = (data: Uint8Array, salt: Uint8Array): Buffer => sha256(salt, data, salt);
  const first = hashWithSalt(hashWithSalt(Buffer.from(password, "utf8"), salt1), salt2);
  return hashWithSalt(pbkdf2Sync(first, salt1, 100_000, 64, "sha512"), salt2);
}

/** Enables two-step verification, or disables it with an empty password. */
export function setPassword(world: World, userId: number, password: string, hint: string | undefined): void {
  if (password === "") {
    world.store.run(
      "update accounts set srp_salt1 = null, srp_salt2 = null, srp_verifier = null, hint = null where user_id = ?",
      userId,
    );
    return;
  }
  const salt1 = randomBytes(40);
  const salt2 = randomBytes(16);
  const verifier = powerOfGenerator(passwordHash(password, salt1, salt2));
  world.store.run(
    "update accounts set srp_salt1 = ?, srp_salt2 = ?, srp_verifier = ?, hint = ? where user_id = ?",
    salt1,
    salt2,
    verifier,
    hint ?? null,
    userId,
  );
}

export const hasPassword = (account: Account): boolean => account.srp_verifier !== null;

type Attempt = { userId: number; secret: Buffer; publicValue: Buffer };

/** Password checks in progress, in memory: after a restart clients get SRP_ID_INVALID and request a new one. */
export class PasswordChecks {
  readonly #attempts = new Map<string, Attempt>();

  /** The result of account.getPassword; each call starts a new check. */
  describe(account: Account): tl.account.RawPassword {
    const base = {
      _: "account.password" as const,
      newAlgo: kdf(randomBytes(8), randomBytes(16)),
      newSecureAlgo: { _: "securePasswordKdfAlgoPBKDF2HMACSHA512iter100000" as const, salt: randomBytes(8) },
      secureRandom: randomBytes(256),
    };
    const { srp_salt1: salt1, srp_salt2: salt2, srp_verifier: verifier } = account;
    if (salt1 === null || salt2 === null || verifier === null) return base;
    const { secret, publicValue: power } = startExchange();
    const publicValue = fromBigInt((K * toBigInt(verifier) + toBigInt(power)) % P, 256);
    const bytes = randomBytes(8);
    const srpId = new Long(bytes.readInt32LE(0), bytes.readInt32LE(4));
    this.#attempts.set(srpId.toString(), { userId: account.user_id, secret, publicValue });
    const [oldest] = this.#attempts.keys();
    if (this.#attempts.size > ATTEMPTS_MAX && oldest !== undefined) this.#attempts.delete(oldest);
    return {
      ...base,
      hasPassword: true,
      currentAlgo: kdf(salt1, salt2),
      srpB: publicValue,
      srpId,
      ...(account.hint === null ? {} : { hint: account.hint }),
    };
  }

  /** Throws unless the response proves the account's password (https://core.telegram.org/api/srp). */
  check(account: Account, answer: tl.TypeInputCheckPasswordSRP): void {
    if (answer._ === "inputCheckPasswordEmpty") throw rpcError("PASSWORD_HASH_INVALID");
    const { srp_salt1: salt1, srp_salt2: salt2, srp_verifier: verifier } = account;
    const attempt = this.#attempts.get(answer.srpId.toString());
    this.#attempts.delete(answer.srpId.toString());
    if (attempt?.userId !== account.user_id || salt1 === null || salt2 === null || verifier === null) {
      throw rpcError("SRP_ID_INVALID");
    }
    const a = toBigInt(answer.A);
    if (a <= 0n || a >= P || answer.A.length > 256) throw rpcError("SRP_A_INVALID");
    const publicA = fromBigInt(a, 256);
    const u = toBigInt(sha256(publicA, attempt.publicValue));
    const base = (a * modPow(toBigInt(verifier), u, P)) % P;
    const key = sha256(finishExchange(attempt.secret, fromBigInt(base, 256)));
    const expected = sha256(
      xor(sha256(DH_PRIME), sha256(G)),
      sha256(salt1),
      sha256(salt2),
      publicA,
      attempt.publicValue,
      key,
    );
    if (answer.M1.length !== 32 || !timingSafeEqual(expected, answer.M1)) throw rpcError("PASSWORD_HASH_INVALID");
  }
}

function kdf(
  salt1: Uint8Array,
  salt2: Uint8Array,
): tl.RawPasswordKdfAlgoSHA256SHA256PBKDF2HMACSHA512iter100000SHA256ModPow {
  return {
    _: "passwordKdfAlgoSHA256SHA256PBKDF2HMACSHA512iter100000SHA256ModPow",
    salt1,
    salt2,
    g: DH_GENERATOR,
    p: DH_PRIME,
  };
}
