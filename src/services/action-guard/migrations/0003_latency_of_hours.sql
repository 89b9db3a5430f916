-- Of all evaluations that a row counts; null in rows from before it was kept.
alter table log_counts add column latency_ms_sum double precision;
