import { hash } from 'node:crypto';

/** The first half of a SHA-256 in the form of a uuid, which the database keeps in 16 bytes. */
export function uuidOf(text: string): string {
  const hex = hash('sha256', text, 'hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}

/** A number of 52 bits that stands for the text. */
export const numberOf = (text: string): number =>
  Number.parseInt(hash('sha256', text, 'hex').slice(0, 13), 16);

/**
 * The id of a process instance, as the migration `0005_telemetry_by_day.sql` makes it too. The length of the device's uid
 * tells where it ends, so that no two processes have one id.
 */
export const processIdOf = (tenantId: string, deviceUid: string, processUid: string): string =>
  uuidOf(`${tenantId}:${Buffer.byteLength(deviceUid)}:${deviceUid}:${processUid}`);
