-- What is old is looked for by its age alone, over all tenants.
create index policy_group_history_by_age on policy_group_history (changed_at);
