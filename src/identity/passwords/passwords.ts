import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { unavailable } from '#base/errors.ts';

/** argon2id with the first of the settings that the OWASP cheat sheet on password storage recommends: 19 MiB, 2 passes. */
const settings = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Each occupies a libuv thread, which file and DNS operations need too: limit them and queue here. */
const maxAtOnce = 2;
const maxWaiting = 200;

/** The same characters typed on another keyboard may come in another form (RFC 8265 §4.2.2). */
const canonical = (password: string) => password.normalize('NFC');

let running = 0;
const waiting: (() => void)[] = [];

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running < maxAtOnce) running++;
  else if (waiting.length < maxWaiting) await new Promise<void>((resolve) => waiting.push(resolve));
  else throw unavailable('Too many sign-ins at the moment. Try again in a few seconds.');
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    // Handed to the next in line directly, so that no newcomer can take it first.
    if (next === undefined) running--;
    else next();
  }
}

/** A random password: 24 letters, digits and signs. */
export const newPassword = (): string => randomBytes(18).toString('base64url');

/** The text to keep for a password. */
export const hashPassword = (password: string): Promise<string> =>
  inTurn(() => hash(canonical(password), settings));

const random64 = (bytes: number) => randomBytes(bytes).toString('base64').replace(/=+$/, '');

/** The hash of a random password, which is then discarded. */
const nobodys = `$argon2id$v=19$m=${settings.memoryCost},t=${settings.timeCost},p=${settings.parallelism}$${random64(16)}$${random64(32)}`;

/** Verifies a password; without a hash returns false, in the same time. */
export async function isPassword(kept: string | undefined, password: string): Promise<boolean> {
  const same = await inTurn(() => verify(kept ?? nobodys, canonical(password)));
  return same && kept !== undefined;
}
