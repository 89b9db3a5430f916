-- Ascending: entries come in the order of time, and PostgreSQL splits the pages of a rising index so that they stay
-- full. Lists of the newest read it backwards.
drop index calls_newest;
drop index calls_of_tenant;
create index calls_newest on calls (tenant_id, gateway_id, at, call_id);
create index calls_of_tenant on calls (tenant_id, at, call_id);
