-- What is old is looked for by its age alone, over all tenants.
create index logs_by_age on logs (at);
