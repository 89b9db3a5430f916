import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import type { PlatformConfig } from '../config/platform.ts';
import { checkValueOf } from './key-check.ts';
import { sealingSecret } from './shared-keys.ts';

/** Encrypts secrets for storage: AES-256-GCM, each bound to its location. */
export interface Vault {
  /** @param place where it is stored, such as `mcp_server:<id>`; it cannot be decrypted for another place. */
  seal(text: string, place: string): Buffer;
  /** @throws Error if it was encrypted with another key or for another place, or was altered. */
  open(sealed: Uint8Array, place: string): string;
  /** The same, but undefined if it cannot be decrypted: for lists, which must not fail because of one row. */
  find(sealed: Uint8Array, place: string): string | undefined;
  /** Which key opens it; undefined if none does. */
  keyOf(sealed: Uint8Array, place: string): 'current' | 'previous' | undefined;
  /** Reveals only whether two processes have the same key. */
  readonly check: Buffer;
}

const version = 1;
const nonceBytes = 12;
const tagBytes = 16;

const keyOf = (secret: string): Buffer =>
  createHash('sha256').update('bulwark secrets at rest\0').update(secret).digest();

/**
 * Uses the key of `BULWARK_SECRET_KEY`, else one generated in the data folder. Also decrypts what was encrypted with
 * `BULWARK_SECRET_KEY_PREVIOUS`.
 */
export async function openVault(
  config: Pick<PlatformConfig, 'secretKey' | 'dataDir'> & Partial<Pick<PlatformConfig, 'secretKeyPrevious'>>,
): Promise<Vault> {
  const secret = await sealingSecret(config);
  const key = keyOf(secret);
  const previous = config.secretKeyPrevious && keyOf(config.secretKeyPrevious.reveal());
  const open: Vault['open'] = (sealed, place) => {
    try {
      return openWith(key, sealed, place);
    } catch (error) {
      if (previous === undefined) throw error;
      return openWith(previous, sealed, place);
    }
  };
  return {
    seal(text, place) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(place));
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([Buffer.of(version), nonce, cipher.getAuthTag(), sealed]);
    },
    open,
    find(sealed, place) {
      try {
        return open(sealed, place);
      } catch {
        return undefined;
      }
    },
    keyOf(sealed, place) {
      if (isOpenedBy(key, sealed, place)) return 'current';
      return previous !== undefined && isOpenedBy(previous, sealed, place) ? 'previous' : undefined;
    },
    check: checkValueOf('secrets-at-rest', secret),
  };
}

function isOpenedBy(key: Buffer, sealed: Uint8Array, place: string): boolean {
  try {
    openWith(key, sealed, place);
    return true;
  } catch {
    return false;
  }
}

function openWith(key: Buffer, sealed: Uint8Array, place: string): string {
  const bytes = Buffer.from(sealed);
  if (bytes[0] !== version) throw new Error(`A sealed secret has the unknown version ${bytes[0]}.`);
  const nonce = bytes.subarray(1, 1 + nonceBytes);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce)
    .setAAD(Buffer.from(place))
    .setAuthTag(bytes.subarray(1 + nonceBytes, 1 + nonceBytes + tagBytes));
  return Buffer.concat([
    decipher.update(bytes.subarray(1 + nonceBytes + tagBytes)),
    decipher.final(),
  ]).toString('utf8');
}
