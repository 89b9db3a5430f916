-- The audit log over all gateways of a tenant.
create index calls_of_tenant on calls (tenant_id, at desc, call_id desc);
