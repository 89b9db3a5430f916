-- Mail and web domains that are the set's own; empty takes those of the configuration.
alter table policy_sets add column own_domains text[] not null default '{}';
