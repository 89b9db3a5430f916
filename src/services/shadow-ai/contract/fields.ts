import { z } from 'zod';

export const tenantQuery = {
  tenant_id: z
    .string()
    .max(100)
    .optional()
    .meta({ description: 'Another tenant; for administrators of `system` alone.' }),
};

export const TenantQuery = z.object(tenantQuery);

export const Severity = z.enum(['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFORMATIONAL']);
