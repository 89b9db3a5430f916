-- What is old is looked for by its age alone, over all tenants.
create index calls_by_age on calls (at);
create index approvals_by_age on approvals (created_at);
