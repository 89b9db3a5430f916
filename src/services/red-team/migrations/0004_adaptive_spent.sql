-- Injections that the adaptive attacker has had rewritten, also for tasks that a crash interrupted.
alter table runs add column adaptive_spent integer not null default 0;
