import { z } from 'zod';
import { isoTime } from '#base/contract/fields.ts';

/** A day, or a time without its offset, which is UTC then; a bare `+` arrives as a space. */
export const queryTime = (side: 'start' | 'end') =>
  z
    .string()
    .transform((value) => {
      if (/^\d{4}-\d{2}-\d{2}$/.test(value))
        return side === 'start' ? `${value}T00:00:00.000Z` : `${value}T23:59:59.999Z`;
      const local = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2})(:\d{2}(?:\.\d+)?)?$/.exec(value);
      if (local !== null) return `${local[1]}${local[2] ?? ':00'}Z`;
      return value.replace(/ (?=\d{2}:\d{2}$)/, '+');
    })
    .pipe(isoTime());

export const tenantQuery = {
  tenant_id: z
    .string()
    .max(100)
    .optional()
    .meta({ description: 'Another tenant; for administrators of `system` alone.' }),
};

export const TenantQuery = z.object(tenantQuery);

export const Severity = z.enum(['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFORMATIONAL']);
