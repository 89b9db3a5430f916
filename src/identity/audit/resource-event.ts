import type { Asking, AuditEvent } from './audit.ts';
import { changesBetween } from './changes.ts';

interface ChangedResource {
  readonly id: string;
  readonly name: string;
  /** What was true of it; undefined for a new one. No secrets. */
  readonly before?: Readonly<Record<string, unknown>> | undefined;
  /** What is true of it now; undefined for a deleted one. */
  readonly after?: Readonly<Record<string, unknown>> | undefined;
  /** What else identifies it. */
  readonly more?: NonNullable<AuditEvent['details']>;
}

/** The event of a change of one resource: which it is, and what each field was and is. */
export const resourceEvent = (
  event: string,
  { caller, request }: Asking,
  { id, name, before, after, more = {} }: ChangedResource,
): AuditEvent => ({
  event,
  caller,
  request,
  details: { id, name, ...more, changes: changesBetween(before, after) },
});
