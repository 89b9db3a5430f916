-- Attempts of the adaptive attacker at one task, in order; null where there were none.
alter table results add column lineage json;
