-- Why an action was blocked or warned of: the rules with their sentences, what in the trace broke them. JSON text, null
-- where nothing was found. The sentences are those of that day: rules change.
alter table logs add column findings text;
-- The trace as it was judged, JSON text; null unless `action_guard.log_traces` keeps it.
alter table logs add column trace text;
