-- Whom the agent acted for, with roles and attributes, as the rules saw it: JSON text. Kept where the trace is, so that both
-- can be judged again.
alter table logs add column acting_user text;
