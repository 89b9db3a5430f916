import { useQuery } from '@tanstack/react-query';
import { identity } from '../../api/identity.ts';
import { SelectField } from '../../parts/field.tsx';
import { useAddress } from '../../parts/use-address.ts';
import { useUser } from '../../session/use-session.ts';

/** The first part of the query keys of tenants. */
export const tenantsKey = ['tenants'];

/** The tenants that the user administers, and the one that the page shows: their own unless the address says otherwise. */
export function useTenant() {
  const { tenantName, isAdmin } = useUser();
  const [asked, setAsked] = useAddress('tenant');
  const { data } = useQuery({
    queryKey: tenantsKey,
    queryFn: () => identity.listTenants({ query: { limit: 1000 } }),
    enabled: isAdmin,
  });
  const tenants = data?.tenants ?? [];
  const chosen = tenants.find(({ id }) => id === asked);
  return {
    tenants,
    /** For requests; undefined for one's own tenant. */
    tenantId: asked === '' ? undefined : asked,
    tenantName: chosen?.name ?? tenantName,
    choose: (name: string) =>
      setAsked(name === tenantName ? '' : (tenants.find((tenant) => tenant.name === name)?.id ?? '')),
  };
}

/** Switches a page between the tenants of an administrator of `system`; nothing for those who have one only. */
export function TenantChoice() {
  const { tenants, tenantName, choose } = useTenant();
  if (tenants.length < 2) return null;
  return (
    <SelectField
      label="Tenant"
      value={tenantName}
      options={tenants.map(({ name }) => ({ value: name, label: name }))}
      onChoice={choose}
    />
  );
}
