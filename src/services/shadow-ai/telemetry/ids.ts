import { hash } from 'node:crypto';

const digestOf = (text: string): string => hash('sha256', text, 'hex');

/** The first half of a SHA-256, which the database keeps in the 16 bytes of a uuid. */
export const idOf = (text: string): string => digestOf(text).slice(0, 32);

/** An id as {@link idOf} makes it, and a number of 52 bits that stands for the text. */
export function idAndNumberOf(text: string): { id: string; number: number } {
  const digest = digestOf(text);
  return { id: digest.slice(0, 32), number: Number.parseInt(digest.slice(0, 13), 16) };
}

/**
 * The id of a process instance, as the migration `0005_telemetry_by_day.sql` makes it too. The length of the device's uid
 * tells where it ends, so that no two processes have one id.
 */
export const processIdOf = (tenantId: string, deviceUid: string, processUid: string): string =>
  asUuid(idOf(`${tenantId}:${Buffer.byteLength(deviceUid)}:${deviceUid}:${processUid}`));

/** As the database writes it. */
const asUuid = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
