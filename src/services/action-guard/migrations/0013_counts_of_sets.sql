-- Counts are of a policy set: their names begin with its id. What was counted before has names without one, is no longer
-- read and goes with its age; the log says anew what counts for a set.
-- A call that was counted under the id of its application is found in the log under this one.
alter table counted_calls add column log_id uuid;
